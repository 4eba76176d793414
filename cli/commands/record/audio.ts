import { defineCommand, required } from '../../command.ts';
import { outputOption, save } from '../../shell/output-file.ts';

export const command = defineCommand({
  arguments: { id: required('Id of the record (rec_…)') },
  options: outputOption,
  async run(context, { id, output }) {
    const { records } = await context.client();
    const { body } = await records.audio({ params: { id } }, { signal: context.signal });
    return save(context, body, output, true);
  },
});
