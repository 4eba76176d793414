/** Reads many documents in pieces, so that neither the memory of this process nor a query of the store has to hold all of them. */
import { lastElement } from '../../src/domain/elements.ts';
import { createBreaks } from '../runtime/breaks.ts';
import type { CollectionName, Documents } from './collections.ts';
import type { Conditions, Query, Reader } from './store.ts';

/** Documents per read. */
const pieceSize = 500;

/** The documents that meet the conditions, newest first. Those that a commit adds meanwhile may be absent. */
export async function* scanPieces<C extends CollectionName>(
  reader: Pick<Reader, 'find'>,
  collection: C,
  conditions: Conditions<C> = {},
): AsyncGenerator<readonly Documents[C][], void> {
  const breathe = createBreaks();
  for (let before: string | undefined; ;) {
    const query: Query<C> = { ...conditions, limit: pieceSize, ...(before !== undefined && { before }) };
    const piece = await reader.find(collection, query);
    yield piece;
    if (piece.length < pieceSize) return;
    before = lastElement(piece).id;
    await breathe();
  }
}

/** As `scanPieces`, one by one. */
export async function* scan<C extends CollectionName>(
  reader: Pick<Reader, 'find'>,
  collection: C,
  conditions: Conditions<C> = {},
): AsyncGenerator<Documents[C], void> {
  for await (const piece of scanPieces(reader, collection, conditions)) yield* piece;
}

/** All of them at once, for callers that need the oldest first or keep them. */
export async function readAll<C extends CollectionName>(
  reader: Pick<Reader, 'find'>,
  collection: C,
  conditions: Conditions<C> = {},
): Promise<Documents[C][]> {
  const documents: Documents[C][] = [];
  for await (const piece of scanPieces(reader, collection, conditions)) documents.push(...piece);
  return documents;
}
