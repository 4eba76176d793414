/**
 * A bounded queue that is fair at two levels: kinds take turns, and within a kind the askers take turns. So an asker with many
 * tasks waits alone, and quick tasks do not wait for all slow ones.
 */

/** Whose task it is, and of which kind. */
export interface Lane {
  readonly kind: string;
  /** The asker: an address. */
  readonly who: string;
}

export interface Lanes<T> {
  /** Adds the task. False if the lane is full, or all lanes of its kind are. */
  add(lane: Lane, item: T): boolean;
  /** Takes the task whose turn it is. */
  next(): T | undefined;
}

export interface LaneLimits {
  /** Tasks that may wait in one lane. */
  readonly lane: number;
  /** Tasks that may wait in all lanes of a kind. */
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
      // After its turn a lane goes to the end of the row.
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
