/** The one shape of a refused item (specification 2.4), made of everything that is wrong with the item. */
import type { FieldError } from '../contract/errors.ts';
import type { IngestError } from '../contract/worklist.ts';

/**
 * Names the first problem, and after its message the other fields at fault. `index` counts the items of the request
 * from 0; the fields of `problems` are those of the item. Includes `accession` unless the accession number itself is at
 * fault.
 */
export function refusedItem(
  index: number,
  problems: readonly [FieldError, ...FieldError[]],
  accession: string | null,
): IngestError {
  const [first, ...others] = problems;
  const also = others.length === 0 ? '' : ` (also at fault: ${others.map(({ field }) => field).join(', ')})`;
  return {
    index,
    accession_number: problems.some(({ field }) => field === 'accession_number') ? null : accession,
    error: first.code,
    message: first.message + also,
    field: first.field,
  };
}
