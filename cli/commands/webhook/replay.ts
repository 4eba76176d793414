import type { WebhookEvent } from '../../../src/contract/events.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { counted } from '../../../src/domain/counted.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { pause } from '../../../src/domain/pause.ts';
import { createWebhookForwarder } from '../../../src/node/http/webhook-forwarder.ts';
import type { ForwardResult } from '../../../src/node/http/webhook-forwarder.ts';
import { signedHeaders, webhookKey } from '../../../src/node/http/webhook-signature.ts';
import { defineCommand, required, text } from '../../command.ts';
import type { Context } from '../../context.ts';
import {
  answerLine,
  eventOption,
  forwardOption,
  isTaken,
  parseEventType,
  parseTargets,
} from '../../resources/webhook-targets.ts';
import type { WebhookTargets } from '../../resources/webhook-targets.ts';
import { readSpeed } from '../../sending/pace.ts';
import { isStdin, nameOf, readText } from '../../shell/input-file.ts';
import { printLine } from '../../shell/render.ts';
import { localDay } from '../../shell/time.ts';
import { readSecret, secretOption } from '../../shell/secret.ts';

/** An event is about 500 bytes; a busy day has some thousand of them. */
const maxFileBytes = 64 * 1024 * 1024;

interface RecordedEvent {
  readonly id: string;
  readonly event: WebhookEvent;
  /** The bytes that were received; a delivery of the server holds only its event. */
  readonly body: string;
  /** ms since 1970. */
  readonly at: number;
}

export const command = defineCommand({
  description:
    'Sends recorded events to your receiver, in the order in which they happened, each once with its former id and a new signature. The file is the output of laudio webhook listen --json or of laudio webhook deliveries --json; only deliveries of test clients contain their events. Nothing is sent to the server. The secret is asked for, read from standard input, or that in LAUDIO_WEBHOOK_SECRET. Ends with 9 if the receiver refused an event; it gets each only once.',
  arguments: { file: required('File with the events, or -') },
  options: {
    ...forwardOption,
    ...eventOption,
    date: text('Only events of that day, in the time of this computer', { placeholder: 'YYYY-MM-DD' }),
    speed: text('Keep the intervals between events, this many times faster: 60x; default: no pause', {
      placeholder: 'X',
    }),
    ...secretOption,
  },
  examples: [
    ['laudio webhook replay day.ndjson --forward-to http://127.0.0.1:3000/events', 'a day that listen --json recorded'],
    [
      'laudio webhook replay day.ndjson --date 2026-03-02 --speed 60x --forward-to http://127.0.0.1:3000/events',
      'an hour of it per minute',
    ],
  ],
  async run(context, { file, forwardTo, event, date, speed: typedSpeed, secretStdin }) {
    const { io, signal } = context;
    const targets = parseTargets(forwardTo);
    if (!targets) throw new AppError('USAGE', { message: 'Name your receiver with --forward-to URL.' });
    const speed = typedSpeed === undefined ? undefined : readSpeed(typedSpeed);
    const types = event.map(parseEventType);
    const isWanted = createFilter(types, date);
    if (secretStdin && isStdin(file)) throw new AppError('USAGE', { message: 'Standard input can be read only once.' });
    const secret = await readSecret(context, 'Secret of the receiver (whsec_…)', secretStdin, 'LAUDIO_WEBHOOK_SECRET');
    webhookKey(secret);
    const recorded = parseRecorded(await readText(io, file, maxFileBytes), nameOf(file));
    const wanted = recorded.filter(isWanted);
    const events = wanted.filter((each) => targets.choose(each.event.type) !== undefined);
    if (events.length === 0) throw nothingToSend(nameOf(file), recorded, wanted, { types, date });
    const { sent, refused } = await sendAll(context, events, { targets, secret, speed });
    io.notice(`Sent ${counted(sent, 'event')} of ${recorded.length}.`, 'faint');
    if (signal.aborted) throw new AppError('INTERRUPTED');
    if (refused > 0)
      throw new AppError('PARTIAL', {
        message: `The receiver refused ${counted(refused, 'event')} of ${events.length}.`,
      });
  },
});

/** Returns how many events were sent, and how many of them were refused. */
async function sendAll(
  context: Context,
  events: readonly RecordedEvent[],
  { targets, secret, speed }: { targets: WebhookTargets; secret: string; speed: number | undefined },
): Promise<{ readonly sent: number; readonly refused: number }> {
  const { io, clock, env, signal } = context;
  const forwarder = createWebhookForwarder(targets.choose, env);
  const start = clock.elapsed();
  const first = events[0]?.at ?? 0;
  let [sent, refused] = [0, 0];
  try {
    for (const { id, event, body, at } of events) {
      const wait = speed === undefined ? 0 : start + (at - first) / speed - clock.elapsed();
      if (wait > 0) await pause(clock, wait, signal);
      const signed = signedHeaders({ id, timestamp: Math.floor(clock.now() / 1000), body }, [secret]);
      const headers = { 'content-type': 'application/json', 'user-agent': 'Laudio', ...signed };
      const forwarded = await forwarder.forward(event.type, { headers, body: Buffer.from(body) }, signal);
      if (signal.aborted) break;
      if (!forwarded) continue;
      sent++;
      if (!isTaken(forwarded)) refused++;
      await print(io, { id, event, forwarded });
    }
  } finally {
    await forwarder.close();
  }
  return { sent, refused };
}

async function print(
  io: Context['io'],
  sent: { readonly id: string; readonly event: WebhookEvent; readonly forwarded: ForwardResult },
): Promise<void> {
  if (io.output === 'json') return printLine(io, sent);
  const { event, id, forwarded } = sent;
  await io.out(`${event.timestamp}  ${io.paint(event.type, 'strong')}  ${id}  ${answerLine(io, forwarded)}\n`);
}

/** NOT_FOUND with what the file has instead. */
function nothingToSend(
  name: string,
  recorded: readonly RecordedEvent[],
  wanted: readonly RecordedEvent[],
  { types, date }: { types: readonly string[]; date: string | undefined },
): AppError {
  const kinds = (events: readonly RecordedEvent[]) => [...new Set(events.map(({ event }) => event.type))].join(', ');
  const none = `Nothing was sent: ${name} contains ${counted(recorded.length, 'event')}`;
  if (wanted.length > 0)
    return new AppError('NOT_FOUND', {
      message: `${none}, but no receiver is named for ${kinds(wanted)}.`,
      hint: 'Name one with --forward-to URL, for all events, or with --forward-to TYPE=URL.',
    });
  const asked = [...(types.length > 0 ? [types.join(' or ')] : []), ...(date === undefined ? [] : [`of ${date}`])];
  const days = [...new Set(recorded.map(({ at }) => localDay(new Date(at))))];
  const range = days.length > 1 ? `${days[0]} to ${days.at(-1)}` : days[0];
  return new AppError('NOT_FOUND', {
    message: `${none}, but none ${asked.join(' ')}.`,
    hint: `It has ${kinds(recorded)}, of ${range} in the time zone of this computer.`,
  });
}

/** USAGE for a day that there is not. */
function createFilter(types: readonly string[], date: string | undefined): (recorded: RecordedEvent) => boolean {
  const day = date === undefined ? undefined : startOfDay(date);
  const end = day && new Date(day.getFullYear(), day.getMonth(), day.getDate() + 1).getTime();
  return ({ event, at }) =>
    (types.length === 0 || types.includes(event.type)) &&
    (day === undefined || end === undefined || (at >= day.getTime() && at < end));
}

function startOfDay(date: string): Date {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(date) ?? [];
  const start = new Date(Number(year), Number(month) - 1, Number(day));
  if (start.getMonth() === Number(month) - 1 && start.getDate() === Number(day)) return start;
  throw new AppError('USAGE', { message: '--date takes a day such as 2026-03-02.' });
}

/** The events of a JSON list or of JSON lines, oldest first, each once. USAGE if there is none. */
function parseRecorded(text: string, name: string): RecordedEvent[] {
  const values = parseValues(text, name);
  const byId = new Map<string, RecordedEvent>();
  for (const [index, value] of values.entries()) {
    const recorded = toRecorded(value);
    if (recorded === 'none')
      throw new AppError('USAGE', {
        message: `${name}: entry ${index + 1} contains no event.`,
        hint: 'Record them with "laudio webhook listen --json", or list the deliveries of a test client with "laudio webhook deliveries --all --json".',
      });
    if (recorded && !byId.has(recorded.id)) byId.set(recorded.id, recorded);
  }
  if (byId.size === 0) throw new AppError('USAGE', { message: `${name} contains no events.` });
  return [...byId.values()].toSorted((one, other) => one.at - other.at);
}

function parseValues(text: string, name: string): unknown[] {
  const parse = (json: string, place: string): unknown => {
    try {
      return JSON.parse(json);
    } catch {
      throw new AppError('USAGE', { message: `${name}${place} is not JSON.` });
    }
  };
  if (text.trimStart().startsWith('[')) return parse(text, '') as unknown[];
  return text
    .split(/\r?\n/)
    .map((line, at) => [line, at + 1] as const)
    .filter(([line]) => line.trim() !== '')
    .map(([line, number]) => parse(line, `:${number}`));
}

/** `undefined` for a request that `listen` refused. */
function toRecorded(value: unknown): RecordedEvent | 'none' | undefined {
  if (!isPlainObject(value)) return 'none';
  const { id, event, body, verified } = value;
  if (verified === false) return undefined;
  if (typeof id !== 'string' || !isPlainObject(event)) return 'none';
  const { type, timestamp } = event;
  const at = Date.parse(String(timestamp));
  if (typeof type !== 'string' || Number.isNaN(at)) return 'none';
  return {
    id,
    event: event as WebhookEvent,
    body: typeof body === 'string' ? body : JSON.stringify(event),
    at,
  };
}
