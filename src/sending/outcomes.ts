/** What became of each entry of a batch, read from the answer to it. */
import { AppError } from '../contract/errors.ts';
import type { DetailCode } from '../contract/errors.ts';
import type { IngestError, IngestOutcome, IngestResult, IngestWarning } from '../contract/worklist.ts';
import type { Batch } from './batches.ts';
import type { Entry, Item, Unread } from './entries.ts';
import type { OrderChange } from './order-changes.ts';

export const takenOutcomes = ['inserted', 'updated', 'deduped'] as const;
export type Taken = (typeof takenOutcomes)[number];

export interface Refusal {
  readonly outcome: 'refused';
  /** Absent where the entry could not be read at all. */
  readonly code?: DetailCode;
  readonly field?: string;
  readonly message: string;
  readonly hint?: string;
}

/** `id`, `message` and `warnings` where the answer told them; the message tells the warnings as well. */
export interface Success extends Pick<IngestOutcome, 'id' | 'message' | 'warnings'> {
  readonly outcome: Taken;
}

export type Outcome = Success | Refusal;

/** An entry with what became of it. */
export interface Done<O extends Outcome = Outcome> {
  readonly entry: Entry;
  readonly outcome: O;
}

export const isRefused = (done: Done): done is Done<Refusal> => done.outcome.outcome === 'refused';

const unreadOutcome = ({ message, hint }: Unread): Refusal => ({
  outcome: 'refused',
  message,
  ...(hint !== undefined && { hint }),
});

/** Puts the outcomes of the items and those of what could not be read back into the order of the file. */
export function doneOf(batch: Batch, ofItems: readonly Outcome[]): Done[] {
  let at = 0;
  return batch.entries.map((entry) => ({
    entry,
    outcome: entry.kind === 'unread' ? unreadOutcome(entry) : ofItems[at++]!,
  }));
}

/**
 * The outcomes of a batch that was taken, in the order of its items. An answer tells the refused ones by their index, the
 * others in order. BAD_ANSWER where that does not add up.
 */
export function outcomesOf({ items, errors }: IngestResult, count: number): Outcome[] {
  const refused = new Map(errors.map((error) => [error.index, error]));
  const taken = items.values();
  const outcomes = Array.from({ length: count }, (_, index): Outcome | undefined => {
    const error = refused.get(index);
    if (error) return refusalOf(error);
    const { value } = taken.next();
    return (
      value && {
        outcome: value.status,
        ...(value.id && { id: value.id }),
        ...(value.message && { message: value.message }),
        ...(value.warnings && { warnings: value.warnings }),
      }
    );
  });
  if (!taken.next().done || !outcomes.every((outcome) => outcome !== undefined)) {
    throw new AppError('BAD_ANSWER', { message: 'The answer does not tell of every item that was sent.' });
  }
  return outcomes;
}

export const refusalOf = ({ error, field, message }: Pick<IngestError, 'error' | 'field' | 'message'>): Refusal => ({
  outcome: 'refused',
  code: error,
  field,
  message,
});

/** How many came to what. */
export type Tally = Record<Outcome['outcome'], number>;
export const emptyTally = (): Tally => ({ inserted: 0, updated: 0, deduped: 0, refused: 0 });

/** The accession number of an entry, unless that is what is wrong with it. */
export const accessionOf = ({ entry, outcome }: Done): string | null =>
  outcome.outcome === 'refused' && outcome.field === 'accession_number' ? null : entry.accession;

export const total = (tally: Readonly<Record<string, number>>): number =>
  Object.values(tally).reduce((sum, one) => sum + one, 0);

/** What is to be looked at of an item that was taken; `code` where the service says so. */
export interface Warned {
  readonly code: IngestWarning | null;
  readonly message: string;
}

/** What the reader left out or took for granted, and what the service warns of. */
export function warningsOf(done: Done): readonly Warned[] {
  if (!isTaken(done)) return [];
  const { entry, outcome } = done;
  const read = (entry.warnings ?? []).map((message): Warned => ({ code: null, message }));
  // Of a file that tells of orders, it is told what became of them.
  const told = (outcome.warnings ?? []).filter(({ code }) => code !== 'EXAM_CANCELLED' || entry.order === undefined);
  return [...read, ...told];
}

/** The item behind a done entry that was taken. */
export const isTaken = (done: Done): done is { entry: Item; outcome: Success } =>
  done.entry.kind === 'item' && !isRefused(done);

/** An item that was taken, and of whose order its file tells. */
export type Ordered = Done<Success> & { readonly entry: Item & { readonly order: OrderChange } };
export const hasOrder = (done: Done): done is Ordered => isTaken(done) && done.entry.order !== undefined;
