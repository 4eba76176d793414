/** Commits that are in the tables and on no disk yet: nobody but a transaction, which waits for them, may see them. */
import type { CollectionName } from './collections.ts';
import { documentBefore } from './tables.ts';
import type { Change, Former, Tables } from './tables.ts';
import { writeTo } from './transaction.ts';
import type { Written, Writes } from './transaction.ts';

/** Commits that become durable together, each with what was there before. Further ones are added at the end. */
export interface PendingGroup {
  readonly commits: readonly (readonly Change[])[];
  readonly formers: readonly Former[];
}

/** What would take a collection back to what is durable, as far as the commits are known already. */
interface Undoing {
  readonly written: Written;
  known: number;
}

/**
 * Gives what would take a collection back to what is durable; `undefined` where nothing of it is pending. `pending`: the
 * oldest group first. It is put together by who reads the collection meanwhile, so that a commit costs no more for it.
 */
export function createUndoing(
  tables: Tables,
  pending: () => readonly PendingGroup[],
): (collection: CollectionName) => Writes | undefined {
  let oldest: PendingGroup | undefined;
  const undoings = new Map<CollectionName, Undoing>();

  return (collection) => {
    const groups = pending();
    // What that group changed is durable by now, or was undone.
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

/** Of several commits that changed a document the first one knows what it was. */
function undo(
  tables: Tables,
  { written, collection }: { written: Written; collection: CollectionName },
  changes: readonly Change[],
  former: Former,
): void {
  for (let at = 0; at < changes.length; at++) {
    const { collection: changed, id } = changes[at]!;
    if (changed !== collection || written.get(collection)?.documents.has(id)) continue;
    writeTo(written, collection, id, documentBefore(tables, collection, former[at]));
  }
}
