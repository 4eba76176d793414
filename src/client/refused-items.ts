/**
 * The items that the error of a request without any valid item names. Laudio lists them as an answer of partial success
 * does (`details.refused`); the specification knows only field errors, whose paths begin with `items.N` (4.2), and only
 * this module understands a service that sends nothing else.
 */
import type { AppError, FieldError } from '../contract/errors.ts';
import { array, object, string } from '../contract/schema.ts';
import { RefusedItems } from '../contract/worklist.ts';
import type { IngestError } from '../contract/worklist.ts';
import { refusedItem } from '../domain/refused-item.ts';
import { conforms } from './conforms.ts';

const FieldErrors = array(object({ field: string(), message: string(), code: string() }));

/** The refusal of each of `count` items, in their order; `undefined` if the error is about something else. */
export function refusedItems({ code, details }: AppError, count: number): IngestError[] | undefined {
  if (code !== 'VALIDATION_FAILED') return undefined;
  const listed: unknown = details?.['refused'];
  const refused = conforms(RefusedItems, listed) ? (listed as IngestError[]) : fromPaths(details?.['errors']);
  const byIndex = new Map(refused.map((item) => [item.index, item]));
  const inOrder = Array.from({ length: count }, (_, index) => byIndex.get(index));
  return inOrder.every((item) => item !== undefined) ? inOrder : undefined;
}

/** Empty if one of the errors names no item. */
function fromPaths(errors: unknown): IngestError[] {
  if (!conforms(FieldErrors, errors)) return [];
  const ofItem = new Map<number, [FieldError, ...FieldError[]]>();
  for (const error of errors as FieldError[]) {
    const [, number, field = ''] = /^items\.(\d+)(?:\.(.*))?$/.exec(error.field) ?? [];
    if (number === undefined) return [];
    const index = Number(number);
    const problems = ofItem.get(index);
    if (problems) problems.push({ ...error, field });
    else ofItem.set(index, [{ ...error, field }]);
  }
  return Array.from(ofItem, ([index, problems]) => refusedItem(index, problems, null));
}
