/** The period of a listing, as its query names it. */
import { validationFailed } from '../../src/contract/errors.ts';
import { parsePeriod } from '../../src/domain/iso-time.ts';

type Period = ReturnType<typeof parsePeriod>;

/** `undefined` where the query has no bounds. Throws VALIDATION_FAILED where the period ends before it begins. */
export function periodIn(query: { from?: string; to?: string }): Period {
  return checkPeriod(query, 'from', 'to');
}

/** The same for a call whose bounds are `since` and `until`. */
export function periodSince({ since, until }: { since: string | undefined; until: string | undefined }): Period {
  return checkPeriod({ ...(since && { from: since }), ...(until && { to: until }) }, 'since', 'until');
}

function checkPeriod(query: { from?: string; to?: string }, first: string, last: string): Period {
  const period = parsePeriod(query);
  if (period && period.from > period.to) {
    throw validationFailed([{ field: last, message: `${last} must not be before ${first}`, code: 'INVALID_VALUE' }]);
  }
  return period;
}
