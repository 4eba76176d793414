/**
 * Applies received messages: effects, receipt and acknowledgement are one durable transaction. A message that cannot be applied
 * is stored as refused, for a person to look at. A repetition gets the earlier answer.
 */
import { hash as hashOf } from 'node:crypto';
import { isoNow } from '../../../../src/domain/clock.ts';
import type { FormatName } from '../../../../src/domain/worklist-formats.ts';
import { namedKey } from '../../../storage/collections.ts';
import type { Reader, Transaction } from '../../../storage/store.ts';
import type { Intake, OpenedChannel, Outcome, Sent, StoredMessage, Taken } from '../channel.ts';
import { checkRetry, messageOf } from '../message.ts';
import { awaitsOrder, messagesOfStep, orderToCome, readStep } from './performed-steps.ts';
import { readMessage } from './reading.ts';
import type { ReadMessage } from './reading.ts';
import { noteMessage } from '../standing.ts';
import { createTaking } from './taking.ts';
import type { Readers } from '../../../worklists/ingest/readers.ts';
import type { Apply, Done, TakingDeps } from './taking.ts';

export interface ChannelIntake extends Intake {
  /**
   * Reads a refused message again, with the current settings and mapping, and stores the outcome. NOT_FOUND, or
   * INVALID_TRANSITION if it is no longer open.
   */
  again(id: string, options?: Retrying): Promise<Taken>;
}

export interface Retrying {
  /** Whether the exams of the message move to the patient that it names. */
  readonly acceptsPatientChange?: boolean;
}

/** Maximum size in bytes of an accepted message that is stored with its bytes, until the retention ends. */
const mostKept = 16 * 1024;
const mostWarnings = 20;

/** A message that was applied. */
interface Applied extends Pick<Sent, 'raw' | 'key' | 'isPolled' | 'isForgotten' | 'step' | 'answer' | 'placeOf'> {
  readonly hash: string;
  readonly format: FormatName | undefined;
  /** The refused message that is being retried. */
  readonly former: StoredMessage | undefined;
}

export function createIntake(deps: TakingDeps & { readonly readers: Readers }, channel: OpenedChannel): ChannelIntake {
  const { store, clock, ids, readers } = deps;
  let loading: Promise<Apply> | undefined;

  async function write(sent: Sent, former?: StoredMessage, options: Retrying = {}): Promise<Taken> {
    const { raw, key, isPolled } = sent;
    const hash = hashOf('sha256', raw);
    const repeatOf = async (reader: Reader): Promise<Taken | undefined> => {
      // Only the transaction can know whether a retried message and its channel still exist.
      if (former) checkRetry(await messageOf(reader, former.id));
      const before = former || key === undefined ? undefined : await repetition(reader, channel.id, key, hash);
      // An exam may have changed since and changed back: polled messages are applied again.
      return isPolled && before?.state === 'taken' ? undefined : before;
    };
    const before = await repeatOf(store);
    if (before) return before;
    const found = sent.read ?? (await readSent(sent, former === undefined));
    const read = options.acceptsPatientChange ? acceptingPatients(found) : found;
    const apply = await (loading ??= createTaking(deps, channel));
    return apply(read, {
      known: repeatOf,
      finish: (tx, done) => finish(tx, done, { ...sent, hash, format: read.format, former }),
    });
  }

  const readSent = ({ raw, format, step }: Sent, isNew: boolean): Promise<ReadMessage> =>
    step ? readStep(store, channel, step, isNew) : readMessage(raw, format, channel, readers);

  /** Stores the message with its outcome. */
  async function finish(tx: Transaction, done: Done, applied: Applied): Promise<Taken> {
    const { raw, key, isPolled, isForgotten = false, hash, format, step, answer, placeOf } = applied;
    const named = applied.former || key === undefined ? undefined : await newestOf(tx, channel.id, key);
    const former = applied.former ?? (isPolled && named?.state === 'refused' ? named : undefined);
    if (named && !isPolled) done.warnings.push('Another message of the same id had other bytes; both were taken over.');
    const outcome = outcomeOf(done, placeOf);
    // A retry by the operator, or an unchanged polled message, is no new message.
    const { inserted, updated, statuses } = outcome.changes;
    const isNews = !isPolled || outcome.state === 'refused' || inserted + updated + statuses > 0;
    if (!applied.former && isNews) noteMessage(tx, clock, channel.id);
    if (isPolled && !former && outcome.state === 'taken') return { ...outcome, id: null, repeated: false };
    const text = answer?.(outcome) ?? former?.answer;
    const at = isoNow(clock);
    const isKept = !isForgotten && (outcome.state === 'refused' || raw.length <= mostKept);
    const isEarly = step !== undefined && awaitsOrder(outcome, step);
    const message: StoredMessage = {
      id: former?.id ?? ids('msg'),
      space: channel.space,
      channel_id: channel.id,
      direction: 'in',
      state: isEarly ? 'waiting' : outcome.state,
      at: former?.at ?? at,
      updated_at: at,
      key: key ?? null,
      error: isEarly ? orderToCome : outcome.state === 'refused' ? outcome.error : null,
      warnings: [...outcome.warnings],
      changes: outcome.changes,
      bytes: raw.length,
      format: format ?? unknownFormat,
      hash,
      ...(isKept && { content: Buffer.from(raw).toString('base64') }),
      ...(text !== undefined && { answer: text }),
      ...(step && { step }),
    };
    tx.put('messages', message);
    return { ...outcome, id: message.id, repeated: false, ...(text !== undefined && { answer: text }) };
  }

  return {
    take: (sent) => write(sent),
    stepsOf: async (instance) =>
      (await messagesOfStep(store, channel.id, instance)).flatMap(({ step }) => (step ? [step] : [])),
    withdraw: async (unnamed) => (await import('./withdrawing.ts')).withdraw(deps, channel, unnamed),
    readUntil: async () => (await store.get('settings', readUntilId(channel.id)))?.value as string | undefined,
    markRead: (value) => store.transact(async (tx) => tx.put('settings', { id: readUntilId(channel.id), value })),
    async again(id, options) {
      const message = await messageOf(store, id);
      checkRetry(message);
      const { key, format = unknownFormat, content = '' } = message;
      const sent: Sent = {
        raw: Buffer.from(content, 'base64'),
        ...(key !== null && { key }),
        ...(format !== unknownFormat && { format: format as FormatName }),
        ...(message.step && { step: message.step }),
      };
      return write(sent, message, options);
    },
  };
}

/** Id of the stored time up to which the other side was read. */
export const readUntilId = (channel: string): string => `read-until:${channel}`;

const unknownFormat = 'unknown';

/** The message with permission to move its exams to another patient. */
const acceptingPatients = (read: ReadMessage): ReadMessage => ({
  ...read,
  exams: read.exams.map(({ sent, ...exam }) => ({
    ...exam,
    sent: { ...sent, metadata: { ...(sent['metadata'] as object | undefined), accept_patient_change: true } },
  })),
});

function outcomeOf({ changes, warnings: all, refused, of }: Done, placeOf: Sent['placeOf']): Outcome {
  const warnings = [...new Set(all)].slice(0, mostWarnings);
  const [first, ...others] = refused;
  if (!first) return { state: 'taken', changes, warnings };
  const place = first.place === undefined ? undefined : (placeOf?.(first.place) ?? first.place);
  const message =
    others.length === 0 && of <= 1 ? first.message : `${first.message} (${refused.length} of ${of} were refused)`;
  return { state: 'refused', error: { ...first, message, ...(place !== undefined && { place }) }, changes, warnings };
}

async function repetition(reader: Reader, channel: string, key: string, hash: string): Promise<Taken | undefined> {
  const newest = await newestOf(reader, channel, key);
  if (!newest) return undefined;
  const before = newest.hash === hash ? newest : await sameOf(reader, channel, key, hash);
  if (!before) return undefined;
  const { id, error, answer, warnings } = before;
  const changes = before.changes ?? { inserted: 0, updated: 0, deduped: 0, statuses: 0 };
  const rest = { id, changes, warnings, repeated: true, ...(answer !== undefined && { answer }) };
  // A message that an operator dropped was refused before.
  return error ? { ...rest, state: 'refused', error } : { ...rest, state: 'taken' };
}

const sameOf = async (reader: Reader, channel: string, key: string, hash: string) =>
  (await reader.find('messages', { is: { repeated: `${namedKey(channel, key)}\n${hash}` }, limit: 1 }))[0];

/** The newest message with that key: a sender may restart its numbering each day. */
async function newestOf(reader: Reader, channel: string, key: string): Promise<StoredMessage | undefined> {
  return (await reader.find('messages', { is: { named: namedKey(channel, key) }, limit: 1 }))[0];
}
