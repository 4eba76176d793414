/** Tells those who follow a worklist, inside this process, what was committed. */
import type { ChangeFeed, ItemChange } from './services.ts';

type Listener = (change: ItemChange) => void;

export function createFeed(): ChangeFeed {
  const listeners = new Map<string, Set<Listener>>();
  return {
    publish(changes) {
      for (const change of changes) for (const listener of listeners.get(change.space) ?? []) listener(change);
    },
    subscribe(space, listener) {
      const inSpace = listeners.get(space) ?? new Set();
      listeners.set(space, inSpace.add(listener));
      return () => {
        inSpace.delete(listener);
        if (inSpace.size === 0 && listeners.get(space) === inSpace) listeners.delete(space);
      };
    },
  };
}
