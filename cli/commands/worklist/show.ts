import { defineCommand, required } from '../../command.ts';
import { itemDetail } from '../../resources/worklist.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the exam (wli_…)') },
  async run({ client, clock, signal }, { id }) {
    const { data } = await (await client()).worklists.get({ params: { id } }, { signal });
    return itemDetail(data, clock.now());
  },
});
