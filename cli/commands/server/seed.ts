import { defineCommand, required } from '../../command.ts';
import { inputBytes } from '../../shell/input-file.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'What laudio server export saved, or the like. Every line is checked first: all are taken or none. Documents with the same id are replaced, so you can seed the same file again. Spaces of test clients take test patients only.',
  arguments: { file: required('File of lines, or - for standard input') },
  async run({ io, operator, signal }, { file }) {
    const { maintenance } = await operator();
    const { data } = await io.progress('Sending', () => maintenance.seed({ body: inputBytes(io, file) }, { signal }));
    const counts = Object.entries(data.documents).filter(([, count]) => Number(count) > 0);
    return messageView(
      counts.length === 0
        ? 'The file held no documents.'
        : `Put ${counts.map(([name, count]) => `${count} ${name}`).join(', ')}.`,
      data,
    );
  },
});
