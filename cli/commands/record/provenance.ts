import { defineCommand, integer, required } from '../../command.ts';
import { listView } from '../../shell/view.ts';
import { findTime } from '../../../src/reporting/versions/word-positions.ts';

export const command = defineCommand({
  description:
    'Lists stretches of words with the same origin: said, converted, macro, score, exam, template, prior, proposed or edited; their author or macro; their time in the audio in seconds, if known; and the conversion, which record undo can revert.',
  arguments: { id: required('Id of the record (rec_…)') },
  options: { version: integer('Show this version') },
  async run({ client, signal }, { id, version }) {
    const { records, reviews } = await client();
    const { data } = await reviews.provenance(
      { params: { id }, query: version === undefined ? {} : { version } },
      { signal },
    );
    const { data: record } = await records.version({ params: { id, n: data.version } }, { signal });
    const macros = new Map(data.operations.map((each) => [each.id, each.macro?.name]));
    const macroOf = (operation: string | undefined) => (operation === undefined ? undefined : macros.get(operation));
    const times = ({ heard }: (typeof data.words)[number]): string | null => {
      const time = heard && findTime(data.heard_words ?? [], heard);
      return time ? `${time.from.toFixed(1)}–${time.to.toFixed(1)} s` : null;
    };
    const textOf = (section: string): string => record.sections.find(({ key }) => key === section)?.text ?? '';
    return listView({
      data,
      rows: data.words,
      columns: [
        { title: 'Section', value: ({ section }) => section },
        { title: 'Origin', value: ({ origin }) => origin, tone: ({ heard }) => (heard ? 'plain' : 'warn') },
        { title: 'Words', value: ({ section, start, end }) => textOf(section).slice(start, end), cut: true },
        {
          title: 'Heard',
          value: ({ heard }) => heard && (record.transcript?.slice(heard.start, heard.end) ?? null),
          cut: true,
          spare: 2,
        },
        { title: 'Said', value: times, spare: 3 },
        { title: 'By', value: ({ by, operation }) => by ?? macroOf(operation) ?? null, spare: 1 },
        { title: 'Conversion', value: ({ operation }) => operation ?? null },
      ],
      empty: 'It has no words.',
    });
  },
});
