/**
 * Applies received messages: effects, receipt and acknowledgement are one durable transaction. A message that cannot be applied
 * is stored as refused, for a person to look at. A repetition gets the earlier answer.
 */
import { hash as hashOf } from 'node:crypto';
import { maxBatchItems } from '../../../../src/contract/worklist.ts';
import { findEntry } from '../../../../src/domain/find-entry.ts';
import { isoNow } from '../../../../src/domain/clock.ts';
import type { FormatName } from '../../../../src/domain/worklist-formats.ts';
import { namedKey } from '../../../storage/collections.ts';
import type { Actor } from '../../../storage/actor.ts';
import type { Reader, Transaction } from '../../../storage/store.ts';
import { channelNotes } from '../channel.ts';
import type { ChannelNote } from '../channel.ts';
import type { Intake, ChannelConfig, IntakeOutcome, InboundMessage, StoredMessage, IntakeResult } from '../channel.ts';
import { checkRetry, getMessage } from '../message.ts';
import { awaitsOrder, canFollow, findSteps, orderPending, readStep } from './performed-steps.ts';
import { readMessage } from './read-message.ts';
import { remedies } from './remedies.ts';
import type { ReadExam, ReadMessage } from './read-message.ts';
import { recordMessageTime } from '../backlog.ts';
import { createMessageApplier } from './apply-message.ts';
import type { ChannelReaders } from './channel-readers.ts';
import { createReportIntake } from './report-intake.ts';
import type { ApplyMessage, ApplyResult, ApplierDeps } from './apply-message.ts';

export interface ChannelIntake extends Intake {
  /**
   * Reads a refused message again, with the current settings and mapping, and stores the outcome. NOT_FOUND, or
   * INVALID_TRANSITION if it is no longer open.
   */
  retry(id: string, options?: RetryOptions): Promise<IntakeResult>;
}

export interface RetryOptions {
  /** Whether the exams of the message move to the patient that it names. */
  readonly acceptsPatientChange?: boolean;
  /** Who retries it, for the audit trail. */
  readonly actor?: () => Actor;
}

/** Maximum size in bytes of an accepted message that is stored with its bytes, until the retention ends. */
const maxStoredBytes = 16 * 1024;
const maxWarnings = 20;

/** A message that was applied. */
interface AppliedMessage extends Pick<
  InboundMessage,
  'raw' | 'key' | 'isPolled' | 'isForgotten' | 'step' | 'answer' | 'placeOf'
> {
  readonly hash: string;
  readonly format: FormatName | undefined;
  readonly subject: StoredMessage['subject'];
  /** The refused message that is being retried. */
  readonly retried: StoredMessage | undefined;
  /** The newest message of the same id. */
  readonly named: StoredMessage | undefined;
}

/** Earlier messages of the same id. */
interface MessageBefore {
  /** The newest message of the same id. */
  readonly named?: StoredMessage | undefined;
  /** The outcome of the same message; then it isn't applied. */
  readonly before?: IntakeResult | undefined;
}

export function createIntake(
  deps: ApplierDeps & { readonly readers: ChannelReaders },
  channel: ChannelConfig,
): ChannelIntake {
  const { store, clock, ids, readers } = deps;
  let loading: Promise<ApplyMessage> | undefined;

  async function write(
    inbound: InboundMessage,
    retried?: StoredMessage,
    options: RetryOptions = {},
  ): Promise<IntakeResult> {
    const { raw, key, isPolled, step } = inbound;
    const hash = hashOf('sha256', raw);
    const isNew = retried === undefined;
    const findBefore = async (reader: Reader): Promise<MessageBefore> => {
      if (step && isNew && !(await canFollow(reader, channel, step))) return { before: alreadyThere };
      // Only the transaction can know whether a retried message and its channel still exist.
      if (retried) checkRetry(await getMessage(reader, retried.id));
      if (retried || key === undefined) return {};
      const named = await findNewest(reader, channel, key);
      const before = named && (await findEarlierResult(reader, named, key, hash));
      // An exam may have changed since and changed back: polled messages are applied again.
      return isPolled && before?.state === 'taken' ? { named } : { named, before };
    };
    // The transaction looks for the message anyway: before it, that only saves reading it, or applying a part of it.
    const isCheap = inbound.read && inbound.read.exams.length <= maxBatchItems;
    const early = isCheap ? undefined : (await findBefore(store)).before;
    if (early) return early;
    const found = inbound.read ?? (await readInbound(inbound, store, isNew));
    const read = options.acceptsPatientChange ? acceptPatientChanges(found) : found;
    const apply = await (loading ??= createMessageApplier(deps, channel));
    const subject = readSubject(read);
    let named: StoredMessage | undefined;
    return apply(read, {
      async findRepetition(tx) {
        const found = await findBefore(tx);
        ({ named } = found);
        return found.before;
      },
      ...(step && { readAgain: (tx: Transaction) => readInbound(inbound, tx, isNew) }),
      actor: options.actor,
      finish: (tx, done) => finish(tx, done, { ...inbound, hash, format: read.format, subject, retried, named }),
    });
  }

  const readInbound = ({ raw, format, step }: InboundMessage, reader: Reader, isNew: boolean): Promise<ReadMessage> =>
    step ? readStep(reader, channel, step, isNew) : readMessage(raw, format, channel, readers);

  /** Stores the message with its outcome. */
  async function finish(tx: Transaction, done: ApplyResult, applied: AppliedMessage): Promise<IntakeResult> {
    const { raw, key, isPolled, isForgotten = false, hash, format, subject, step, answer, placeOf, named } = applied;
    const previous = applied.retried ?? (isPolled && named?.state === 'refused' ? named : undefined);
    if (named && !isPolled) done.warnings.push('Another message of the same id had other bytes; both were taken over.');
    const outcome = toOutcome(done, placeOf);
    // A retry by the operator, or an unchanged polled message, is no new message.
    const { inserted, updated, statuses } = outcome.changes;
    const isNews = !isPolled || outcome.state === 'refused' || inserted + updated + statuses > 0;
    if (!applied.retried && isNews) await recordMessageTime(tx, clock, channel.id);
    if (isPolled && !previous && outcome.state === 'taken') return { ...outcome, id: null, repeated: false };
    // Who repeats a message that was mended since must hear that it is taken.
    const text = answer?.(outcome) ?? (outcome.state === 'refused' ? previous?.answer : undefined);
    const at = isoNow(clock);
    const isKept = !isForgotten && (outcome.state === 'refused' || raw.length <= maxStoredBytes);
    const isEarly = step !== undefined && awaitsOrder(outcome, step);
    const message: StoredMessage = {
      id: previous?.id ?? ids('msg'),
      space: channel.space,
      channel_id: channel.id,
      direction: 'in',
      state: isEarly ? 'waiting' : outcome.state,
      at: previous?.at ?? at,
      updated_at: at,
      key: key ?? null,
      error: isEarly ? orderPending : outcome.state === 'refused' ? outcome.error : null,
      warnings: [...outcome.warnings],
      changes: outcome.changes,
      bytes: raw.length,
      format: format ?? unknownFormat,
      hash,
      ...(isKept && { content: Buffer.from(raw.buffer, raw.byteOffset, raw.length).toString('base64') }),
      ...(text !== undefined && { answer: text }),
      ...(step && { step }),
      ...(subject && { subject }),
    };
    tx.put('messages', message);
    return { ...outcome, id: message.id, repeated: false, ...(text !== undefined && { answer: text }) };
  }

  return {
    ...createReportIntake(deps, channel, (refused) => write(refused)),
    take: (inbound) => write(inbound),
    findSteps: (instance) => findSteps(store, channel.id, instance),
    cancelMissing: async (unnamed) => (await import('./cancel-missing.ts')).cancelMissing(deps, channel, unnamed),
    readUntil: async () => (await store.get('settings', readUntilId(channel.id)))?.value as string | undefined,
    markRead: (value) => store.transact(async (tx) => tx.put('settings', { id: readUntilId(channel.id), value })),
    recall: async (note) => (await store.get('settings', noteId(channel.id, note)))?.value,
    remember: (note, value) =>
      store.transact(async (tx) => {
        const id = noteId(channel.id, note);
        if (value === undefined) tx.remove('settings', id);
        else tx.put('settings', { id, value });
      }),
    async retry(id, options) {
      const message = await getMessage(store, id);
      checkRetry(message);
      const { key, format = unknownFormat, content = '' } = message;
      const inbound: InboundMessage = {
        raw: Buffer.from(content, 'base64'),
        ...(key !== null && { key }),
        ...(format !== unknownFormat && { format: format as FormatName }),
        ...(message.step && { step: message.step }),
      };
      return write(inbound, message, options);
    },
  };
}

/** Id of the stored time up to which the other side was read. */
export const readUntilId = (channel: string): string => `read-until:${channel}`;

export const noteId = (channel: string, note: ChannelNote): string => `${note}:${channel}`;

/** Ids of all that is stored of a channel in the settings. */
export const channelSettingIds = (channel: string): readonly string[] => [
  readUntilId(channel),
  ...channelNotes.map((note) => noteId(channel, note)),
];

const unknownFormat = 'unknown';

/** Another message of the step came first. */
const alreadyThere: IntakeResult = {
  state: 'taken',
  changes: { inserted: 0, updated: 0, deduped: 0, statuses: 0 },
  warnings: [],
  id: null,
  repeated: true,
};

/** Exams of a message by which it is found. */
const maxSubjects = 100;

/** Operators look for the message by these. */
function readSubject({ exams, patients, unread = [] }: ReadMessage): StoredMessage['subject'] {
  const patientIds = new Set<string>();
  const accessionNumbers = new Set<string>();
  const note = (names: Set<string>, value: unknown): void => {
    if (typeof value === 'string' && value !== '' && names.size < maxSubjects) names.add(value);
  };
  const noteExam = ({ item: { patient_id, accession_number } }: Pick<ReadExam, 'item'>): void => {
    note(patientIds, patient_id);
    note(accessionNumbers, accession_number);
  };
  for (const exam of [...exams, ...unread]) noteExam(exam);
  for (const { patient, merged } of patients) {
    note(patientIds, patient.patient_id);
    note(patientIds, merged?.patient_id);
  }
  return { patient_ids: [...patientIds], accession_numbers: [...accessionNumbers] };
}

/** The message with permission to move its exams to another patient. */
const acceptPatientChanges = (read: ReadMessage): ReadMessage => ({
  ...read,
  exams: read.exams.map(({ item, ...exam }) => ({
    ...exam,
    item: { ...item, metadata: { ...(item['metadata'] as object | undefined), accept_patient_change: true } },
  })),
});

function toOutcome(
  { changes, warnings: all, refused, total: of }: ApplyResult,
  placeOf: InboundMessage['placeOf'],
): IntakeOutcome {
  const warnings = [...new Set(all)].slice(0, maxWarnings);
  const [first, ...others] = refused;
  if (!first) return { state: 'taken', changes, warnings };
  const place = first.place === undefined ? undefined : (placeOf?.(first.place) ?? first.place);
  const message =
    others.length === 0 && of <= 1 ? first.message : `${first.message} (${refused.length} of ${of} were refused)`;
  const hint = first.hint ?? findEntry(remedies, first.code);
  return {
    state: 'refused',
    error: { ...first, message, ...(place !== undefined && { place }), ...(hint !== undefined && { hint }) },
    changes,
    warnings,
  };
}

/** The outcome of the same message under that key, of which `newest` is the newest. */
async function findEarlierResult(
  reader: Reader,
  newest: StoredMessage,
  key: string,
  hash: string,
): Promise<IntakeResult | undefined> {
  const before = newest.hash === hash ? newest : await findIdentical(reader, newest.channel_id, key, hash);
  if (!before) return undefined;
  const { id, error, answer, warnings } = before;
  const changes = before.changes ?? { inserted: 0, updated: 0, deduped: 0, statuses: 0 };
  const rest = { id, changes, warnings, repeated: true, ...(answer !== undefined && { answer }) };
  if (!error) return { ...rest, state: 'taken' };
  // An operator decided that a dropped message is done: a sender that repeats what was refused must go on.
  const { answer: _, ...settled } = rest;
  return before.state === 'dropped' ? { ...settled, state: 'taken' } : { ...rest, state: 'refused', error };
}

const findIdentical = async (reader: Reader, channel: string, key: string, hash: string) =>
  (await reader.find('messages', { is: { repeated: `${namedKey(channel, key)}\n${hash}` }, limit: 1 }))[0];

/** The newest message with that key: a sender may restart its numbering each day. */
async function findNewest(
  reader: Reader,
  { id, space }: Pick<ChannelConfig, 'id' | 'space'>,
  key: string,
): Promise<StoredMessage | undefined> {
  return (await reader.findEach('messages', 'named', space, [namedKey(id, key)]))[0];
}
