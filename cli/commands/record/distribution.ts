import { defineCommand, required } from '../../command.ts';
import { destinationColumns } from '../../resources/record.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'To which systems the channels of the space send it, and whether it has arrived.',
  arguments: { id: required('Id of the document (rec_…)') },
  async run({ client, signal }, { id }) {
    const api = await client();
    const { items } = (await api.distribution.ofRecord({ params: { id } }, { signal })).data;
    return listView({
      data: items,
      rows: items,
      columns: destinationColumns,
      empty: 'It goes nowhere: no channel sends it, or it is no report that is sent yet.',
    });
  },
});
