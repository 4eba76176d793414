/** The period of a listing, as its query names it. */
import { validationFailed } from '../../src/contract/errors.ts';
import { parsePeriod } from '../../src/domain/iso-time.ts';

/** `undefined` where the query has no bounds. Throws VALIDATION_FAILED where the period ends before it begins. */
export function periodIn(query: { from?: string; to?: string }): ReturnType<typeof parsePeriod> {
  const period = parsePeriod(query);
  if (period && period.from > period.to) {
    throw validationFailed([{ field: 'to', message: 'to must not be before from', code: 'INVALID_VALUE' }]);
  }
  return period;
}
