/**
 * Passes committed changes to the followers of a worklist or of the records in this process, and remembers the latest
 * changes.
 */
import type { ChangeFeed } from '../services.ts';
import type { FeedName, Feeds } from './feeds.ts';
import type { Store } from './store.ts';

/** Number of changes of each space that are remembered for followers whose connection broke. */
const remembered = 1000;

/** The changes of one space: change number n (from 1) is at `n % remembered`. */
interface SpaceHistory<C> {
  count: number;
  readonly ring: C[];
}

/**
 * Makes a feed. The run in each event's id tells events from those before a restart, which the feed does not remember;
 * `newRun` names a run.
 */
export function createFeed<F extends FeedName>(
  store: Pick<Store, 'subscribe'>,
  name: F,
  newRun: () => string,
): ChangeFeed<Feeds[F]> {
  type C = Feeds[F];
  const listeners = new Map<string, Set<(change: C, event: string) => void>>();
  const overs = new Set<() => void>();
  let run = newRun();
  const spaces = new Map<string, SpaceHistory<C>>();
  const eventOf = (number: number): string => `${run}.${number}`;
  const historyOf = (space: string): SpaceHistory<C> => {
    let history = spaces.get(space);
    if (!history) spaces.set(space, (history = { count: 0, ring: [] }));
    return history;
  };

  store.subscribe(name, (changes) => {
    for (const change of changes) {
      const history = historyOf(change.space);
      history.count += 1;
      history.ring[history.count % remembered] = change;
      const following = listeners.get(change.space);
      if (!following) continue;
      const event = eventOf(history.count);
      for (const listener of following) listener(change, event);
    }
  });

  return {
    subscribe(space, listener, over = () => {}) {
      const inSpace = listeners.get(space) ?? new Set();
      listeners.set(space, inSpace.add(listener));
      overs.add(over);
      return () => {
        overs.delete(over);
        inSpace.delete(listener);
        if (inSpace.size === 0 && listeners.get(space) === inSpace) listeners.delete(space);
      };
    },
    restart() {
      run = newRun();
      spaces.clear();
      for (const over of overs) over();
    },
    position: (space) => eventOf(spaces.get(space)?.count ?? 0),
    since(space, event) {
      const { count, ring } = spaces.get(space) ?? { count: 0, ring: [] };
      const number = Number(event.slice(run.length + 1));
      const isOurs = event === eventOf(number) && Number.isInteger(number) && number >= 0 && number <= count;
      if (!isOurs || count - number > remembered) return undefined;
      return Array.from({ length: count - number }, (_, at) => ({
        event: eventOf(number + at + 1),
        change: ring[(number + at + 1) % remembered]!,
      }));
    },
  };
}
