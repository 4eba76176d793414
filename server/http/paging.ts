/**
 * Pages of a listing, newest first. A cursor names the last document of a page, so that no document is repeated or
 * skipped.
 */
import { createHash } from 'node:crypto';
import { validationFailed } from '../../src/contract/errors.ts';
import { paging } from '../../src/contract/shared.ts';
import { measureWeight } from '../../src/domain/weight.ts';
import type { CollectionName, Documents } from '../storage/collections.ts';
import type { Conditions, Reader } from '../storage/store.ts';

/** The query parameters of every listing. */
export interface PageRequest {
  readonly limit?: number;
  readonly cursor?: string;
}

/**
 * The most weight of a page's items, since serialising takes time for each byte. A single heavier item still makes a
 * page.
 */
const maxPageWeight = 1_000_000;

interface Page<T> {
  readonly items: T[];
  readonly next_cursor: string | null;
}

/**
 * Reads the requested page; the page is shorter where its items are large. `show` turns each document into an item. `space`
 * is the caller's space: a cursor of one space is invalid in another. VALIDATION_FAILED where the cursor is invalid.
 */
export async function readPage<C extends CollectionName, T>(
  reader: Reader,
  collection: C,
  space: string,
  conditions: Conditions<C>,
  { limit = paging.limit.default as number, cursor }: PageRequest,
  show: (document: Documents[C]) => T,
): Promise<Page<T>> {
  const scope = `${collection}\n${space}`;
  const documents = await reader.find(collection, {
    ...conditions,
    // One document more than the page holds shows whether there is another page.
    limit: limit + 1,
    ...(cursor !== undefined && { before: readCursor(scope, cursor) }),
  });
  return pageFrom(documents, scope, limit, show);
}

/** The requested page of documents that are all in memory; `scope` distinguishes the listing from others, as in `readPage`. */
export function pageAmong<D extends { readonly id: string }, T>(
  documents: readonly D[],
  scope: string,
  { limit = paging.limit.default as number, cursor }: PageRequest,
  show: (document: D) => T,
): Page<T> {
  const before = cursor === undefined ? undefined : readCursor(scope, cursor);
  const rest = documents.filter(({ id }) => before === undefined || id < before);
  rest.sort((a, b) => (a.id < b.id ? 1 : -1));
  return pageFrom(rest, scope, limit, show);
}

/** The page at the beginning of the documents. */
function pageFrom<D extends { readonly id: string }, T>(
  documents: readonly D[],
  scope: string,
  limit: number,
  show: (document: D) => T,
): Page<T> {
  const items: T[] = [];
  let weightLeft = maxPageWeight;
  for (const document of documents.slice(0, limit)) {
    const item = show(document);
    weightLeft -= measureWeight(item, weightLeft);
    if (weightLeft < 0 && items.length > 0) break;
    items.push(item);
  }
  const last = documents[items.length - 1];
  return { items, next_cursor: documents.length > items.length && last ? writeCursor(scope, last.id) : null };
}

/** Makes an opaque cursor: the id with a checksum over the id and its listing, in base64url. */
function writeCursor(scope: string, id: string): string {
  return Buffer.from(`${createCheck(scope, id)}${id}`).toString('base64url');
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
const createCheck = (scope: string, id: string): string =>
  createHash('sha256').update(`${scope}\n${id}`).digest('base64url').slice(0, checkLength);
