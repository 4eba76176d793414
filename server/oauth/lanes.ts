/**
 * A queue that is fair at two levels, and bounded: kinds take turns, and within a kind those who ask, so that whoever asks a
 * lot waits alone, and what is quick does not wait for all that is slow.
 */

/** Who waits for what. */
export interface Lane {
  readonly kind: string;
  /** Whose turn it is: an address. */
  readonly who: string;
}

export interface Lanes<T> {
  /** False where the lane, or all of them, are full. */
  add(lane: Lane, item: T): boolean;
  /** The next one in turn. */
  next(): T | undefined;
}

export interface LaneLimits {
  /** Waiting in one lane. */
  readonly lane: number;
  /** Waiting in all lanes of a kind. */
  readonly kind: number;
}

interface Kind<T> {
  waiting: number;
  readonly lanes: Map<string, T[]>;
}

export function createLanes<T>(limits: Readonly<Record<string, LaneLimits>>): Lanes<T> {
  const kinds = new Map<string, Kind<T>>();
  return {
    add({ kind: name, who }, item) {
      const kind = kinds.get(name) ?? { waiting: 0, lanes: new Map<string, T[]>() };
      const lane = kind.lanes.get(who) ?? [];
      const most = limits[name]!;
      if (lane.length >= most.lane || kind.waiting >= most.kind) return false;
      lane.push(item);
      kind.waiting++;
      kinds.set(name, kind);
      kind.lanes.set(who, lane);
      return true;
    },
    next() {
      const [name, kind] = first(kinds);
      if (name === undefined || !kind) return undefined;
      const [who, lane = []] = first(kind.lanes);
      const item = lane.shift();
      kind.waiting--;
      // Whoever had a turn goes to the end of the row.
      kind.lanes.delete(who!);
      if (lane.length > 0) kind.lanes.set(who!, lane);
      kinds.delete(name);
      if (kind.waiting > 0) kinds.set(name, kind);
      return item;
    },
  };
}

const first = <V>(map: ReadonlyMap<string, V>): readonly [string, V] | readonly [] => {
  for (const entry of map) return entry;
  return [];
};
