/** Hides pending commits, which are in the tables but not yet on disk, from readers. Only a transaction may see them: it waits. */
import type { CollectionName } from '../collections.ts';
import { documentBefore } from './tables.ts';
import type { Change, Former, Tables } from './tables.ts';
import { writeTo } from './transaction.ts';
import type { WrittenDocuments, Writes } from './transaction.ts';

/** Commits that become durable together, each with the former documents. The log adds further commits at the end. */
export interface PendingGroup {
  readonly commits: readonly (readonly Change[])[];
  readonly formers: readonly Former[];
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
    for (const { commits, formers } of groups) {
      for (let at = Math.max(0, undoing.known - count); at < commits.length; at++) {
        undo(tables, { written: undoing.written, collection }, commits[at]!, formers[at]!);
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
  changes: readonly Change[],
  previous: Former,
): void {
  for (let at = 0; at < changes.length; at++) {
    const { collection: changed, id } = changes[at]!;
    if (changed !== collection || written.get(collection)?.documents.has(id)) continue;
    writeTo(written, collection, id, documentBefore(tables, collection, previous[at]));
  }
}
