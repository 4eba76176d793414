import { defineCommand, required } from '../../command.ts';
import { destinationColumns } from '../../resources/record.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Lists the systems that receive it through the channels of the space, and whether it has arrived.',
  arguments: { id: required('Id of the record (rec_…)') },
  async run({ client, signal }, { id }) {
    const api = await client();
    const { items } = (await api.distribution.ofRecord({ params: { id } }, { signal })).data;
    return listView({
      data: items,
      rows: items,
      columns: destinationColumns,
      empty: 'It has no destination: no channel sends it, or it isn’t ready to be sent.',
    });
  },
});
