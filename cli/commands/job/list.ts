import { jobStatuses } from '../../../src/contract/job.ts';
import { choice, defineCommand, text } from '../../command.ts';
import { firstItems, limitOption } from '../../shell/paging.ts';
import { jobColumns } from '../../resources/job.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Newest first.',
  options: {
    status: choice(jobStatuses, 'Only jobs with this status'),
    from: text('Not before this date or time', { placeholder: 'DATE' }),
    to: text('Not after this date or time', { placeholder: 'DATE' }),
    ...limitOption,
  },
  async run({ client, signal }, { limit, ...filters }) {
    const { jobs } = await client();
    const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    const { items, note } = await firstItems(limit, (paging) =>
      jobs.list({ query: { ...chosen, ...paging } }, { signal }),
    );
    return listView({
      data: items,
      rows: items,
      columns: jobColumns,
      empty: Object.keys(chosen).length > 0 ? 'No job matches.' : 'There are no jobs yet.',
      ...(note && { note }),
    });
  },
});
