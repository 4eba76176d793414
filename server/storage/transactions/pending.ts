/** Hides pending commits, which are in the tables but not yet on disk, from readers. Only a transaction may see them: it waits. */
import type { CollectionName } from '../collections.ts';
import { documentBefore } from './tables.ts';
import type { Change, Former, Tables } from './tables.ts';
import { writeTo } from './transaction.ts';
import type { WrittenDocuments, Writes } from './transaction.ts';

/** A commit with the former documents. */
export interface PendingCommit {
  readonly changes: readonly Change[];
  readonly previous: Former;
}

/** Commits that become durable together. The log adds further commits at the end. */
export interface PendingGroup {
  readonly commits: readonly PendingCommit[];
}

/** The writes that would take a collection back to its durable state. */
interface Undoing {
  readonly written: WrittenDocuments;
  /** The number of pending commits that `written` accounts for. */
  known: number;
}

/**
 * Returns the writes that would take a collection back to its durable state; `undefined` if the collection has no pending
 * commits. `pending`: the oldest group first. The reader builds the writes, so that a commit costs no more for them.
 */
export function createUndoing(
  tables: Tables,
  pending: () => readonly PendingGroup[],
): (collection: CollectionName) => Writes | undefined {
  let oldest: PendingGroup | undefined;
  const undoings = new Map<CollectionName, Undoing>();

  return (collection) => {
    const groups = pending();
    // The commits of the former oldest group are durable by now, or undone.
    if (groups[0] !== oldest) {
      [oldest] = groups;
      undoings.clear();
    }
    if (!oldest) return undefined;
    let undoing = undoings.get(collection);
    if (!undoing) undoings.set(collection, (undoing = { written: new Map(), known: 0 }));
    let count = 0;
    for (const { commits } of groups) {
      for (const commit of commits.slice(Math.max(0, undoing.known - count))) {
        undo(tables, { written: undoing.written, collection }, commit);
      }
      count += commits.length;
    }
    undoing.known = count;
    return undoing.written.get(collection);
  };
}

/** Adds the former documents of a commit. If several commits changed a document, the first one knows its durable form. */
function undo(
  tables: Tables,
  { written, collection }: { written: WrittenDocuments; collection: CollectionName },
  { changes, previous }: PendingCommit,
): void {
  for (const [at, { collection: changed, id }] of changes.entries()) {
    if (changed !== collection || written.get(collection)?.documents.has(id)) continue;
    writeTo(written, collection, id, documentBefore(tables, collection, previous[at]));
  }
}
