/** How urgent an exam is: `metadata.priority`, the terms of DICOM (0040,1003) Requested Procedure Priority. */
import type { WorklistItem } from '../../../src/contract/worklist.ts';

/** 0: emergency (STAT); 1: urgent (HIGH); 2: everything else. */
export type Priority = 0 | 1 | 2;

export function priorityOf(item: WorklistItem): Priority {
  const priority = item.metadata?.['priority'];
  const term = typeof priority === 'string' ? priority.trim().toUpperCase() : '';
  return term === 'STAT' ? 0 : term === 'HIGH' ? 1 : 2;
}
