import { recordStatuses } from '../../../src/contract/document.ts';
import { choice, defineCommand, text } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { recordColumns } from '../../resources/record.ts';

export const command = defineCommand({
  description: 'Newest first.',
  options: {
    status: choice(recordStatuses, 'Only those with this status'),
    template: text('Only those with this template', { placeholder: 'ID' }),
    item: text('Only those for this exam', { placeholder: 'ID' }),
    q: text('Only records with these words', { short: 'q', placeholder: 'WORDS' }),
    from: text('Not before this date or time', { placeholder: 'DATE' }),
    to: text('Not after this date or time', { placeholder: 'DATE' }),
    ...pagingOptions,
  },
  async run({ client, signal }, { limit, all, template, item, ...rest }) {
    const { records } = await client();
    const filters = { ...rest, template_id: template, worklist_item_id: item };
    const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    return pagedList({ limit, all }, (paging) => records.list({ query: { ...chosen, ...paging } }, { signal }), {
      columns: recordColumns,
      empty: Object.keys(chosen).length > 0 ? 'No record matches.' : 'There are no records yet.',
    });
  },
});
