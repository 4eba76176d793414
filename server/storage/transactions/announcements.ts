/** The listeners of durable commits: watchers of a collection get the ids of its changes, subscribers of a feed the published ones. */
import { createKeyedListeners } from '../../../src/domain/listeners.ts';
import type { KeyedListeners } from '../../../src/domain/listeners.ts';
import type { CollectionName } from '../collections.ts';
import type { FeedChange, FeedName } from '../feeds.ts';
import type { Store } from '../store.ts';
import type { Change } from './tables.ts';
import type { PublishedChanges } from './transaction.ts';

export interface Announcements extends Pick<Store, 'watch' | 'subscribe'> {
  /** Notifies the listeners of a commit, which is durable. */
  announce(changes: readonly Change[], published: PublishedChanges): void;
}

export function createAnnouncements(): Announcements {
  const watchers = createKeyedListeners<CollectionName, [ids: readonly string[]]>();
  const subscribers = createKeyedListeners<FeedName, [changes: readonly FeedChange[]]>();
  return {
    watch: watchers.add,
    subscribe: subscribers.add as Store['subscribe'],
    announce(changes, published) {
      if (changes.length > 0) notifyAll(watchers, groupIds(changes, watchers));
      if (published.size > 0) notifyAll(subscribers, published);
    },
  };
}

/** Notifies the listeners of a commit of what concerns them, in the order in which they began to listen. */
function notifyAll<Name, Heard>(
  listeners: KeyedListeners<Name, [heard: readonly Heard[]]>,
  heard: ReadonlyMap<Name, readonly Heard[]>,
): void {
  if (heard.size === 0) return;
  for (const name of listeners.keys()) {
    const own = heard.get(name);
    if (own) listeners.notify(name, own);
  }
}

/** The ids of the changes, by collection, of the collections that somebody watches. */
function groupIds(
  changes: readonly Change[],
  watchers: Pick<KeyedListeners<CollectionName, never>, 'has'>,
): ReadonlyMap<CollectionName, readonly string[]> {
  const ids = new Map<CollectionName, string[]>();
  let last: { readonly collection: CollectionName; readonly ids: string[] | undefined } | undefined;
  for (const { collection, id } of changes) {
    // The changes of a collection mostly follow each other.
    if (last?.collection !== collection) {
      let own = ids.get(collection);
      if (!own && watchers.has(collection)) ids.set(collection, (own = []));
      last = { collection, ids: own };
    }
    last.ids?.push(id);
  }
  return ids;
}
