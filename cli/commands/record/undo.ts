import { defineCommand, required } from '../../command.ts';
import { recordDetail } from '../../resources/record.ts';

export const command = defineCommand({
  description:
    'Puts back the words as they were before, in a new version. Edits of other words stay. Words that were edited since stay as they are: restore a version for those.',
  arguments: {
    id: required('Id of the document (rec_…)'),
    operation: required('Id of the conversion, as record provenance lists it'),
  },
  examples: [['laudio record undo rec_… numbers.unit@18-34', '“six millimeters” again, and not “6 mm”']],
  async run({ client, signal }, { id, operation }) {
    const { reviews } = await client();
    return recordDetail((await reviews.undo({ params: { id }, body: { operation } }, { signal })).data);
  },
});
