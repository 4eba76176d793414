/** Reads a stored message by two mappings, and compares what they make of it. Nothing is applied. */
import type { ChannelTrial } from '../../../../src/contract/channel-message.ts';
import { formatNames } from '../../../../src/domain/worklist-formats.ts';
import type { Readers } from '../../../worklists/ingest/readers.ts';
import type { StoredChannel, StoredMessage } from '../channel.ts';
import { readMessage } from './read-message.ts';
import type { ReadMessage } from './read-message.ts';

type Trial = ChannelTrial['items'][number];
type TrialReading = Trial['before'];
type Mapping = StoredChannel['mapping'];
/** Texts by the names of fields, `metadata.NAME` of those in the metadata. */
type Facts = Readonly<Record<string, string>>;

export async function tryMapping(
  message: StoredMessage,
  channel: StoredChannel,
  mappings: { readonly before: Mapping; readonly after: Mapping },
  readers: Readers,
): Promise<Trial> {
  const before = await readStored(message, { ...channel, mapping: mappings.before }, readers);
  const after = await readStored(message, { ...channel, mapping: mappings.after }, readers);
  const differences = [
    ...compareAll('exam', before.exams, after.exams),
    ...compareAll('patient', before.patients, after.patients),
  ];
  return { id: message.id, outcome: judge(before, after, differences.length > 0), before, after, differences };
}

/** The message as the mapping of the channel reads it. */
export async function readStored(
  { content = '', format }: Pick<StoredMessage, 'content' | 'format'>,
  channel: StoredChannel,
  readers: Readers,
): Promise<TrialReading> {
  const named = formatNames.find((name) => name === format);
  return toReading(await readMessage(Buffer.from(content, 'base64'), named, channel, readers));
}

function judge(before: TrialReading, after: TrialReading, differs: boolean): Trial['outcome'] {
  const [earlier, later] = [before.problems.length, after.problems.length];
  if (earlier !== later) return later < earlier ? 'mended' : 'broken';
  const isSame = !differs && JSON.stringify(before) === JSON.stringify(after);
  return isSame ? 'same' : 'changed';
}

const toReading = ({ exams, unread, patients, problems, warnings }: ReadMessage): TrialReading => ({
  exams: withUnread(
    exams.map(({ item, order }) => ({ ...flatten(item), ...(order?.status && { status: order.status }) })),
    unread,
  ),
  patients: patients.map(({ event, patient, merged, visit }) => flatten({ event, ...patient, merged, visit })),
  problems: [...problems],
  warnings: [...warnings],
});

/** The exams of a message in its order, with what is known of those that could not be read. */
function withUnread(read: readonly Facts[], unread: ReadMessage['unread'] = []): Facts[] {
  const all: Facts[] = [];
  let taken = 0;
  for (const { item, at } of unread) {
    const before = read.slice(taken, taken + at - all.length);
    taken += before.length;
    all.push(...before, flatten(item));
  }
  return [...all, ...read.slice(taken)];
}

/** Instructions to ingest, and the orders that the fields come from, say nothing more to people. */
const hidden: ReadonlySet<string> = new Set(['metadata.keep_absent', 'metadata.orders']);

function flatten(value: object, above = ''): Facts {
  const entries = Object.entries(value).flatMap(([key, each]: [string, unknown]): [string, string][] => {
    const name = `${above}${key}`;
    if (each === undefined || hidden.has(name)) return [];
    if (typeof each === 'object' && each !== null && !Array.isArray(each))
      return Object.entries(flatten(each, `${name}.`));
    return [[name, typeof each === 'string' ? each : JSON.stringify(each)]];
  });
  return Object.fromEntries(entries);
}

function compareAll(
  what: string,
  before: readonly Readonly<Record<string, unknown>>[],
  after: readonly Readonly<Record<string, unknown>>[],
): Trial['differences'] {
  const count = Math.max(before.length, after.length);
  return Array.from({ length: count }, (_, at) =>
    compare(`${what} ${at + 1}`, before[at] ?? {}, after[at] ?? {}),
  ).flat();
}

function compare(
  subject: string,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Trial['differences'] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return names.flatMap((field) => {
    const [earlier, later] = [textOrNull(before[field]), textOrNull(after[field])];
    return earlier === later ? [] : [{ subject, field, before: earlier, after: later }];
  });
}

const textOrNull = (value: unknown): string | null => (typeof value === 'string' ? value : null);
