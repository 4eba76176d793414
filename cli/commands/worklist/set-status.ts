import { worklistStatuses } from '../../../src/contract/worklist.ts';
import type { WorklistStatus } from '../../../src/contract/worklist.ts';
import { defineCommand, flag, required, text } from '../../command.ts';
import { statusTone, statusWords } from '../../resources/worklist.ts';
import { detailView } from '../../shell/view.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';

const isStatus = (word: string): word is WorklistStatus => (worklistStatuses as readonly string[]).includes(word);

export const command = defineCommand({
  arguments: {
    id: required('Id of the exam (wli_…)'),
    status: required(`${worklistStatuses.join(', ')}`, worklistStatuses),
  },
  options: {
    reason: text('Why', { placeholder: 'TEXT' }),
    takeOver: flag('Take an exam that somebody else has'),
  },
  examples: [['laudio worklist set-status wli_… in_progress --reason "Exam started"', 'take an exam']],
  async run({ client, signal }, { id, status, reason, takeOver }) {
    if (!isStatus(status)) {
      const more = `Use one of ${worklistStatuses.join(', ')}.`;
      throw unknownWord(`${status} is not a status.`, status, worklistStatuses, more);
    }
    const body = {
      status,
      ...(reason !== undefined && { reason }),
      ...(takeOver && { metadata: { take_over: true } }),
    };
    const { data } = await (await client()).worklists.setStatus({ params: { id }, body }, { signal });
    return detailView({
      data,
      fields: [
        ['Id', data.id],
        ['Accession', data.accession_number],
        ['Status', statusWords[data.status], statusTone[data.status]],
        ['Before', statusWords[data.previous_status]],
        ['Reason', data.reason],
      ],
    });
  },
});
