/** Commits that are in the tables and on no disk yet: nobody but a transaction, which waits for them, may see them. */
import type { CollectionName } from './collections.ts';
import type { Change, Former } from './tables.ts';
import { writeTo } from './transaction.ts';
import type { Written, Writes } from './transaction.ts';

/** Commits that become durable together, each with what was there before. Further ones are added at the end. */
export interface PendingGroup {
  readonly commits: readonly (readonly Change[])[];
  readonly formers: readonly Former[];
}

/**
 * Gives what would take a collection back to what is durable; `undefined` where nothing of it is pending. `pending`: the
 * oldest group first. All is put together by who reads meanwhile, so that a commit costs no more for it.
 */
export function createUndoing(
  pending: () => readonly PendingGroup[],
): (collection: CollectionName) => Writes | undefined {
  let oldest: PendingGroup | undefined;
  let known = 0;
  let undoing: Written = new Map();

  return (collection) => {
    const groups = pending();
    // What that group changed is durable by now, or was undone.
    if (groups[0] !== oldest) {
      oldest = groups[0];
      known = 0;
      undoing = new Map();
    }
    let count = 0;
    for (const { commits, formers } of groups) {
      for (let at = Math.max(0, known - count); at < commits.length; at++) undo(undoing, commits[at]!, formers[at]!);
      count += commits.length;
    }
    known = count;
    return undoing.get(collection);
  };
}

/** Of several commits that changed a document the first one knows what it was. */
function undo(undoing: Written, changes: readonly Change[], former: Former): void {
  for (let at = 0; at < changes.length; at++) {
    const { collection, id } = changes[at]!;
    if (!undoing.get(collection)?.documents.has(id)) writeTo(undoing, collection, id, former[at]);
  }
}
