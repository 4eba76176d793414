/** Applies a message in one transaction: its exams, their status changes, and changes of patients. */
import type { MessageChanges, MessageError } from '../../../../src/contract/channel-message.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { isTestClient } from '../../../../src/contract/oauth.ts';
import { maxBatchItems, WorklistItemInput } from '../../../../src/contract/worklist.ts';
import type { IngestError, IngestOutcome } from '../../../../src/contract/worklist.ts';
import { isoNow } from '../../../../src/domain/clock.ts';
import type { OrderChange } from '../../../../src/sending/order-changes.ts';
import type { Compile } from '../../../runtime/validation.ts';
import type { DeliveryDeps } from '../../deps.ts';
import { serviceActor } from '../../../storage/actor.ts';
import type { Actor } from '../../../storage/actor.ts';
import type { Transaction } from '../../../storage/store.ts';
import { ingest, readBatch } from '../../../worklists/ingest/ingest.ts';
import { moveItem } from '../../../worklists/item-status.ts';
import type { Arrival } from '../../../worklists/ingest/merge.ts';
import { changePatient } from '../../../worklists/patients/patient-change.ts';
import type { ChannelConfig } from '../channel.ts';
import type { ReadExam, ReadMessage } from './read-message.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

export interface ApplierDeps extends Pick<DeliveryDeps, 'store' | 'clock' | 'ids'> {
  readonly compile: Compile;
}

/** Running totals of applying a message. */
export interface ApplyResult {
  readonly changes: MessageChanges;
  readonly warnings: string[];
  readonly refused: MessageError[];
  /** How many exams, patients and problems the message had. */
  readonly total: number;
}

type Batch = Awaited<ReturnType<typeof readBatch>>;
type BatchResult = Omit<ApplyResult, 'total'>;

/** Exams of a message that are applied together. */
interface Step {
  readonly exams: readonly ReadExam[];
  readonly batch: Batch;
  readonly isAddition: boolean;
}

const createServiceActor = () => serviceActor('channels.take');

/** Runs before and after the message is applied, in the same transaction. */
export interface ApplyHooks<T> {
  /** Returns the outcome if the message was applied before: then it is not applied. */
  findRepetition(tx: Transaction): Promise<T | undefined>;
  /** The message as far as stored documents decide what it changes; at most one batch. Default: as it was read. */
  readAgain?(tx: Transaction): Promise<ReadMessage>;
  finish(tx: Transaction, done: ApplyResult): Promise<T>;
  /** Who has it applied, for the audit trail. Default: the service, when it arrives. */
  readonly actor?: (() => Actor) | undefined;
}
export type ApplyMessage = <T>(message: ReadMessage, hooks: ApplyHooks<T>) => Promise<T>;

export async function createMessageApplier(
  { store, clock, ids, compile }: ApplierDeps,
  channel: ChannelConfig,
): Promise<ApplyMessage> {
  const [{ effectiveChange, isRepeated, needsLookup, statusAfter, orderReasons }, { adviceFor }] = await Promise.all([
    import('../../../../src/sending/order-changes.ts'),
    import('../../../../src/files/worklist/advice.ts'),
  ]);
  const rules = { validate: compile(WorklistItemInput), testMode: isTestClient(channel.space) };
  const arrival = (isAddition = false): Arrival => ({
    space: channel.space,
    source_system: isAddition ? null : channel.name,
    who: channel.name,
    at: isoNow(clock),
  });

  /** A refusal says which line of the mapping would help, if one would. */
  const createErrors = (errors: readonly IngestError[], exams: readonly ReadExam[]): MessageError[] =>
    errors.map(({ index, error: code, message, field }) => {
      const { sent } = elementAt(exams, index);
      const hint = sent && adviceFor({ code, field, message }, sent);
      return { code, message, ...(field !== '' && { place: field }), ...(hint !== undefined && { hint }) };
    });

  /** Reports errors per item: ingest itself throws if no item of a batch is valid. */
  async function ingestExams(tx: Transaction, { exams, batch, isAddition }: Step): Promise<BatchResult> {
    try {
      const { inserted, updated, deduped, errors, items } = await ingest(tx, ids, batch, arrival(isAddition));
      const refusedAt = new Set(errors.map(({ index }) => index));
      const taken = exams.filter((_, index) => !refusedAt.has(index));
      const warnings = items.flatMap((item) => (item.warnings ?? []).map(({ message }) => message));
      let statuses = 0;
      for (const [at, exam] of taken.entries()) {
        const outcome = elementAt(items, at);
        if (!exam.order || !needsLookup(exam.order, outcome)) continue;
        // The status changed in the transaction of the cancelling message.
        if (exam.order.status === 'cancelled' && isRepeated(outcome)) continue;
        const followed = await followOrder(tx, effectiveChange(exam.order, outcome), outcome);
        if (followed === 'moved') statuses += 1;
        else if (followed) warnings.push(followed);
      }
      return { changes: { inserted, updated, deduped, statuses }, warnings, refused: createErrors(errors, exams) };
    } catch (error) {
      const refused = refusedIn(error);
      if (!refused) throw error;
      return { changes: noChanges(), warnings: [], refused: createErrors(refused, exams) };
    }
  }

  /** Applies the orders of an exam. Returns a warning if the status of the exam forbids that. */
  async function followOrder(
    tx: Transaction,
    order: OrderChange,
    { id }: IngestOutcome,
  ): Promise<'moved' | string | undefined> {
    const stored = id === undefined ? undefined : await tx.get('items', id);
    const status = stored && statusAfter(order, stored);
    if (order.status === 'cancelled' && stored && !status) return 'Another order of the exam is in force.';
    if (!status || stored.status === status) return undefined;
    try {
      const reason = orderReasons[status];
      const mover = { who: channel.name, holder: null, reason, source_system: channel.name };
      await moveItem(tx, { clock, ids }, stored, status, mover);
      return 'moved';
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'INVALID_TRANSITION') throw error;
      return `The order is ${status}, but the exam is ${stored.status} and stays so.`;
    }
  }

  // Larger messages are applied in batches; a retry repeats them without effect.
  return async ({ exams, patients, problems, warnings, isAddition = false }, hooks) => {
    const { findRepetition, readAgain, finish, actor = createServiceActor } = hooks;
    const done: ApplyResult = {
      changes: noChanges(),
      warnings: [...warnings],
      refused: [...problems],
      total: exams.length + patients.length + problems.length,
    };
    const toStep = async (some: readonly ReadExam[]): Promise<Step> => {
      const items = some.map(({ item }) => item);
      return { exams: some, isAddition, batch: withResources(await readBatch(items, rules), some) };
    };
    const steps: Step[] = [];
    for (let at = 0; at < exams.length; at += maxBatchItems) {
      steps.push(await toStep(exams.slice(at, at + maxBatchItems)));
    }
    const last = steps.pop();
    for (const step of steps) {
      add(done, await store.transact((tx) => ingestExams(tx, step), actor));
    }
    return store.transact(async (tx) => {
      const before = await findRepetition(tx);
      if (before !== undefined) return before;
      // A store may run this function again.
      const all: ApplyResult = {
        ...done,
        changes: { ...done.changes },
        warnings: [...done.warnings],
        refused: [...done.refused],
      };
      if (last) add(all, await ingestExams(tx, readAgain ? await toStep((await readAgain(tx)).exams) : last));
      for (const patient of patients) add(all, await changePatient(tx, ids, patient, { arrival: arrival(), rules }));
      return finish(tx, all);
    }, actor);
  };
}

const withResources = ({ items, ...batch }: Batch, exams: readonly ReadExam[]): Batch => ({
  ...batch,
  items: items.map((item, at) => {
    const { resources } = elementAt(exams, at);
    return resources ? { ...item, resources } : item;
  }),
});

const noChanges = (): MessageChanges => ({ inserted: 0, updated: 0, deduped: 0, statuses: 0 });

function add(done: ApplyResult, { changes, warnings, refused }: BatchResult): void {
  for (const name of Object.keys(changes) as (keyof MessageChanges)[]) done.changes[name] += changes[name];
  done.warnings.push(...warnings);
  done.refused.push(...refused);
}

/** The refused items of an error; `undefined`: it is about something else. */
export function refusedIn(error: unknown): readonly IngestError[] | undefined {
  if (!(error instanceof AppError) || error.code !== 'VALIDATION_FAILED') return undefined;
  return error.details?.['refused'] as readonly IngestError[] | undefined;
}
