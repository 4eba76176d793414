/** Reads the outcome of each entry of a batch from the service's answer. */
import type { Sentence } from '../contract/messages/message.ts';
import { AppError } from '../contract/errors.ts';
import type { DetailCode } from '../contract/errors.ts';
import type { IngestError, IngestOutcome, IngestResult, IngestWarning } from '../contract/worklist.ts';
import type { Batch } from './batches.ts';
import type { Entry, Item, Unread } from './entries.ts';
import type { OrderChange } from './order-changes.ts';
import { elementAt } from '../domain/elements.ts';

export const successStatuses = ['inserted', 'updated', 'deduped'] as const;
export type SuccessStatus = (typeof successStatuses)[number];

export interface Refusal {
  readonly outcome: 'refused';
  /** Absent for an unreadable entry. */
  readonly code?: DetailCode;
  readonly field?: string;
  readonly message: Sentence;
  readonly hint?: Sentence;
  /** The service kept failing at its batch, or at an earlier one with the same exam: it is sent again later. */
  readonly isSetAside?: true;
}

/** `id`, `message` and `warnings` if the answer holds them; the message repeats the warnings. */
export interface Success extends Pick<IngestOutcome, 'id' | 'message' | 'warnings'> {
  readonly outcome: SuccessStatus;
}

export type Outcome = Success | Refusal;

/** An entry and its outcome. */
export interface EntryResult<O extends Outcome = Outcome> {
  readonly entry: Entry;
  readonly outcome: O;
}

export const isRefused = (done: EntryResult): done is EntryResult<Refusal> => done.outcome.outcome === 'refused';

const unreadOutcome = ({ message, hint }: Unread): Refusal => ({
  outcome: 'refused',
  message,
  ...(hint !== undefined && { hint }),
});

/** Merges the outcomes of the items with the unreadable entries, in the order of the file. */
export function mergeResults(batch: Batch, ofItems: readonly Outcome[]): EntryResult[] {
  let at = 0;
  return batch.entries.map((entry) => ({
    entry,
    outcome: entry.kind === 'unread' ? unreadOutcome(entry) : elementAt(ofItems, at++),
  }));
}

/**
 * The outcomes of an accepted batch, in the order of its items. An answer names refused items by their index and lists
 * the others in order. BAD_ANSWER if the counts do not add up.
 */
export function readOutcomes({ items, errors }: IngestResult, count: number): Outcome[] {
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

export const isSetAside = ({ outcome }: EntryResult): boolean =>
  outcome.outcome === 'refused' && outcome.isSetAside === true;

/** Counts the entries by outcome. */
export type Tally = Record<Outcome['outcome'], number>;
export const emptyTally = (): Tally => ({ inserted: 0, updated: 0, deduped: 0, refused: 0 });

/** The accession number of an entry, unless the accession number itself is invalid. */
export const accessionOf = ({ entry, outcome }: EntryResult): string | null =>
  outcome.outcome === 'refused' && outcome.field === 'accession_number' ? null : entry.accession;

export const total = (tally: Readonly<Record<string, number>>): number =>
  Object.values(tally).reduce((sum, one) => sum + one, 0);

/** A warning about an accepted item; `code` if the service supplied the warning. */
export interface ItemWarning {
  readonly code: IngestWarning | null;
  readonly message: Sentence;
}

/** The reader's omissions and assumptions, and the service's warnings. */
export function collectWarnings(done: EntryResult): readonly ItemWarning[] {
  if (!isTaken(done)) return [];
  const { entry, outcome } = done;
  const read = (entry.warnings ?? []).map((message): ItemWarning => ({ code: null, message }));
  // The outcomes of the orders already report a cancelled exam.
  const warnings = (outcome.warnings ?? []).filter(
    ({ code }) => code !== 'EXAM_CANCELLED' || entry.order === undefined,
  );
  return [...read, ...warnings];
}

/** The item of an accepted entry. */
export const isTaken = (done: EntryResult): done is { entry: Item; outcome: Success } =>
  done.entry.kind === 'item' && !isRefused(done);

/** An accepted item whose file states an order. */
export type OrderedResult = EntryResult<Success> & { readonly entry: Item & { readonly order: OrderChange } };
export const hasOrder = (done: EntryResult): done is OrderedResult => isTaken(done) && done.entry.order !== undefined;
