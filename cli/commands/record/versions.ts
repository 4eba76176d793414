import { defineCommand, required } from '../../command.ts';
import { pagedList, pagingOptions } from '../../shell/paging.ts';
import { versionColumns } from '../../resources/record.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the record (rec_…)') },
  options: pagingOptions,
  async run({ client, signal }, { id, limit, all }) {
    const { records } = await client();
    return pagedList({ limit, all }, (paging) => records.versions({ params: { id }, query: paging }, { signal }), {
      columns: versionColumns,
      empty: 'It has no versions.',
    });
  },
});
