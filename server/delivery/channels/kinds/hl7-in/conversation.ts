/** What becomes of the messages of a frame, and how they are acknowledged. Knows nothing of connections. */
import { AppError, isStorageFailure } from '../../../../../src/contract/errors.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import type { Frame, FramedMessage, Header } from '../../../../../src/files/worklist/hl7/frame.ts';
import type { Problem, Reading } from '../../../../../src/files/worklist/reading.ts';
import { anatomyOf } from '../../../../http/plugins/errors.ts';
import type { InboundDeps, Outcome, Sent, Taken } from '../../channel.ts';
import type { ReadMessage, Sort } from '../../receiving/reading.ts';
import { acknowledgement, faultOf } from './acknowledgement.ts';
import type { Code, Fault, Said } from './acknowledgement.ts';
import type { Hl7InSettings } from './settings.ts';
import { elementAt } from '../../../../../src/domain/elements.ts';
import { textBefore } from '../../../../../src/domain/text-before.ts';

/** What the listener tells the log of a message. */
export type Told = 'taken' | 'repeated' | 'refused' | 'rejected' | 'unavailable' | 'no_answer_due';

export interface Answered {
  /** `undefined`: acknowledgements are not acknowledged. */
  readonly answer: Buffer | undefined;
  readonly told: Told;
  /** The code of what is wrong. */
  readonly code?: string;
}

export interface ConversationDeps extends Pick<InboundDeps, 'intake' | 'clock' | 'log'> {
  /** MSH-10 of acknowledgements. */
  readonly newId: () => string;
  readonly frameOf: (raw: Uint8Array) => Frame | undefined;
  readonly read: (bytes: Uint8Array) => Promise<readonly Reading[]>;
  readonly sort: Sort;
  /** Where messages of that type have a field of the contract. */
  readonly placeOf: (type: string, field: string) => string | undefined;
}

type Settings = Pick<
  Hl7InSettings,
  'receiving_application' | 'receiving_facility' | 'answer_seconds' | 'ignored_events'
>;

/** Pause before the store is asked again, in ms. */
const storeRetry = 500;
const longestKey = 200;

/** What became of one message of a frame. `answer`: its acknowledgement of before, where it came again. */
interface Judged {
  readonly code: Code | undefined;
  readonly told: Told;
  readonly fault?: Fault;
  /** The code of what is wrong, for the log. */
  readonly reason?: string;
  readonly answer?: string;
}

/** What is known of a message before anything is stored. `readings`: `undefined` where the operator says that it concerns nobody. */
type Prepared = FramedMessage & {
  readonly readings: readonly Reading[] | undefined;
  readonly verdict: Judged | undefined;
};

function toVerdict(taken: Taken): Judged {
  const told = taken.repeated ? 'repeated' : taken.state;
  const kept = taken.answer !== undefined && { answer: taken.answer };
  if (taken.state === 'taken') return { code: 'AA', told, ...kept };
  const fault = faultOf(taken.error);
  return { code: 'AE', told, fault, ...kept, ...(!taken.repeated && { reason: taken.error.code }) };
}

export function createConversation(deps: ConversationDeps, settings: Settings): (raw: Buffer) => Promise<Answered> {
  const { intake, clock, log, newId, frameOf, read, sort, placeOf } = deps;
  const ignored = new Set(settings.ignored_events);

  /** A message for another system, or of a kind that is not read, is decided without the store. */
  async function prepare(message: FramedMessage): Promise<Prepared> {
    const { header, bytes } = message;
    const prepared = (readings: Prepared['readings'], verdict?: Judged): Prepared => ({
      ...message,
      readings,
      verdict,
    });
    const wrong = strangerIn(header, settings);
    if (wrong) return prepared([], rejected(...wrong));
    if (eventsOf(header).some((event) => ignored.has(event)))
      return header.field(10) === '' ? prepared([], unnamed) : prepared(undefined);
    const readings = await read(bytes).catch(asReading);
    if (!readings) return prepared([], unavailable('The server has too many messages to read now. Send it again.'));
    if (readings.length === 0) return prepared([], { code: undefined, told: 'no_answer_due' });
    const foreign = readings.find((reading): reading is Problem => reading.kind === 'problem' && isForeign(reading));
    if (foreign) {
      const { place = 'MSH-9', message: text, hint } = foreign;
      const number = place === 'MSH-9.2' ? 201 : 200;
      return prepared([], rejected(place, number, hint === undefined ? text : `${text} ${hint}`));
    }
    return header.field(10) === '' ? prepared([], unnamed) : prepared(readings);
  }

  async function take({ header, bytes, readings, verdict }: Prepared): Promise<Judged> {
    if (verdict) return verdict;
    const [type = ''] = header.field(9).split(header.encoding[0] ?? '^');
    const ids = { id: newId(), answered: header.field(10) };
    return judge({
      raw: bytes,
      key: keyOf(header, header.field(10)),
      format: 'hl7',
      read: readings ? sort(readings, 'hl7') : ofNobody,
      isForgotten: readings === undefined,
      placeOf: (field) => placeOf(type, field),
      answer: (outcome) => acknowledgement(header, saidOf(outcome), { ...ids, now: clock.now() }),
    });
  }

  async function judge(sent: Sent): Promise<Judged> {
    const taken = await takenInTime(sent);
    return taken ? toVerdict(taken) : unavailable('The server cannot store the message now. Send it again.');
  }

  /** `undefined` where the store did not take the message until the deadline; what it takes later is a repetition then. */
  async function takenInTime(sent: Sent): Promise<Taken | undefined> {
    const machine = machineClockOf(clock);
    const deadline = machine.now() + (settings.answer_seconds ?? 10) * 1000;
    const until = (at: number) => {
      const { promise, resolve } = Promise.withResolvers<undefined>();
      return { promise, callOff: machine.schedule(at, () => resolve(undefined)) };
    };
    const late = until(deadline);
    const trying = async (): Promise<Taken | undefined> => {
      for (;;) {
        try {
          return await intake.take(sent);
        } catch (error) {
          if (!isStorageFailure(error)) {
            log({ level: 'error', event: 'hl7_message_failed', ...anatomyOf(error) });
            return undefined;
          }
        }
        const next = machine.now() + storeRetry;
        if (next >= deadline) return undefined;
        await until(next).promise;
      }
    };
    try {
      return await Promise.race([trying(), late.promise]);
    } finally {
      late.callOff();
    }
  }

  return async (raw) => {
    const frame = frameOf(raw);
    if (!frame) return refuseStranger(raw);
    const prepared = await Promise.all(frame.messages.map(prepare));
    const judged: Judged[] = [];
    for (const message of prepared) {
      const verdict = await take(message);
      judged.push(verdict);
      // The sender repeats the whole frame, and what is taken already is a repetition then.
      if (verdict.told === 'unavailable') break;
    }
    if (frame.miscounted !== undefined) judged.push(await refuseMiscounted(raw, frame, frame.miscounted));
    return answerTo(frame, judged);
  };

  /** One acknowledgement for the whole frame: of a batch, of what became of all of its messages. */
  function answerTo({ messages, batch }: Frame, judged: readonly Judged[]): Answered {
    const due = judged.filter(({ code }) => code !== undefined);
    const [only, ...others] = due;
    if (!only) return { answer: undefined, told: 'no_answer_due' };
    const { header } = elementAt(messages, 0);
    const worst = due.find(({ told }) => told === 'unavailable') ?? due.find(({ code }) => code !== 'AA') ?? only;
    const { told, reason } = worst;
    const answered = { told, ...(reason !== undefined && { code: reason }) };
    if (others.length === 0 && only.answer !== undefined) return { answer: latin1(only.answer), ...answered };
    const isRejected = worst.told === 'unavailable' || due.every(({ code }) => code === 'AR');
    const code = isRejected ? 'AR' : worst.code === 'AA' ? 'AA' : 'AE';
    const faults = isRejected && worst.told === 'unavailable' ? [worst.fault!] : faultsOf(messages, judged);
    const ids = { id: newId(), answered: idOf(messages, batch), now: clock.now() };
    return { answer: latin1(acknowledgement(header, { code, faults }, ids)), ...answered };
  }

  /** Without a header nobody can be answered by name; somebody should see it all the same, and nothing of it is stored. */
  async function refuseStranger(raw: Buffer): Promise<Answered> {
    const fault = { place: 'MSH', number: 100, message: 'A message begins with MSH and its separators.' };
    const problem = { code: 'UNREADABLE', message: 'It is no HL7 message.', place: 'MSH', hint: fault.message };
    await intake.take({ raw, format: 'hl7', read: refusedAs(problem) }).catch(() => undefined);
    const none: Header = { separator: '|', encoding: '^~\\&', field: () => '' };
    const ids = { id: newId(), answered: '', now: clock.now() };
    return {
      answer: latin1(acknowledgement(none, { code: 'AR', faults: [fault] }, ids)),
      told: 'rejected',
      code: '100',
    };
  }

  /** Messages of a batch are missing, or too many: what is there is taken, and somebody should see that it is not all. */
  function refuseMiscounted(raw: Buffer, { messages, batch }: Frame, message: string): Promise<Judged> {
    const header = batch ?? elementAt(messages, 0).header;
    const problem = { code: 'UNREADABLE', message, place: 'BTS-1', hint: 'Is the batch cut off?' };
    return judge({ raw, key: keyOf(header, idOf(messages, batch)), format: 'hl7', read: refusedAs(problem) });
  }
}

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

const refusedAs = (problem: ReadMessage['problems'][number]): ReadMessage => ({
  format: 'hl7',
  exams: [],
  patients: [],
  problems: [problem],
  warnings: [],
});

const ofNobody: ReadMessage = {
  format: 'hl7',
  exams: [],
  patients: [],
  problems: [],
  warnings: ['The channel ignores such messages (ignored_events); it was not read.'],
};

const unnamed: Judged = {
  code: 'AE',
  told: 'refused',
  fault: {
    place: 'MSH-10',
    number: 101,
    message: 'The message has no id, by which it could be acknowledged.',
  },
  reason: 'FIELD_REQUIRED',
};

const rejected = (place: string, number: number, message: string): Judged => ({
  code: 'AR',
  told: 'rejected',
  fault: { place, number, message },
  reason: String(number),
});

const unavailable = (message: string): Judged => ({
  code: 'AR',
  told: 'unavailable',
  fault: { number: 207, message },
  reason: '207',
});

/** What an acknowledgement is for: the message, or the batch of several. */
const idOf = ([first, ...others]: readonly FramedMessage[], batch: Header | undefined): string =>
  (others.length > 0 && batch?.field(11)) || first!.header.field(10);

/** Of several messages each fault names the message. */
function faultsOf(messages: readonly FramedMessage[], judged: readonly Judged[]): Fault[] {
  return judged.flatMap(({ fault }, at) => {
    if (!fault) return [];
    const { header } = messages[at] ?? {};
    const name = messages.length > 1 && header ? `Message ${header.field(10)}: ` : '';
    return [{ ...fault, message: `${name}${fault.message}` }];
  });
}

/** The type and event of a message, as settings name them: `ADT^A01`, or of all events `ADT`. */
function eventsOf(header: Header): readonly string[] {
  const [type = '', event = ''] = header.field(9).split(header.encoding[0] ?? '^');
  return [type, `${type}^${event}`];
}

/** What a message that cannot be read at all comes to; `undefined` where too many wait to be read. */
function asReading(error: unknown): readonly Reading[] | undefined {
  if (!(error instanceof AppError)) throw error;
  const { code, message, hint } = error;
  if (code === 'SERVER_BUSY') return undefined;
  return [{ kind: 'problem', position: {}, message, ...(hint !== undefined && { hint }) }];
}

/** Of a type or an event that is not read, as opposed to an order that asks for something that is not done. */
const isForeign = ({ isForeign, place = 'MSH-9' }: Problem): boolean =>
  isForeign === true && (place === 'MSH-9' || place === 'MSH-9.2');

const saidOf = (outcome: Outcome): Said =>
  outcome.state === 'taken' ? { code: 'AA' } : { code: 'AE', faults: [faultOf(outcome.error)] };

/** Why the message is not for this server. */
function strangerIn(header: Header, settings: Settings): [place: string, number: number, message: string] | undefined {
  const [component = '^'] = header.encoding;
  const first = (field: number): string => textBefore(header.field(field), component).trim();
  if (!/^(?:2(?:\.\d){0,2})?$/.test(first(12))) return ['MSH-12', 203, 'Versions 2.1 to 2.9 are read.'];
  const { receiving_application: application, receiving_facility: facility } = settings;
  const isOther = (field: number, wanted: string | undefined): boolean =>
    wanted !== undefined && bytesOf(wanted) !== first(field) && latinOf(wanted) !== first(field);
  if (!/^[PTD]?$/.test(first(11))) return ['MSH-11', 202, 'Production (P), training (T) and debugging (D) are read.'];
  if (isOther(5, application)) return ['MSH-5', 103, 'The message is for another application.'];
  if (isOther(6, facility)) return ['MSH-6', 103, 'The message is for another facility.'];
  return undefined;
}

/** A name as the bytes of a header may have it. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');
const latinOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** By what the sender names the message (MSH-3, MSH-4, MSH-10), or the batch. */
function keyOf(header: Header, id: string): string {
  const text = [header.field(3), header.field(4), id].map((name) => Buffer.from(name, 'latin1').toString('utf8'));
  return text.join('|').slice(0, longestKey);
}
