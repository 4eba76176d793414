import { defineCommand, flag, required, several } from '../../command.ts';
import { recordDetail } from '../../resources/record.ts';

export const command = defineCommand({
  description: 'The report doesn’t change. Your name and the time are stored with the finding, in later versions too.',
  arguments: {
    id: required('Id of the record (rec_…)'),
    findings: several('Ids of the findings (f_…), as record show lists them'),
  },
  options: { undo: flag('Open them again') },
  examples: [['laudio record dismiss rec_… f_5d1e8a0c', 'reviewed; keep the text']],
  async run({ client, signal }, { id, findings, undo }) {
    const { reviews } = await client();
    const status = undo ? ('open' as const) : ('dismissed' as const);
    const [first, ...rest] = findings as [string, ...string[]];
    const decide = async (finding: string) =>
      (await reviews.decide({ params: { id, finding }, body: { status } }, { signal })).data;
    let record = await decide(first);
    for (const finding of rest) record = await decide(finding);
    return recordDetail(record);
  },
});
