import { defineCommand } from '../../command.ts';
import { helpTopics } from '../../shell/help-topics.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'Lists the files and directories of this user, whether or not they exist.',
  mends: true,
  async run({ paths, settings }) {
    const rows = helpTopics.files.rows({ paths, dataDirectory: settings.data_dir ?? paths.data });
    return listView({
      data: rows,
      rows,
      columns: [
        { title: 'File or directory', value: ({ name }) => name, tone: () => 'strong' },
        { title: 'Holds', value: ({ meaning }) => meaning, fold: true },
      ],
      empty: 'There are none.',
    });
  },
});
