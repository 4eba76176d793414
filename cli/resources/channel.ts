/** Formats channels and their messages. */
import type { FoundMessage, Message, ShownMessage } from '../../src/contract/channel-message.ts';
import type { Channel, ChannelKind } from '../../src/contract/channel.ts';
import { endingSoon } from '../../src/domain/certificate-ending.ts';
import { counted } from '../../src/domain/counted.ts';
import { localTime } from '../shell/time.ts';
import { detailView, messageView } from '../shell/view.ts';
import type { Column, Tone, View } from '../shell/view.ts';

const statusTones: Readonly<Record<Channel['state']['status'], Tone>> = {
  off: 'faint',
  opening: 'busy',
  open: 'good',
  failed: 'bad',
};
const stateTones: Readonly<Record<Message['state'], Tone>> = {
  taken: 'good',
  waiting: 'busy',
  delivered: 'good',
  refused: 'bad',
  dropped: 'faint',
};

type Ending = Channel['certificates'][number];

/** The certificate that expires first. */
const firstEnding = ({ certificates }: Channel): Ending | undefined =>
  certificates.toSorted((a, b) => a.days_left - b.days_left)[0];
const endingTone = (ending: Ending | undefined): Tone =>
  !ending || !endingSoon(ending) ? 'plain' : ending.days_left < 0 ? 'bad' : 'warn';

export const channelColumns: readonly Column<Channel>[] = [
  { title: 'Name', value: ({ name }) => name, tone: () => 'strong' },
  { title: 'Kind', value: ({ kind }) => kind },
  { title: 'State', value: ({ state }) => state.status, tone: ({ state }) => statusTones[state.status] },
  { title: 'Address', value: ({ state }) => state.address, cut: true, spare: 1 },
  { title: 'Space', value: ({ space }) => space, spare: 3 },
  { title: 'Last message', value: ({ last_message_at: at }) => at && localTime(at), spare: 4 },
  { title: 'Open since', value: ({ oldest_open_at: at }) => at && localTime(at), spare: 4 },
  { title: 'Waiting', value: ({ counts }) => counts.waiting, align: 'right' },
  {
    title: 'Refused',
    value: ({ counts }) => counts.refused,
    align: 'right',
    tone: ({ counts }) => (counts.refused > 0 ? 'bad' : 'plain'),
  },
  { title: 'Problem', value: ({ state }) => state.error, fold: true, tone: () => 'warn', spare: 2 },
  {
    title: 'Certificate',
    value(channel) {
      const ending = firstEnding(channel);
      return ending && `${ending.days_left} d`;
    },
    tone: (channel) => endingTone(firstEnding(channel)),
    align: 'right',
    spare: 2,
  },
];

export const channelDetail = (channel: Channel): View => {
  const { state, counts } = channel;
  return detailView({
    data: channel,
    fields: [
      ['Name', channel.name, 'strong'],
      ['Id', channel.id],
      ['Kind', channel.kind],
      ['State', state.status, statusTones[state.status]],
      ['Since', localTime(state.since)],
      ['Address', state.address],
      ['Problem', state.error, 'warn'],
      ['Waiting', counts.waiting],
      ['Refused', counts.refused, counts.refused > 0 ? 'bad' : 'plain'],
      ['Open since', channel.oldest_open_at && localTime(channel.oldest_open_at)],
      ['Last message', channel.last_message_at ? localTime(channel.last_message_at) : 'none yet'],
      ['Space', channel.space],
      ...channel.certificates.map(
        (ending) =>
          [`Until (${ending.setting})`, `${localTime(ending.until)}, ${daysText(ending)}`, endingTone(ending)] as const,
      ),
      ...Object.entries(channel.settings).map(([name, value]) => [name, valueText(value)] as const),
      ['Mapping', channel.mapping === null ? null : Object.keys(channel.mapping).join(', ')],
    ],
  });
};

const daysText = ({ days_left: days }: Ending): string => (days < 0 ? 'it has ended' : `${counted(days, 'day')} left`);

const valueText = (value: unknown): string =>
  Array.isArray(value) ? value.join(', ') : typeof value === 'object' ? JSON.stringify(value) : String(value);

interface Setting {
  readonly kind: string;
  readonly title: string;
  readonly name: string;
  readonly value: string;
  readonly summary: string;
}

/** One row per setting of a kind. */
export const listSettings = ({ kind, title, settings }: ChannelKind): readonly Setting[] => {
  const { properties = {}, required = [] } = settings as {
    properties?: Record<
      string,
      { type?: string; enum?: string[]; description?: string; writeOnly?: boolean; default?: unknown }
    >;
    required?: readonly string[];
  };
  return Object.entries(properties).map(([name, schema]) => ({
    kind,
    title,
    name: required.includes(name) ? `${name} (needed)` : name,
    value: schema.writeOnly ? 'secret' : (schema.enum?.join('|') ?? String(schema.type ?? 'object')),
    summary: [schema.description, schema.default !== undefined && `Default: ${String(schema.default)}.`]
      .filter(Boolean)
      .join(' '),
  }));
};

/** The effect of a message, or why it failed. */
const outcomeText = ({ changes, error, warnings, attempts }: Message): string => {
  if (error) return `${error.place === undefined ? '' : `${error.place}: `}${error.message}`;
  const done = changes
    ? [
        `${changes.inserted} new`,
        `${changes.updated} changed`,
        `${changes.deduped} known`,
        ...(changes.statuses > 0 ? [`${changes.statuses} with another status`] : []),
      ].join(', ')
    : attempts === undefined || attempts === 0
      ? ''
      : `attempt ${attempts}`;
  return [done, ...warnings].filter((text) => text !== '').join('; ');
};

export const messageColumns: readonly Column<Message>[] = [
  { title: 'ID', value: ({ id }) => id, tone: () => 'faint' },
  { title: 'When', value: ({ at }) => localTime(at), spare: 2 },
  { title: 'State', value: ({ state }) => state, tone: ({ state }) => stateTones[state] },
  { title: 'Name', value: ({ key, record_id: record }) => key ?? record, cut: true, spare: 1 },
  { title: 'Outcome', value: outcomeText, fold: true },
  { title: 'Next', value: ({ next_attempt_at: next }) => next && localTime(next), spare: 3 },
];

export const foundColumns: readonly Column<FoundMessage>[] = [
  { title: 'ID', value: ({ id }) => id, tone: () => 'faint' },
  { title: 'When', value: ({ at }) => localTime(at), spare: 2 },
  { title: 'Direction', value: ({ direction }) => direction, spare: 3 },
  { title: 'State', value: ({ state }) => state, tone: ({ state }) => stateTones[state] },
  { title: 'Name', value: ({ key, record_id: record }) => key ?? record, cut: true, spare: 1 },
  { title: 'Patient', value: ({ patient_ids: ids }) => showFirst(ids) },
  { title: 'Accession', value: ({ accession_numbers: numbers }) => showFirst(numbers) },
  { title: 'Outcome', value: outcomeText, fold: true, spare: 1 },
];

/** The first, and the number of the others. */
const showFirst = ([first = '', ...others]: readonly string[]): string =>
  others.length === 0 ? first : `${first} +${others.length}`;

/** `text`: its content, as a person reads it. */
export const messageDetail = (message: ShownMessage, text?: string): View => {
  const { answer, error, reading } = message;
  return detailView({
    data: message,
    fields: [
      ['Id', message.id],
      ['Channel', message.channel_id],
      ['State', message.state, stateTones[message.state]],
      ['When', localTime(message.at)],
      ['Name', message.key],
      ['Format', message.format],
      ['Bytes', message.bytes],
      ['Record', message.record_id],
      ['Version', message.record_version],
      ['Event', message.event],
      ['Attempts', message.attempts],
      ['Next attempt', message.next_attempt_at],
      ['Problem', error?.message, 'bad'],
      ['Where', error?.place],
      ['What to do', error?.hint],
      ['Warnings', message.warnings.join(' ')],
      ['Outcome', error ? null : outcomeText(message)],
    ],
    sections: [
      ...(text === undefined
        ? []
        : [
            {
              title: message.direction === 'in' ? 'Received content' : 'Sent content',
              text: lines(text),
            },
          ]),
      ...(reading ? listReading(reading) : []),
      ...(answer === undefined ? [] : [{ title: 'Acknowledgement', text: lines(answer) }]),
    ],
  });
};

/** A section for each exam and patient that was read. */
const listReading = ({ exams, patients, problems, warnings }: NonNullable<ShownMessage['reading']>) => [
  ...exams.map((exam, at) => ({ title: `Read: exam ${at + 1}`, text: factLines(exam) })),
  ...patients.map((patient, at) => ({ title: `Read: patient ${at + 1}`, text: factLines(patient) })),
  ...(problems.length + warnings.length > 0
    ? [{ title: 'Read: notes', text: [...problems.map(({ message: said }) => said), ...warnings].join('\n') }]
    : []),
];

const factLines = (facts: Readonly<Record<string, unknown>>): string =>
  Object.entries(facts)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join('\n');

const lines = (text: string): string => text.replace(/\r\n?/g, '\n').trimEnd();

export const retriedView = (data: { retried: number; refused: number }): View =>
  messageView(
    data.retried === 0
      ? 'There is nothing to retry.'
      : `Retried ${data.retried}; ${data.refused} of them were refused again.`,
    data,
  );
