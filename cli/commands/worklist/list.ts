import { worklistStatuses } from '../../../src/contract/worklist.ts';
import { choice, command, text } from '../../command.ts';
import { firstItems, limitOption } from '../../paging.ts';
import { itemColumns } from '../../resources/worklist.ts';
import { listView } from '../../view.ts';

export const list = command({
  summary: 'List exams',
  description: 'Newest first.',
  options: {
    status: choice(worklistStatuses, 'Only exams of this status'),
    modality: text('Only this modality', { placeholder: 'CT' }),
    q: text('Only exams with these words in patient, accession number or description', {
      short: 'q',
      placeholder: 'WORDS',
    }),
    from: text('Not before this date or time', { placeholder: 'DATE' }),
    to: text('Not after this date or time', { placeholder: 'DATE' }),
    sourceSystem: text('Only what this RIS/PACS sent', { placeholder: 'NAME' }),
    assignedTo: text('Only exams that this person took', { placeholder: 'NAME' }),
    ...limitOption,
  },
  examples: [
    ['laudio worklist list --status new --modality CT', 'CTs that wait'],
    ['laudio worklist list --json --jq ".[].accession_number"', 'accession numbers alone'],
  ],
  async run({ client, clock, signal }, { limit, sourceSystem, assignedTo, ...rest }) {
    const { worklists } = await client();
    const filters = { ...rest, source_system: sourceSystem, assigned_to: assignedTo };
    const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const { items, note } = await firstItems(limit, (paging) =>
      worklists.list({ query: { ...given, ...paging } }, { signal }),
    );
    return listView({
      data: items,
      rows: items,
      columns: itemColumns(clock.now()),
      empty:
        Object.keys(given).length > 0
          ? 'No exam matches.'
          : 'The worklist is empty. Send exams with: laudio worklist ingest FILE',
      ...(note && { note }),
    });
  },
});
