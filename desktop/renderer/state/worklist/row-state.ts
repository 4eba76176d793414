/** The state of an exam in the list, in one word, and who has it. */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { isCorrected, readReport } from '../../../../src/domain/item-report.ts';
import { isOpen } from '../../../../src/domain/worklist-order.ts';

/**
 * The word of the row, in order of precedence: a corrected report must be read, a signed or cancelled exam is over, and
 * only then it matters who has the exam.
 */
export type RowWord = 'corrected' | 'cancelled' | 'signing' | 'preliminary' | 'done' | 'draft' | 'begun' | 'waiting';

export interface RowState {
  readonly word: RowWord;
  /** The person who has the exam; `null`: nobody, or the exam is over. */
  readonly who: string | null;
}

export function rowState(item: WorklistItem): RowState {
  const who = isOpen(item) ? item.assigned_to : null;
  if (item.status === 'cancelled') return { word: 'cancelled', who };
  if (isCorrected(item)) return { word: 'corrected', who };
  const report = readReport(item)?.status;
  if (report === 'signing' || report === 'preliminary') return { word: report, who };
  if (item.status === 'completed') return { word: 'done', who };
  if (report === 'draft') return { word: 'draft', who };
  return { word: item.status === 'in_progress' ? 'begun' : 'waiting', who };
}
