import { defineCommand, optional } from '../../command.ts';
import { findKind } from '../../resources/channel-options.ts';
import { listSettings } from '../../resources/channel.ts';
import { listView } from '../../shell/view.ts';

export const command = defineCommand({
  description: 'With a kind, its settings.',
  arguments: { kind: optional('A kind, such as hl7-in') },
  examples: [['laudio channel kinds hl7-in', 'its settings']],
  async run(context, { kind }) {
    if (kind !== undefined) {
      const found = await findKind(context, kind);
      return listView({
        data: found,
        rows: listSettings(found),
        columns: [
          { title: 'Setting', value: ({ name }) => name, tone: () => 'strong' },
          { title: 'Value', value: ({ value }) => value, fold: true },
          { title: 'Meaning', value: ({ summary }) => summary, fold: true },
        ],
        empty: 'This kind has no settings.',
      });
    }
    const { items } = (await (await context.operator()).channels.kinds({})).data;
    return listView({
      data: items,
      rows: items,
      columns: [
        { title: 'Kind', value: ({ kind: name }) => name, tone: () => 'strong' },
        { title: 'Direction', value: ({ direction }) => direction },
        { title: 'What it does', value: ({ title }) => title, fold: true },
      ],
      empty: 'This server has no channels.',
    });
  },
});
