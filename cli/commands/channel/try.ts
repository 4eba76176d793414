import type { ChannelTrial } from '../../../src/contract/channel-message.ts';
import { counted } from '../../../src/domain/counted.ts';
import { defineCommand, list, required, text } from '../../command.ts';
import { readMapping } from '../../resources/channel-options.ts';
import { listView } from '../../shell/view.ts';
import type { Tone } from '../../shell/view.ts';

type Trial = ChannelTrial['items'][number];

const tones: Readonly<Record<Trial['outcome'], Tone>> = {
  same: 'faint',
  changed: 'busy',
  mended: 'good',
  broken: 'bad',
};

export const command = defineCommand({
  description:
    'Reads messages that the channel has received by another mapping, and shows each value that differs from the present one. Without --mapping: how the present mapping differs from none. Nothing is changed. The values are about patients; the audit trail notes who saw them.',
  arguments: { channel: required('Name of the channel', { shown: 'channel' }) },
  options: {
    message: list('Id of a message (msg_…); default: the newest 20', { placeholder: 'ID' }),
    mapping: text('JSON file of the mapping to try; "none" for the default mapping', { placeholder: 'FILE' }),
  },
  examples: [
    ['laudio channel try ris --mapping ris.json', 'before the channel gets the mapping'],
    ['laudio channel try ris --message msg_…', 'what the present mapping does to a message'],
  ],
  async run(context, { channel, message, mapping }) {
    const body = {
      ...(message.length > 0 && { message_ids: [...message] }),
      ...(mapping !== undefined && { mapping: mapping === 'none' ? null : await readMapping(context, mapping) }),
    };
    const { channels } = await context.operator();
    const { data } = await channels.try({ params: { channel }, body });
    return listView({
      data,
      rows: data.items.flatMap(listRows),
      columns: [
        { title: 'Message', value: ({ id }) => id, tone: () => 'faint' },
        { title: 'Result', value: ({ outcome }) => outcome, tone: ({ outcome }) => tones[outcome] },
        { title: 'Field', value: ({ field }) => field, tone: () => 'strong' },
        { title: 'Before', value: ({ before }) => before, fold: true },
        { title: 'After', value: ({ after }) => after, fold: true },
      ],
      empty:
        data.skipped > 0
          ? `The bytes of no message are kept (${counted(data.skipped, 'message')}).`
          : 'The channel has received no message yet.',
      ...(data.skipped > 0 && { note: `${counted(data.skipped, 'message')} left out: their bytes are not kept.` }),
    });
  },
});

interface Row {
  readonly id: string;
  readonly outcome: Trial['outcome'];
  readonly field: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** A row for each difference, and one for the problems and warnings that only one reading has. */
function listRows({ id, outcome, before, after, differences }: Trial): readonly Row[] {
  const sentences = (reading: Trial['before']): string[] => [
    ...reading.problems.map(({ place, message }) => (place === undefined ? message : `${place}: ${message}`)),
    ...reading.warnings,
  ];
  const [earlier, later] = [sentences(before), sentences(after)];
  const gone = earlier.filter((each) => !later.includes(each));
  const added = later.filter((each) => !earlier.includes(each));
  const rows = [
    ...(gone.length + added.length > 0
      ? [{ field: 'notes', before: gone.join(' ') || null, after: added.join(' ') || null }]
      : []),
    ...differences.map((each) => ({ ...each, field: `${each.subject}: ${each.field}` })),
  ];
  if (rows.length === 0) return [{ id, outcome, field: '', before: null, after: null }];
  return rows.map(({ field, before: one, after: other }) => ({ id, outcome, field, before: one, after: other }));
}
