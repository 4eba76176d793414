import { listGuides, readGuide } from '../../src/node/guides.ts';
import { defineCommand, required } from '../command.ts';
import type { Context } from '../context.ts';
import { errorCodes, explainCode } from '../shell/error-help.ts';
import { helpTopics, isHelpTopic } from '../shell/help-topics.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';
import { detailView, listView, messageView } from '../shell/view.ts';
import type { View } from '../shell/view.ts';

const topics = Object.keys(helpTopics);

export const command = defineCommand({
  description: 'Explains a topic or the code of an error, or prints a guide; laudio help guides lists them.',
  arguments: { topic: required(`${topics.join(', ')}, a guide, or the code of an error`, topics) },
  examples: [
    ['laudio help worklist ingest', 'the help of a command'],
    ['laudio help exit-codes', 'what scripts can rely on'],
    ['laudio help TEST_DATA_REQUIRED', 'what an error means'],
    ['laudio help qa', 'the guide for QA'],
  ],
  async run(context, { topic }): Promise<View | void> {
    if (isHelpTopic(topic)) return listTopic(context, topic);
    const explained = explainCode(topic);
    if (explained) {
      return detailView({
        data: explained,
        fields: [
          ['Code', explained.code, 'strong'],
          ['Meaning', explained.meaning],
          ['HTTP status', explained.http_status],
          ['Exit code', explained.exit_code],
          ['Guide', `laudio help ${explained.guide}`],
        ],
      });
    }
    const guides = listGuides();
    const guide = guides.find(({ name }) => name === topic.replace(/^guide-|\.md$/g, '').toLowerCase());
    if (!guide) {
      const known = [...topics, ...guides.map(({ name }) => name), ...errorCodes, ...context.commands];
      throw unknownWord(`${topic} is not a topic.`, topic, known, `Topics are ${topics.join(', ')}.`);
    }
    if (context.io.output === 'json') return messageView(guide.title, { name: guide.name, text: readGuide(guide) });
    await context.io.out(readGuide(guide));
  },
});

function listTopic({ paths, settings }: Context, topic: keyof typeof helpTopics): View {
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
}
