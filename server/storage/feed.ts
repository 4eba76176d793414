/**
 * Passes committed changes to the followers of a worklist or of the records in this process, and remembers the latest
 * changes.
 */
import { createKeyedListeners, createListeners } from '../../src/domain/listeners.ts';
import type { FeedChange, FeedName, Feeds } from './feeds.ts';
import type { Store } from './store.ts';

/** A change in a feed; `event` is the change's position in the feed. */
export interface FeedEntry<C extends FeedChange> {
  readonly event: string;
  readonly change: C;
}

/** Passes the changes that commits publish to the followers of the worklist or of the records. */
export interface ChangeFeed<C extends FeedChange> {
  /**
   * Calls `listener` for each change in the space, with the change's event. Calls `over` when the feed restarts. The
   * returned function ends the subscription.
   */
  subscribe(space: string, listener: (change: C, event: string) => void, over?: () => void): () => void;
  /** Forgets all changes and makes every follower start again. Call it when every document may have changed. */
  restart(): void;
  /** The last event of the space, or the beginning of this feed. */
  position(space: string): string;
  /** The changes of the space after that event; `undefined` where this feed does not remember the event. */
  since(space: string, event: string): readonly FeedEntry<C>[] | undefined;
}

/** Number of changes of each space that are remembered for followers whose connection broke. */
const remembered = 1000;

/** The changes of one space: change number n (from 1) is at `n % remembered`. */
interface SpaceHistory<C> {
  count: number;
  readonly ring: C[];
}

/**
 * Makes a feed. The run in each event's id separates events from those before a restart, which the feed does not remember;
 * `newRun` names a run.
 */
export function createFeed<F extends FeedName>(
  store: Pick<Store, 'subscribe'>,
  name: F,
  newRun: () => string,
): ChangeFeed<Feeds[F]> {
  type C = Feeds[F];
  const listeners = createKeyedListeners<string, [change: C, event: string]>();
  const overs = createListeners();
  let run = newRun();
  const spaces = new Map<string, SpaceHistory<C>>();
  const eventOf = (number: number): string => `${run}.${number}`;
  const openHistory = (space: string): SpaceHistory<C> => {
    let history = spaces.get(space);
    if (!history) spaces.set(space, (history = { count: 0, ring: [] }));
    return history;
  };

  store.subscribe(name, (changes) => {
    for (const change of changes) {
      const history = openHistory(change.space);
      history.count += 1;
      history.ring[history.count % remembered] = change;
      if (listeners.has(change.space)) listeners.notify(change.space, change, eventOf(history.count));
    }
  });

  return {
    subscribe(space, listener, over = () => {}) {
      const removals = [listeners.add(space, listener), overs.add(over)];
      return () => removals.forEach((remove) => remove());
    },
    restart() {
      run = newRun();
      spaces.clear();
      overs.notify();
    },
    position: (space) => eventOf(spaces.get(space)?.count ?? 0),
    since(space, event) {
      const { count, ring } = spaces.get(space) ?? { count: 0, ring: [] };
      const number = Number(event.slice(run.length + 1));
      const isOurs = event === eventOf(number) && Number.isInteger(number) && number >= 0 && number <= count;
      if (!isOurs || count - number > remembered) return undefined;
      const missed: FeedEntry<C>[] = [];
      for (let next = number + 1; next <= count; next++) {
        const change = ring[next % remembered];
        if (!change) return undefined;
        missed.push({ event: eventOf(next), change });
      }
      return missed;
    },
  };
}
