/** Opens a feed. Where several processes share the store, its events are positions of the store, so that each knows those of the others. */
import { createKeyedListeners, createListeners } from '../../src/domain/listeners.ts';
import { createFeed } from './feed.ts';
import type { ChangeFeed, FeedEntry } from './feed.ts';
import type { FeedChange, FeedName, Feeds } from './feeds.ts';
import type { Positions, Store } from './store.ts';

/** Number of changes of each space that are remembered for followers whose connection broke. */
const maxRemembered = 1000;

/** The changes of one space that are remembered, the oldest first. */
interface SpaceHistory<C extends FeedChange> {
  /** No change after that position is missing. */
  after: string;
  entries: FeedEntry<C>[];
}

const parts = (position: string): readonly [epoch: string, commit: number, nth: number] => {
  const [epoch = '', commit, nth] = position.split('.');
  return [epoch, Number(commit), Number(nth)];
};

/** Whether one position is behind the other; `undefined`: they cannot be compared. */
function isAfter(position: string, other: string): boolean | undefined {
  const [epoch, commit, nth] = parts(position);
  const [otherEpoch, otherCommit, otherNth] = parts(other);
  if (epoch !== otherEpoch || [commit, nth, otherCommit, otherNth].some(Number.isNaN)) return undefined;
  return commit > otherCommit || (commit === otherCommit && nth > otherNth);
}

/** `newRun` names a run of a feed that counts by itself. */
export const openFeed = async <F extends FeedName>(
  store: Pick<Store, 'subscribe' | 'positions'>,
  name: F,
  newRun: () => string,
): Promise<ChangeFeed<Feeds[F]>> =>
  store.positions ? openSharedFeed(store, store.positions, name) : createFeed(store, name, newRun);

async function openSharedFeed<F extends FeedName>(
  store: Pick<Store, 'subscribe'>,
  positions: Positions,
  name: F,
): Promise<ChangeFeed<Feeds[F]>> {
  type C = Feeds[F];
  const listeners = createKeyedListeners<string, [change: C, event: string]>();
  const overs = createListeners();
  const spaces = new Map<string, SpaceHistory<C>>();
  let begins = positions.current();

  function remember(event: string, change: C): void {
    let history = spaces.get(change.space);
    if (!history) spaces.set(change.space, (history = { after: begins, entries: [] }));
    history.entries.push({ event, change });
    if (history.entries.length < 2 * maxRemembered) return;
    const left = history.entries.splice(0, maxRemembered);
    history.after = left.at(-1)?.event ?? history.after;
  }

  /** Heard while the recent changes are read, which come first. */
  let early: FeedEntry<C>[] | undefined = [];
  function hear(event: string, change: C): void {
    if (early) early.push({ event, change });
    else remember(event, change);
    if (listeners.has(change.space)) listeners.notify(change.space, change, event);
  }
  store.subscribe(name, (changes, at = []) => {
    changes.forEach((change, index) => hear(at[index] ?? positions.current(), change));
  });
  const { after, changes } = await positions.recent(name);
  begins = after;
  for (const { position, change } of changes) remember(position, change);
  for (const { event, change } of early) remember(event, change);
  early = undefined;

  return {
    subscribe(space, listener, over = () => {}) {
      const removals = [listeners.add(space, listener), overs.add(over)];
      return () => removals.forEach((remove) => remove());
    },
    restart() {
      spaces.clear();
      begins = positions.current();
      overs.notify();
    },
    position: positions.current,
    since(space, event) {
      const history = spaces.get(space) ?? { after: begins, entries: [] };
      if (isAfter(positions.current(), event) === undefined || isAfter(history.after, event) !== false)
        return undefined;
      return history.entries.filter((entry) => isAfter(entry.event, event));
    },
  };
}
