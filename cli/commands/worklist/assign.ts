import { itemsOf } from '../../../src/client/pages.ts';
import type { Colleague } from '../../../src/contract/worklist.ts';
import { foldText } from '../../../src/domain/search-text.ts';
import { unknownWord } from '../../../src/domain/unknown-word.ts';
import { defineCommand, flag, required, text } from '../../command.ts';
import { statusTone, statusWords } from '../../resources/worklist.ts';
import { detailView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'The colleague gets the exam at once, with a notice in the app. The history shows who gave it to whom.',
  arguments: {
    id: required('Id of the exam (wli_…)'),
    to: required('Display name of the colleague, or id (usr_…)'),
  },
  options: {
    reason: text('Why', { placeholder: 'TEXT' }),
    takeOver: flag('Hand over an exam that somebody else has'),
  },
  examples: [['laudio worklist assign wli_… "Dr. Bruno Nunes" --reason Neuroradiology', 'hand an exam over']],
  async run({ client, signal }, { id, to, reason, takeOver }) {
    const { worklists } = await client();
    const colleagues: Colleague[] = [];
    for await (const each of itemsOf((paging) =>
      worklists.colleagues({ query: { ...paging, limit: 200 } }, { signal }),
    ))
      colleagues.push(each);
    const body = {
      to: colleagueIn(colleagues, to).id,
      ...(reason !== undefined && { reason }),
      ...(takeOver && { take_over: true }),
    };
    const { data } = await worklists.assign({ params: { id }, body }, { signal });
    return detailView({
      data,
      fields: [
        ['Id', data.id],
        ['Accession', data.accession_number],
        ['Status', statusWords[data.status], statusTone[data.status]],
        ['With', data.assigned_to, 'busy'],
        ['Given by', data.assigned_by],
        ['Reason', data.reason],
      ],
    });
  },
});

/** Finds a colleague by id, or by name ignoring case and accents. USAGE for an unknown name. */
function colleagueIn(colleagues: readonly Colleague[], said: string): Colleague {
  const name = foldText(said);
  const found = colleagues.find(({ id, display_name }) => id === said || foldText(display_name) === name);
  if (found) return found;
  const names = colleagues.map(({ display_name }) => display_name);
  const hint =
    names.length === 0
      ? 'This space has no users. The operator adds them with: laudio user create'
      : `The users are ${names.join(', ')}.`;
  throw unknownWord('No user of this space has that name or id.', said, names, hint);
}
