import { defineCommand, required } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { historyColumns } from '../../resources/worklist.ts';

export const command = defineCommand({
  description: 'Who, when, from where and why; newest first.',
  arguments: { id: required('Id of the exam (wli_…)') },
  options: pagingOptions,
  async run({ client, clock, signal }, { id, limit, all }) {
    const { worklists } = await client();
    return pagedList({ limit, all }, (paging) => worklists.history({ params: { id }, query: paging }, { signal }), {
      columns: historyColumns(clock.now()),
      empty: 'Its status and patient never changed.',
    });
  },
});
