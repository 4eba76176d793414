/** Pages of a listing, newest first. A cursor names the last document given, so that none is repeated or skipped. */
import { createHash } from 'node:crypto';
import { validationFailed } from '../../src/contract/errors.ts';
import { paging } from '../../src/contract/shared.ts';
import { weightOf } from '../../src/domain/weight.ts';
import type { CollectionName, Documents } from '../store/collections.ts';
import type { Conditions, Reader } from '../store/store.ts';

/** What the query string of every collection has. */
export interface PageRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Weight of what a page shows; one that is heavier has one item. Writing an answer takes time for each of its bytes. */
const maxPageWeight = 1_000_000;

interface Page<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
}

/**
 * The page asked for, or less of it where its items are large; each item is what `show` makes of a document. `space` is the
 * caller's: a cursor given in one space is worth nothing in another.
 */
export async function pageOf<C extends CollectionName, T>(
  reader: Reader,
  collection: C,
  space: string,
  conditions: Conditions<C>,
  { limit = paging.limit.default as number, cursor }: PageRequest,
  show: (document: Documents[C]) => T,
): Promise<Page<T>> {
  const scope = `${collection}\n${space}`;
  // One more than the page holds, to know whether there is another.
  const found = await reader.find(collection, {
    ...conditions,
    limit: limit + 1,
    ...(cursor !== undefined && { before: readCursor(scope, cursor) }),
  });
  const items: T[] = [];
  let left = maxPageWeight;
  for (const document of found.slice(0, limit)) {
    const item = show(document);
    left -= weightOf(item, left);
    if (left < 0 && items.length > 0) break;
    items.push(item);
  }
  const last = found[items.length - 1];
  return { items, next_cursor: found.length > items.length && last ? writeCursor(scope, last.id) : null };
}

/** Opaque: the id, and a check over it and the listing it belongs to, in base64url. */
function writeCursor(scope: string, id: string): string {
  return Buffer.from(`${checkOf(scope, id)}${id}`).toString('base64url');
}

/** The id in a cursor. Throws VALIDATION_FAILED where the cursor was not made by `writeCursor` for that scope. */
function readCursor(scope: string, cursor: string): string {
  const text = Buffer.from(cursor, 'base64url').toString();
  const id = text.slice(checkLength);
  if (id === '' || writeCursor(scope, id) !== cursor) {
    throw validationFailed([
      { field: 'cursor', message: 'cursor must be the next_cursor of the page before', code: 'INVALID_VALUE' },
    ]);
  }
  return id;
}

const checkLength = 8;

/** Guards against mistakes, not against attacks: a cursor gives no access to anything. */
const checkOf = (scope: string, id: string): string =>
  createHash('sha256').update(`${scope}\n${id}`).digest('base64url').slice(0, checkLength);
