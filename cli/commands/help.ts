import { AppError } from '../../src/contract/errors.ts';
import { defineCommand, required } from '../command.ts';
import { helpTopics, isHelpTopic } from '../shell/help-topics.ts';
import { listView } from '../shell/view.ts';

export const command = defineCommand({
  arguments: { topic: required(Object.keys(helpTopics).join(', ')) },
  examples: [
    ['laudio help worklist ingest', 'the help of a command'],
    ['laudio help exit-codes', 'what scripts can rely on'],
  ],
  async run({ paths, settings }, { topic }) {
    if (!isHelpTopic(topic)) throw new AppError('USAGE', { message: `${topic} is not a topic.` });
    const { title } = helpTopics[topic];
    const rows = helpTopics[topic].rows({ paths, dataDirectory: settings.data_dir ?? paths.data });
    return listView({
      data: rows,
      rows,
      columns: [
        { title, value: ({ name }) => name, tone: () => 'strong' },
        { title: 'Meaning', value: ({ meaning }) => meaning, fold: true },
      ],
      empty: 'There is no such information.',
    });
  },
});
