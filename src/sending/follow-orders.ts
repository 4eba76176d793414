/** Applies the orders that a file states. Ingest sets no status, so each order needs a separate call after its item. */
import type { Sentence } from '../contract/messages/message.ts';
import { fileMessage } from '../contract/messages/files.ts';
import { AppError } from '../contract/errors.ts';
import { additionalNumbers } from '../domain/orders.ts';
import type { WorklistItem } from '../contract/worklist.ts';
import type { Item } from './entries.ts';
import { effectiveChange, isOutdated, needsLookup, statusAfter } from './order-changes.ts';
import type { OrderStatus } from './order-changes.ts';
import { hasOrder } from './outcomes.ts';
import type { EntryResult, OrderedResult } from './outcomes.ts';

export interface StatusOutcome {
  /** Index of the item's entry among all files. */
  readonly index: number;
  /** `kept`: the exam keeps its status, because another of its orders is in force. */
  readonly outcome: 'applied' | 'unchanged' | 'kept' | 'refused';
  /** The reason, if the status was kept or refused. */
  readonly message: Sentence | null;
  /** `true` reinstates a cancelled exam that is ordered again; `false` cancels the exam. */
  readonly reinstates?: true;
}

/** The port through which a status is set: the service, or the app's list and its outbox. */
export interface StoredExams {
  /** The exam of an accepted item: by the id in the answer, otherwise by one of its identifiers. */
  find(item: Item, id: string | undefined): Promise<WorklistItem | undefined>;
  /** Throws as the service answers. */
  setStatus(stored: WorklistItem, status: OrderStatus): Promise<'applied' | 'unchanged'>;
  /** Whether the error is about this exam alone, so that the other orders still apply. */
  isRefusal(error: AppError): boolean;
}

/** Whether an item of a file names the stored exam by its accession number or study UID. */
export const isNamedBy = (
  stored: Pick<WorklistItem, 'accession_number' | 'study_uid' | 'metadata'>,
  { accession, study }: Pick<Item, 'accession' | 'study'>,
): boolean =>
  accession === null
    ? study !== null && stored.study_uid === study
    : stored.accession_number === accession ||
      additionalNumbers(stored.metadata).some(({ accession_number: number }) => number === accession);

/** Applies the last order of each exam, in the order of the file. */
export async function followOrders(exams: StoredExams, done: readonly EntryResult[]): Promise<StatusOutcome[]> {
  const outcomes: StatusOutcome[] = [];
  for (const { entry, outcome } of lastOfEach(
    done.filter(hasOrder).filter(({ outcome: taken }) => !isOutdated(taken)),
  )) {
    if (!needsLookup(entry.order, outcome)) continue;
    const order = { ...entry.order, ...effectiveChange(entry.order, outcome) };
    const followed = await follow(exams, { ...entry, order }, outcome.id);
    if (followed) outcomes.push({ index: entry.index, ...followed });
  }
  return outcomes;
}

function lastOfEach(ordered: readonly OrderedResult[]): OrderedResult[] {
  const last = new Map<string, OrderedResult>();
  for (const each of ordered) {
    const { accession, study, index } = each.entry;
    // Some orders identify their exam only by order numbers.
    const exam = accession ?? (study === null ? `item ${each.outcome.id ?? index}` : `study ${study}`);
    last.delete(exam);
    last.set(exam, each);
  }
  return [...last.values()];
}

/** Returns `undefined` if the status need not change. */
async function follow(
  exams: StoredExams,
  item: OrderedResult['entry'],
  id: string | undefined,
): Promise<Omit<StatusOutcome, 'index'> | undefined> {
  const isCancellation = item.order.status === 'cancelled';
  const kind = isCancellation ? {} : { reinstates: true as const };
  try {
    const stored = await exams.find(item, id);
    if (!stored) return { ...kind, outcome: 'refused', message: fileMessage('exam_not_found') };
    const status = statusAfter(item.order, stored);
    if (status !== undefined) return { ...kind, outcome: await exams.setStatus(stored, status), message: null };
    return isCancellation ? { outcome: 'kept', message: fileMessage('another_order') } : undefined;
  } catch (error) {
    if (!(error instanceof AppError) || !exams.isRefusal(error)) throw error;
    return { ...kind, outcome: 'refused', message: error.sentences.message };
  }
}
