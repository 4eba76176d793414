/**
 * Sends batches and reports the outcome of every entry, in the order of the files, whatever order the answers come
 * in. The one sender of worklists, for the command line and the app.
 */
import { refusedItems } from '../client/refused-items.ts';
import { AppError } from '../contract/errors.ts';
import type { IngestResult } from '../contract/worklist.ts';
import { createOrder } from '../domain/in-order.ts';
import type { Interruption } from '../domain/pause.ts';
import type { Batch } from './batches.ts';
import type { StatusOutcome } from './follow-orders.ts';
import { inLanes } from './lanes.ts';
import { mergeResults, isRefused, isSetAside, readOutcomes, refusalOf } from './outcomes.ts';
import { createSetAside } from './set-aside.ts';
import type { EntryResult, Outcome } from './outcomes.ts';

/** The receiver of the batches: a service, or a rehearsal. */
export interface Destination {
  /** Throws as the service answers. */
  ingest(batch: Batch): Promise<IngestResult>;
  /** Applies the order changes of an answered batch; absent where the caller applies them later or never. */
  follow?(done: readonly EntryResult[]): Promise<StatusOutcome[]>;
}

/** The batches that earlier runs have sent. */
export interface Memory {
  /** The outcomes of a batch that an earlier run sent. */
  recall(
    batch: Batch,
  ): { readonly outcomes: readonly Outcome[]; readonly statuses: readonly StatusOutcome[] } | undefined;
  record(batch: Batch, done: readonly EntryResult[], statuses: readonly StatusOutcome[]): Promise<void>;
}

/** A batch and the outcome of each entry. */
export interface SentBatch {
  readonly done: readonly EntryResult[];
  readonly statuses: readonly StatusOutcome[];
  /** Whether an earlier run sent the batch. */
  readonly isRecalled: boolean;
}

export interface SendingOptions {
  /** The largest number of concurrent requests, if their order does not matter. */
  readonly lanes: number;
  /** Stop after the first batch with a refused entry. */
  readonly failFast?: boolean;
  readonly memory?: Memory | undefined;
  /**
   * Whether a batch at which the service kept failing is set aside, so that the rest continues. Default: the run ends.
   */
  readonly setsAside?: (error: AppError) => boolean;
  /** Resolves when the batch may be sent. */
  readonly pace?: (batch: Batch) => Promise<void>;
  readonly signal?: Interruption;
  /** Receives each batch once, in the order of the files. */
  readonly onSent: (sent: SentBatch) => Promise<void> | void;
}

/**
 * Resolves to `false` if a refusal ended the run. Throws the reader's errors, the service's errors about a whole batch,
 * INTERRUPTED, and BAD_ANSWER if an answer leaves an item out. `onSent` has received the batches answered before, up to
 * the first batch that has no answer.
 */
export async function sendBatches(
  batches: AsyncIterable<Batch>,
  { ingest, follow }: Destination,
  { lanes, failFast = false, memory, setsAside, pace, signal, onSent }: SendingOptions,
): Promise<boolean> {
  const inOrder = createReordering();
  const aside = createSetAside(setsAside);
  let isEnded = false;
  await inLanes(batches, lanes, async (batch) => {
    if (signal?.aborted) throw new AppError('INTERRUPTED');
    const known = memory?.recall(batch);
    if (known) {
      const { outcomes, statuses } = known;
      await inOrder(batch, () => onSent({ done: mergeResults(batch, outcomes), statuses, isRecalled: true }));
      return true;
    }
    const isEmpty = batch.items.length === 0;
    const held = aside.held(batch);
    if (!held) await pace?.(batch);
    const outcomes = isEmpty ? [] : (held ?? (await aside.orOutcomes(batch, () => sendBatch(batch, ingest))));
    const done = mergeResults(batch, outcomes);
    const statuses = (await follow?.(done)) ?? [];
    // A batch that was set aside is sent again by the resumed run.
    if (!isEmpty && !done.some(isSetAside)) await memory?.record(batch, done, statuses);
    await inOrder(batch, () => onSent({ done, statuses, isRecalled: false }));
    isEnded ||= failFast && done.some(isRefused);
    return !isEnded;
  });
  return !isEnded;
}

/** The outcomes in an answer: a success, or the refusal of every item. */
async function sendBatch(batch: Batch, ingest: Destination['ingest']): Promise<Outcome[]> {
  const count = batch.items.length;
  try {
    return readOutcomes(await ingest(batch), count);
  } catch (error) {
    const refused = error instanceof AppError ? refusedItems(error, count) : undefined;
    if (!refused) throw error;
    return refused.map(refusalOf);
  }
}

/** Batches are answered in any order and reported in the order of the files. */
function createReordering(): (batch: Batch, report: () => Promise<void> | void) => Promise<void> {
  const waiting = new Map<number, () => Promise<void> | void>();
  let next = 1;
  const inOrder = createOrder({ endsWithFailure: true });
  let last: Promise<void> = Promise.resolve();
  return ({ number }, tell) => {
    waiting.set(number, tell);
    for (let due = waiting.get(next); due; due = waiting.get(++next)) {
      waiting.delete(next);
      const present = due;
      last = inOrder(async () => present());
    }
    return last;
  };
}
