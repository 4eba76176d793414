/**
 * Sends batches, and says of every entry what became of it, in the order of the files, whatever order the answers come
 * in. The one sender of worklists, for the command line and the app.
 */
import { refusedItems } from '../client/refused-items.ts';
import { AppError } from '../contract/errors.ts';
import type { IngestResult } from '../contract/worklist.ts';
import type { Interruption } from '../domain/pause.ts';
import type { Batch } from './batches.ts';
import type { StatusOutcome } from './follow-orders.ts';
import { inLanes } from './lanes.ts';
import { doneOf, isRefused, outcomesOf, refusalOf } from './outcomes.ts';
import type { Done, Outcome } from './outcomes.ts';

/** What takes the batches: a service, or a rehearsal. */
export interface Destination {
  /** Throws as the service answers. */
  ingest(batch: Batch): Promise<IngestResult>;
  /** Does what the entries of an answered batch say of orders; absent where that is done later, or not at all. */
  follow?(done: readonly Done[]): Promise<StatusOutcome[]>;
}

/** What earlier runs have sent already. */
export interface Memory {
  /** What became of the items of a batch that was answered before. */
  recall(
    batch: Batch,
  ): { readonly outcomes: readonly Outcome[]; readonly statuses: readonly StatusOutcome[] } | undefined;
  record(batch: Batch, done: readonly Done[], statuses: readonly StatusOutcome[]): Promise<void>;
}

/** A batch with what became of each of its entries. */
export interface SentBatch {
  readonly done: readonly Done[];
  readonly statuses: readonly StatusOutcome[];
  /** Whether an earlier run has sent it. */
  readonly isRecalled: boolean;
}

export interface SendingOptions {
  /** Requests under way at once, where their order does not matter. */
  readonly lanes: number;
  /** The first batch in which something is refused is the last one. */
  readonly failFast?: boolean;
  readonly memory?: Memory | undefined;
  /** Resolves when the batch may go. */
  readonly pace?: (batch: Batch) => Promise<void>;
  readonly signal?: Interruption;
  /** Given each batch once, in the order of the files. */
  readonly onSent: (sent: SentBatch) => Promise<void> | void;
}

/**
 * Gives `false` where a refusal ended it. Throws what reading throws, and what the service answers about a whole batch;
 * INTERRUPTED; BAD_ANSWER where an answer leaves an item out. What was answered until then was given to `onSent`, up to
 * the first batch that has no answer.
 */
export async function sendBatches(
  batches: AsyncIterable<Batch>,
  { ingest, follow }: Destination,
  { lanes, failFast = false, memory, pace, signal, onSent }: SendingOptions,
): Promise<boolean> {
  const inOrder = createReordering();
  let isEnded = false;
  await inLanes(batches, lanes, async (batch) => {
    if (signal?.aborted) throw new AppError('INTERRUPTED');
    const known = memory?.recall(batch);
    if (known) {
      const { outcomes, statuses } = known;
      await inOrder(batch, () => onSent({ done: doneOf(batch, outcomes), statuses, isRecalled: true }));
      return true;
    }
    await pace?.(batch);
    const isEmpty = batch.items.length === 0;
    const done = doneOf(batch, isEmpty ? [] : await answered(batch, ingest));
    const statuses = (await follow?.(done)) ?? [];
    if (!isEmpty) await memory?.record(batch, done, statuses);
    await inOrder(batch, () => onSent({ done, statuses, isRecalled: false }));
    isEnded ||= failFast && done.some(isRefused);
    return !isEnded;
  });
  return !isEnded;
}

/** The outcomes that an answer tells, be it a success or the refusal of every item. */
async function answered(batch: Batch, ingest: Destination['ingest']): Promise<Outcome[]> {
  const count = batch.items.length;
  try {
    return outcomesOf(await ingest(batch), count);
  } catch (error) {
    const refused = error instanceof AppError ? refusedItems(error, count) : undefined;
    if (!refused) throw error;
    return refused.map(refusalOf);
  }
}

/** Batches are answered in any order and told in that of the files. */
function createReordering(): (batch: Batch, tell: () => Promise<void> | void) => Promise<void> {
  const waiting = new Map<number, () => Promise<void> | void>();
  let next = 1;
  let telling: Promise<void> = Promise.resolve();
  return ({ number }, tell) => {
    waiting.set(number, tell);
    for (let due = waiting.get(next); due; due = waiting.get(++next)) {
      waiting.delete(next);
      telling = telling.then(due);
    }
    return telling;
  };
}
