import { defineCommand, required } from '../../command.ts';
import { inputBytes } from '../../shell/input-file.ts';
import { messageView } from '../../shell/view.ts';

export const command = defineCommand({
  description:
    'Reads the output of laudio server export, or the same format. All lines are validated first, and all are stored or none. Documents with the same id are replaced, so you can seed the same file again. Spaces of test clients accept only test patients.',
  arguments: { file: required('File, or - for standard input') },
  async run({ io, operator, signal }, { file }) {
    const { maintenance } = await operator();
    const { data } = await io.progress('Sending', () => maintenance.seed({ body: inputBytes(io, file) }, { signal }));
    const counts = Object.entries(data.documents).filter(([, count]) => Number(count) > 0);
    return messageView(
      counts.length === 0
        ? 'The file contained no documents.'
        : `Stored ${counts.map(([name, count]) => `${count} ${name}`).join(', ')}.`,
      data,
    );
  },
});
