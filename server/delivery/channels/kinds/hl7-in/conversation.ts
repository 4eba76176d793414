/** Applies the messages of a frame, and makes its acknowledgement. Independent of connections. */
import { textOf } from '../../../../../src/contract/messages/message.ts';
import { AppError, isStorageFailure } from '../../../../../src/contract/errors.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { pause } from '../../../../../src/domain/pause.ts';
import type { Frame, FramedMessage, Header } from '../../../../../src/files/worklist/hl7/frame.ts';
import type { Problem, Reading } from '../../../../../src/files/worklist/reading.ts';
import { describeError } from '../../../../../src/domain/describe-error.ts';
import type { InboundDeps, IntakeOutcome, InboundMessage, IntakeResult } from '../../channel.ts';
import type { ReadMessage, ReadingSorter } from '../../receiving/read-message.ts';
import { writeAck, toFault } from './acknowledgement.ts';
import type { Code, Fault, AcknowledgementContent } from './acknowledgement.ts';
import type { Hl7InSettings } from './settings.ts';
import { textBefore } from '../../../../../src/domain/text-before.ts';

/** Outcome of a message, for the listener's log. */
export type MessageOutcome = 'taken' | 'repeated' | 'refused' | 'rejected' | 'unavailable' | 'no_answer_due';

export interface FrameAnswer {
  /** `undefined`: the sender wants none, or this is an acknowledgement itself. */
  readonly answer: Buffer | undefined;
  readonly outcome: MessageOutcome;
  /** Error code. */
  readonly code?: string;
}

export interface ConversationDeps extends Pick<InboundDeps, 'intake' | 'clock' | 'log'> {
  /** MSH-10 of acknowledgements. */
  readonly newId: () => string;
  readonly frameOf: (raw: Uint8Array) => Frame | undefined;
  /** Decodes a part of a header, of which each character is a byte. */
  readonly decode: (part: string, header: Header) => string;
  readonly read: (message: Pick<FramedMessage, 'bytes' | 'lines'>) => Promise<readonly Reading[]>;
  readonly sort: ReadingSorter;
  /** Location of a contract field in messages of that type. */
  readonly placeOf: (type: string, field: string) => string | undefined;
}

type Settings = Pick<
  Hl7InSettings,
  'receiving_application' | 'receiving_facility' | 'answer_seconds' | 'ignored_events'
>;

/** Pause before the store is tried again, in ms. */
const storeRetry = 500;
const maxKeyLength = 200;

/** Outcome of one message of a frame. `answer`: the earlier acknowledgement of a repeated message. */
interface Verdict {
  readonly code: Code | undefined;
  readonly outcome: MessageOutcome;
  readonly fault?: Fault;
  /** Error code, for the log. */
  readonly reason?: string;
  readonly answer?: string;
}

/** A message before anything is stored. `readings`: `undefined` if the settings ignore it. */
type PreparedMessage = FramedMessage & {
  readonly readings: readonly Reading[] | undefined;
  readonly verdict: Verdict | undefined;
};

function toVerdict(taken: IntakeResult): Verdict {
  const outcome = taken.repeated ? 'repeated' : taken.state;
  const kept = taken.answer !== undefined && { answer: taken.answer };
  if (taken.state === 'taken') return { code: 'AA', outcome, ...kept };
  const fault = toFault(taken.error);
  return { code: 'AE', outcome, fault, ...kept, ...(!taken.repeated && { reason: taken.error.code }) };
}

export function createConversation(deps: ConversationDeps, settings: Settings): (raw: Buffer) => Promise<FrameAnswer> {
  const { intake, clock, log, newId, frameOf, decode, read, sort, placeOf } = deps;
  const ignored = new Set(settings.ignored_events);

  /** A message for another system, or of an unsupported type, is rejected without the store. */
  async function prepare(message: FramedMessage): Promise<PreparedMessage> {
    const { header } = message;
    const prepared = (readings: PreparedMessage['readings'], verdict?: Verdict): PreparedMessage => ({
      ...message,
      readings,
      verdict,
    });
    const wrong = findMisdirection(header, settings);
    if (wrong) return prepared([], reject(...wrong));
    if (ignored.size > 0 && listEvents(header).some((event) => ignored.has(event)))
      return header.field(10) === '' ? prepared([], missingId) : prepared(undefined);
    const readings = await read(message).catch(toProblem);
    if (!readings) return prepared([], rejectNow('The server has too many messages to read now. Send it again.'));
    if (readings.length === 0) return prepared([], { code: undefined, outcome: 'no_answer_due' });
    const foreign = readings.find((each): each is Problem => each.kind === 'problem' && isUnsupported(each));
    if (foreign) {
      const { place = 'MSH-9', message, hint = '' } = foreign;
      const number = place === 'MSH-9.2' ? 201 : 200;
      return prepared([], reject(place, number, `${textOf(message)} ${textOf(hint)}`.trimEnd()));
    }
    return header.field(10) === '' ? prepared([], missingId) : prepared(readings);
  }

  async function take({ header, bytes, readings, verdict }: PreparedMessage): Promise<Verdict> {
    if (verdict) return verdict;
    const [type = ''] = header.field(9).split(header.encoding[0] ?? '^');
    const ids = { id: newId(), answered: header.field(10) };
    return judge({
      raw: bytes,
      key: createKey(header, header.field(10), decode),
      format: 'hl7',
      read: readings ? sort(readings, 'hl7') : ignoredMessage,
      isForgotten: readings === undefined,
      placeOf: (field) => placeOf(type, field),
      answer: (outcome) => writeAck(header, toContent(outcome), { ...ids, now: clock.now() }),
    });
  }

  async function judge(inbound: InboundMessage): Promise<Verdict> {
    const taken = await takeInTime(inbound);
    return taken ? toVerdict(taken) : rejectNow('The server cannot store the message now. Send it again.');
  }

  /** `undefined`: the store did not write in time. If it does so later, the sender's repetition has no effect. */
  async function takeInTime(inbound: InboundMessage): Promise<IntakeResult | undefined> {
    const machine = machineClockOf(clock);
    const deadline = machine.now() + (settings.answer_seconds ?? 10) * 1000;
    const trying = async (): Promise<IntakeResult | undefined> => {
      for (;;) {
        try {
          return await intake.take(inbound);
        } catch (error) {
          if (!isStorageFailure(error)) {
            log({ level: 'error', event: 'hl7_message_failed', ...describeError(error) });
            return undefined;
          }
        }
        if (machine.now() + storeRetry >= deadline) return undefined;
        await pause(machine, storeRetry);
      }
    };
    const { promise, resolve, reject } = Promise.withResolvers<IntakeResult | undefined>();
    const cancel = machine.schedule(deadline, () => resolve(undefined));
    trying().then(resolve, reject);
    try {
      return await promise;
    } finally {
      cancel();
    }
  }

  return async (raw) => {
    const frame = frameOf(raw);
    if (!frame) return refuseUnreadable(raw);
    const prepared = await Promise.all(frame.messages.map(prepare));
    const verdicts: Verdict[] = [];
    for (const message of prepared) {
      const verdict = await take(message);
      verdicts.push(verdict);
      // The sender repeats the whole frame; messages applied before are repetitions then.
      if (verdict.outcome === 'unavailable') break;
    }
    if (frame.miscounted !== undefined) verdicts.push(await refuseMiscounted(raw, frame, frame.miscounted));
    return answerTo(frame, verdicts);
  };

  /** One acknowledgement for the whole frame; for a batch, it covers all of its messages. */
  function answerTo({ messages, batch }: Frame, verdicts: readonly Verdict[]): FrameAnswer {
    const due = verdicts.filter(({ code }) => code !== undefined);
    const [only, ...others] = due;
    if (!only) return { answer: undefined, outcome: 'no_answer_due' };
    const [{ header }] = messages;
    const worst = due.find(({ outcome }) => outcome === 'unavailable') ?? due.find(({ code }) => code !== 'AA') ?? only;
    const { outcome, reason, fault } = worst;
    const answered = { outcome, ...(reason !== undefined && { code: reason }) };
    if (others.length === 0 && only.answer !== undefined) return { answer: latin1(only.answer), ...answered };
    const isRejected = outcome === 'unavailable' || due.every((each) => each.code === 'AR');
    const code = isRejected ? 'AR' : worst.code === 'AA' ? 'AA' : 'AE';
    const faults = outcome === 'unavailable' && fault ? [fault] : collectFaults(messages, verdicts);
    const ids = { id: newId(), answered: findAckId(messages, batch), now: clock.now() };
    return { answer: latin1(writeAck(header, { code, faults }, ids)), ...answered };
  }

  /** Without a header the sender is unknown, and nothing is applied. The message is stored as refused, for a person to look at. */
  async function refuseUnreadable(raw: Buffer): Promise<FrameAnswer> {
    const fault = { place: 'MSH', number: 100, message: 'A message begins with MSH and its separators.' };
    const problem = { code: 'UNREADABLE', message: 'This is not an HL7 message.', place: 'MSH', hint: fault.message };
    await intake.take({ raw, format: 'hl7', read: toRefused(problem) }).catch(() => undefined);
    const none: Header = { separator: '|', encoding: '^~\\&', field: () => '' };
    const ids = { id: newId(), answered: '', now: clock.now() };
    return {
      answer: latin1(writeAck(none, { code: 'AR', faults: [fault] }, ids)),
      outcome: 'rejected',
      code: '100',
    };
  }

  /** A batch with missing or extra messages: present ones are applied, and a person should see that the batch is incomplete. */
  function refuseMiscounted(raw: Buffer, { messages, batch }: Frame, message: string): Promise<Verdict> {
    const header = batch ?? messages[0].header;
    const problem = { code: 'UNREADABLE', message, place: 'BTS-1', hint: 'Is the batch truncated?' };
    return judge({
      raw,
      key: createKey(header, findAckId(messages, batch), decode),
      format: 'hl7',
      read: toRefused(problem),
    });
  }
}

const latin1 = (text: string | undefined): Buffer | undefined =>
  text === undefined ? undefined : Buffer.from(text, 'latin1');

const toRefused = (problem: ReadMessage['problems'][number]): ReadMessage => ({
  format: 'hl7',
  exams: [],
  patients: [],
  problems: [problem],
  warnings: [],
});

const ignoredMessage: ReadMessage = {
  format: 'hl7',
  exams: [],
  patients: [],
  problems: [],
  warnings: ['Not read: the channel ignores this event (ignored_events).'],
};

const missingId: Verdict = {
  code: 'AE',
  outcome: 'refused',
  fault: {
    place: 'MSH-10',
    number: 101,
    message: 'The message has no id, so it cannot be acknowledged.',
  },
  reason: 'FIELD_REQUIRED',
};

const reject = (place: string, number: number, message: string): Verdict => ({
  code: 'AR',
  outcome: 'rejected',
  fault: { place, number, message },
  reason: String(number),
});

const rejectNow = (message: string): Verdict => ({
  code: 'AR',
  outcome: 'unavailable',
  fault: { number: 207, message },
  reason: '207',
});

/** The id to acknowledge: that of the message, or of a batch of several. */
const findAckId = ([{ header }, ...others]: Frame['messages'], batch: Header | undefined): string =>
  (others.length > 0 && batch?.field(11)) || header.field(10);

/** In a batch, each fault names its message. */
function collectFaults(messages: readonly FramedMessage[], verdicts: readonly Verdict[]): Fault[] {
  return verdicts.flatMap(({ fault }, at) => {
    if (!fault) return [];
    const { header } = messages[at] ?? {};
    const name = messages.length > 1 && header ? `Message ${header.field(10)}: ` : '';
    return [{ ...fault, message: `${name}${fault.message}` }];
  });
}

/** Type and event of a message as in the settings: `ADT^A01`, or `ADT` for all events. */
function listEvents(header: Header): readonly string[] {
  const [type = '', event = ''] = header.field(9).split(header.encoding[0] ?? '^');
  return [type, `${type}^${event}`];
}

/** The problem of an unreadable message; `undefined`: too many messages wait to be read. */
function toProblem(error: unknown): readonly Reading[] | undefined {
  if (!(error instanceof AppError)) throw error;
  const { code, message, hint } = error;
  if (code === 'SERVER_BUSY') return undefined;
  return [{ kind: 'problem', position: {}, message, ...(hint !== undefined && { hint }) }];
}

/** Whether the type or event is unsupported, as opposed to an order with an unsupported request. */
const isUnsupported = ({ isForeign, place = 'MSH-9' }: Problem): boolean =>
  isForeign === true && (place === 'MSH-9' || place === 'MSH-9.2');

const toContent = (outcome: IntakeOutcome): AcknowledgementContent =>
  outcome.state === 'taken' ? { code: 'AA' } : { code: 'AE', faults: [toFault(outcome.error)] };

/** Why the message is not for this server. */
function findMisdirection(
  header: Header,
  settings: Settings,
): [place: string, number: number, message: string] | undefined {
  const [component = '^'] = header.encoding;
  const first = (field: number): string => textBefore(header.field(field), component).trim();
  if (!/^(?:2(?:\.\d){0,2})?$/.test(first(12))) return ['MSH-12', 203, 'Only versions 2.1 to 2.9 are supported.'];
  const { receiving_application: application, receiving_facility: facility } = settings;
  const isOther = (field: number, wanted: string | undefined): boolean =>
    wanted !== undefined && bytesOf(wanted) !== first(field) && latinOf(wanted) !== first(field);
  if (!/^[PTD]?$/.test(first(11)))
    return ['MSH-11', 202, 'Only production (P), training (T) and debugging (D) are supported.'];
  if (isOther(5, application)) return ['MSH-5', 103, 'The message is for another application.'];
  if (isOther(6, facility)) return ['MSH-6', 103, 'The message is for another facility.'];
  return undefined;
}

/** A name as the bytes of a header may encode it. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');
const latinOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** Identifies the message or batch by its sender (MSH-3, MSH-4) and id (MSH-10). */
function createKey(header: Header, id: string, decode: ConversationDeps['decode']): string {
  const text = [header.field(3), header.field(4), id].join('|');
  return decode(text, header).slice(0, maxKeyLength);
}
