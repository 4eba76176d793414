import { defineCommand, required } from '../command.ts';
import { helpTopics, isHelpTopic } from '../shell/help-topics.ts';
import { listView } from '../shell/view.ts';
import { unknownWord } from '../shell/unknown-word.ts';

const topics = Object.keys(helpTopics);

export const command = defineCommand({
  arguments: { topic: required(topics.join(', '), topics) },
  examples: [
    ['laudio help worklist ingest', 'the help of a command'],
    ['laudio help exit-codes', 'what scripts can rely on'],
  ],
  async run({ paths, settings }, { topic }) {
    if (!isHelpTopic(topic))
      throw unknownWord(`${topic} is not a topic.`, topic, topics, `Topics are ${topics.join(', ')}.`);
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
