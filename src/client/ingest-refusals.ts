/** A batch of which not one item was valid is answered as an error (contract: Worklists); here it is read like any other. */
import type { AppError, FieldError } from '../contract/errors.ts';
import type { IngestError } from '../contract/worklist.ts';

/** The refusal of each item, in the order of the batch; `undefined` where the error is about something else. */
export function allRefused(error: AppError, count: number): Omit<IngestError, 'accession_number'>[] | undefined {
  const told = error.code === 'VALIDATION_FAILED' ? error.details?.['errors'] : undefined;
  if (!Array.isArray(told)) return undefined;
  const ofItem = new Map<number, FieldError[]>();
  for (const problem of told as FieldError[]) {
    const [, index, field = ''] = /^items\.(\d+)(?:\.(.*))?$/.exec(problem.field) ?? [];
    if (index === undefined) return undefined;
    const found = ofItem.get(Number(index)) ?? [];
    ofItem.set(Number(index), [...found, { ...problem, field }]);
  }
  const refused = Array.from({ length: count }, (_, index) => {
    const [first, ...others] = ofItem.get(index) ?? [];
    if (!first) return undefined;
    const also = others.length === 0 ? '' : ` (also at fault: ${others.map(({ field }) => field).join(', ')})`;
    return { index, error: first.code, field: first.field, message: first.message + also };
  });
  return refused.every((one) => one !== undefined) ? refused : undefined;
}
