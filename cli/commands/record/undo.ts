import { defineCommand, required } from '../../command.ts';
import { recordDetail } from '../../resources/record.ts';

export const command = defineCommand({
  description:
    'Restores the original words, in a new version. Edits of other words stay. Words edited since don’t change: restore a version for those.',
  arguments: {
    id: required('Id of the record (rec_…)'),
    operation: required('Id of the conversion, as record provenance lists it'),
  },
  examples: [['laudio record undo rec_… numbers.unit@18-34', '“six millimeters” again instead of “6 mm”']],
  async run({ client, signal }, { id, operation }) {
    const { reviews } = await client();
    return recordDetail((await reviews.undo({ params: { id }, body: { operation } }, { signal })).data);
  },
});
