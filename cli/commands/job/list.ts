import { jobStatuses } from '../../../src/contract/job.ts';
import { choice, defineCommand, text } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { jobColumns } from '../../resources/job.ts';

export const command = defineCommand({
  description: 'Newest first.',
  options: {
    status: choice(jobStatuses, 'Only jobs with this status'),
    from: text('Not before this date or time', { placeholder: 'DATE' }),
    to: text('Not after this date or time', { placeholder: 'DATE' }),
    ...pagingOptions,
  },
  async run({ client, signal }, { limit, all, ...filters }) {
    const { jobs } = await client();
    const chosen = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
    return pagedList({ limit, all }, (paging) => jobs.list({ query: { ...chosen, ...paging } }, { signal }), {
      columns: jobColumns,
      empty: Object.keys(chosen).length > 0 ? 'No job matches.' : 'There are no jobs yet.',
    });
  },
});
