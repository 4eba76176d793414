/** What becomes of one message, and how it is acknowledged. Knows nothing of connections. */
import { AppError } from '../../../src/contract/errors.ts';
import { machineOf } from '../../../src/domain/clock.ts';
import type { Problem, Reading } from '../../../src/worklist-files/reading.ts';
import { anatomyOf } from '../../plugins/errors.ts';
import type { InboundDeps, Outcome, Sent, Taken } from '../channel.ts';
import type { Sort } from '../reading.ts';
import { acknowledgement, headerOf, refusalOf } from './acknowledgement.ts';
import type { Header, Said } from './acknowledgement.ts';
import type { Hl7InSettings } from './settings.ts';

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
  readonly read: (bytes: Uint8Array) => Promise<readonly Reading[]>;
  readonly sort: Sort;
  /** Where messages of that type have a field of the contract. */
  readonly placeOf: (type: string, field: string) => string | undefined;
}

type Settings = Pick<Hl7InSettings, 'receiving_application' | 'receiving_facility' | 'answer_seconds'>;

/** Pause before the store is asked again, in ms. */
const storeRetry = 500;
const longestKey = 200;

export function createConversation(deps: ConversationDeps, settings: Settings): (raw: Buffer) => Promise<Answered> {
  const { intake, clock, log, newId, read, sort, placeOf } = deps;

  async function answerTo(raw: Buffer, header: Header): Promise<Answered> {
    const id = newId();
    const written = (said: Said): string => acknowledgement(header, said, { id, now: clock.now() });
    const bytes = (text: string): Buffer => Buffer.from(text, 'latin1');
    const rejected = (place: string, number: number, message: string): Answered => ({
      answer: bytes(written({ code: 'AR', error: { place, number, message } })),
      told: 'rejected',
      code: String(number),
    });
    const unavailable = (message: string): Answered => ({
      answer: bytes(written({ code: 'AR', error: { number: 207, message } })),
      told: 'unavailable',
      code: '207',
    });
    const wrong = strangerIn(header, settings);
    if (wrong) return rejected(...wrong);
    const readings = await read(raw).catch(asReading);
    if (!readings) return unavailable('The server has too many messages to read now. Send it again.');
    if (readings.length === 0) return { answer: undefined, told: 'no_answer_due' };
    const foreign = readings.find((reading): reading is Problem => reading.kind === 'problem' && isForeign(reading));
    if (foreign) {
      const { place = 'MSH-9', message, hint } = foreign;
      return rejected(place, place === 'MSH-9.2' ? 201 : 200, hint === undefined ? message : `${message} ${hint}`);
    }
    if (header.field(10) === '') {
      const error = {
        place: 'MSH-10',
        number: 101,
        message: 'The message has no id, by which it could be acknowledged.',
      };
      return { answer: bytes(written({ code: 'AE', error })), told: 'refused', code: 'FIELD_REQUIRED' };
    }
    const [type = ''] = header.field(9).split(header.encoding[0] ?? '^');
    const sent: Sent = {
      raw,
      key: keyOf(header),
      format: 'hl7',
      read: sort(readings, 'hl7'),
      placeOf: (field) => placeOf(type, field),
      answer: (outcome) => written(saidOf(outcome)),
    };
    const taken = await takenInTime(sent);
    if (!taken) return unavailable('The server cannot store the message now. Send it again.');
    const answer = bytes(taken.answer ?? written(saidOf(taken)));
    if (taken.repeated) return { answer, told: 'repeated' };
    return { answer, told: taken.state, ...(taken.state === 'refused' && { code: taken.error.code }) };
  }

  /** `undefined` where the store did not take the message until the deadline; what it takes later is a repetition then. */
  async function takenInTime(sent: Sent): Promise<Taken | undefined> {
    const machine = machineOf(clock);
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
          if (!(error instanceof AppError) || error.code !== 'STORAGE_UNAVAILABLE') {
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
    const header = headerOf(raw);
    if (header) return answerTo(raw, header);
    // Without a header nobody can be answered by name; somebody should see it all the same.
    await intake.take({ raw, format: 'hl7' }).catch(() => undefined);
    const none: Header = { separator: '|', encoding: '^~\\&', field: () => '' };
    const error = { place: 'MSH', number: 100, message: 'A message begins with MSH and its separators.' };
    const text = acknowledgement(none, { code: 'AR', error }, { id: newId(), now: clock.now() });
    return { answer: Buffer.from(text, 'latin1'), told: 'rejected', code: '100' };
  };
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

const saidOf = (outcome: Outcome): Said => (outcome.state === 'taken' ? { code: 'AA' } : refusalOf(outcome.error));

/** Why the message is not for this server. */
function strangerIn(header: Header, settings: Settings): [place: string, number: number, message: string] | undefined {
  const [component = '^'] = header.encoding;
  const first = (field: number): string => header.field(field).split(component)[0]!.trim();
  if (!/^(?:2(?:\.\d){0,2})?$/.test(first(12))) return ['MSH-12', 203, 'Versions 2.1 to 2.9 are read.'];
  const { receiving_application: application, receiving_facility: facility } = settings;
  const isOther = (field: number, wanted: string | undefined): boolean =>
    wanted !== undefined && bytesOf(wanted) !== first(field) && latinOf(wanted) !== first(field);
  if (isOther(5, application)) return ['MSH-5', 103, 'The message is for another application.'];
  if (isOther(6, facility)) return ['MSH-6', 103, 'The message is for another facility.'];
  return undefined;
}

/** A name as the bytes of a header may have it. */
const bytesOf = (text: string): string => Buffer.from(text).toString('latin1');
const latinOf = (text: string): string => Buffer.from(text, 'latin1').toString('latin1');

/** By what the sender names the message (MSH-3, MSH-4, MSH-10). */
function keyOf(header: Header): string {
  const text = [3, 4, 10].map((field) => Buffer.from(header.field(field), 'latin1').toString('utf8')).join('|');
  return text.slice(0, longestKey);
}
