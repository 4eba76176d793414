/**
 * Changes since an earlier listing, by commit, or since a date, by the time of the change. A listing states the commit up to which it is complete
 * (`updated_until`); the cursors of its later pages carry it, because concurrent changes belong to the next listing.
 */
import { validationFailed } from '../../src/contract/errors.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { parseInstant, isIsoDate, isIsoDateTime } from '../../src/domain/iso-time.ts';
import type { PageRequest } from '../http/paging.ts';
import { msPerCommitNumber } from '../storage/collections.ts';
import type { Period, Store } from '../storage/store.ts';

const tokenForm = /^u([0-9a-z]{1,11})$/;
const formatToken = (position: number): string => `u${position.toString(36)}`;
const parseToken = (token: string): number | undefined => {
  const [, digits] = tokenForm.exec(token) ?? [];
  return digits === undefined ? undefined : Number.parseInt(digits, 36);
};

/** Items that changed after a commit, or since a time. */
type Since = { readonly commit?: Period; readonly changed?: Period };

/**
 * The changes after the position or since the time. Rejects with VALIDATION_FAILED for anything else, and for a position of items
 * that were replaced: the client must start over.
 */
export async function changesSince(
  since: string | undefined,
  store: Pick<Store, 'commits'>,
  clock: Pick<Clock, 'now'>,
): Promise<Since> {
  if (since === undefined) return {};
  const position = parseToken(since);
  if (position !== undefined) {
    const { from, to } = await store.commits();
    // Another process may be ahead of this one. And if the last changed item was removed, a restarted server only knows earlier
    // commits. Future commits have the numbers of later times.
    const isPast = position <= to || position < Math.floor(clock.now() / msPerCommitNumber);
    if (position >= from && isPast) return { commit: { from: position + 1, to: Infinity } };
    throw refused('updated_since is not of the present items, which may come from a backup: list all items again');
  }
  const at = isIsoDate(since) ? Date.parse(since) : isIsoDateTime(since) ? parseInstant(since) : undefined;
  if (at !== undefined) return { changed: { from: at, to: Infinity } };
  throw refused('updated_since must be the updated_until of an earlier answer, or an ISO 8601 date or date-time');
}

const refused = (message: string) => validationFailed([{ field: 'updated_since', message, code: 'INVALID_VALUE' }]);

/** A page of a listing. */
export interface Page<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
}

/** Reads a page, and adds the commit up to which the listing is complete. */
export async function readUpdates<T>(
  store: Pick<Store, 'commits'>,
  { cursor, ...request }: PageRequest,
  read: (request: PageRequest) => Promise<Page<T>>,
): Promise<Page<T> & { updated_until: string }> {
  const [, first, rest] = /^(u[0-9a-z]+)\.(.+)$/.exec(cursor ?? '') ?? [];
  // Taken before the items are read: a concurrent commit may appear twice, but is never missed.
  const until = first ?? formatToken((await store.commits()).to);
  const { items, next_cursor } = await read({ ...request, ...(cursor !== undefined && { cursor: rest ?? cursor }) });
  return { items, next_cursor: next_cursor && `${until}.${next_cursor}`, updated_until: until };
}
