import { defineCommand } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { filterOptions, buildFilters } from '../../resources/worklist-filters.ts';
import { itemColumns } from '../../resources/worklist.ts';

export const command = defineCommand({
  description: 'Newest first. Times are in this computer’s time zone; --json has the original times.',
  options: { ...filterOptions, ...pagingOptions },
  examples: [
    ['laudio worklist list --status new --modality CT,MR', 'CTs and MRs that wait'],
    ['laudio worklist list --priority STAT,HIGH --report draft', 'urgent exams with an unsigned draft'],
    ['laudio worklist list --today --mine', 'today’s exams that you have taken'],
    ['laudio worklist list --json --jq ".[].accession_number"', 'only accession numbers'],
  ],
  async run(context, { limit, all, ...options }) {
    const { client, clock, signal } = context;
    const filters = await buildFilters(context, options);
    const { worklists } = await client();
    return pagedList({ limit, all }, (paging) => worklists.list({ query: { ...filters, ...paging } }, { signal }), {
      columns: itemColumns(clock.now()),
      empty:
        Object.keys(filters).length > 0
          ? 'No exam matches.'
          : 'The worklist is empty. Send exams with: laudio worklist ingest FILE',
    });
  },
});
