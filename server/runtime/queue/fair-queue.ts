/**
 * A fair queue: work waits until it is due, then for a place in its lane. A lane (a client, an endpoint) has few places, and lanes
 * take turns, so that a slow or greedy lane does not delay others. The cost of a call hardly grows with the queue.
 */
import TinyQueue from 'tinyqueue';
import { elementAt } from '../../../src/domain/elements.ts';
import { findFirstIndex } from '../../../src/domain/binary-search.ts';

export interface Work {
  readonly id: string;
  /** The client or endpoint that the work belongs to. */
  readonly lane: string;
  /** When it may begin, in ms of the caller's clock. */
  readonly due: number;
}

export interface QueueLimits {
  /** Maximum of concurrent work per lane. */
  readonly perLane: number;
  /** Maximum of concurrent work in all lanes, without lingering work. */
  readonly total: number;
  /** Maximum of lingering work per lane that holds no place; default: none. */
  readonly lingering?: number;
}

/** Work in progress, until `end`. */
export interface Turn extends Pick<Work, 'id' | 'lane'> {
  /** Marks the work as long: frees its place among all lanes and, within `lingering`, in its lane. */
  linger(): void;
  end(): void;
}

interface Entry extends Work {
  state: 'waiting' | 'ready' | 'taken' | 'gone';
}

interface Lane {
  readonly name: string;
  /** Due work, earliest first. */
  readonly ready: TinyQueue<Entry>;
  /** Number of ready entries; `ready` also contains removed ones. */
  waiting: number;
  working: number;
  lingering: number;
  /** Whether the lane is in the row of lanes that take turns. */
  inRow: boolean;
}

const byTime = (a: Entry, b: Entry): number => a.due - b.due || (a.id < b.id ? -1 : 1);

export class FairQueue {
  #limits: Required<QueueLimits>;
  readonly #entries = new Map<string, Entry>();
  #waiting = new TinyQueue<Entry>([], byTime);
  readonly #lanes = new Map<string, Lane>();
  readonly #row: Lane[] = [];
  readonly #closed = new Set<string>();
  #working = 0;

  constructor(limits: QueueLimits) {
    this.#limits = { lingering: 0, ...limits };
  }

  /** Changes the number of places. Work in progress is unaffected. */
  limit(places: Pick<QueueLimits, 'perLane' | 'total'>): void {
    this.#limits = { ...this.#limits, ...places };
    // A lane that was full is not in the row.
    for (const lane of this.#lanes.values()) this.#offer(lane);
  }

  /** Whether the work waits or is in progress. */
  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Adds the work, or changes when it is due. Ignores work in progress: its worker adds it again. */
  put(work: Work): void {
    const present = this.#entries.get(work.id);
    if (present?.state === 'taken') return;
    if (present) this.#remove(present);
    const entry: Entry = { id: work.id, lane: work.lane, due: work.due, state: 'waiting' };
    this.#entries.set(work.id, entry);
    this.#waiting.push(entry);
  }

  /** Removes waiting work. Ignores work in progress. */
  drop(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.state === 'taken') return;
    this.#remove(entry);
    this.#entries.delete(id);
  }

  #remove(entry: Entry): void {
    const lane = entry.state === 'ready' ? this.#lanes.get(entry.lane) : undefined;
    if (lane) lane.waiting--;
    entry.state = 'gone';
  }

  /** Removes all work, even in progress. */
  clear(): void {
    this.#entries.clear();
    this.#waiting = new TinyQueue([], byTime);
    this.#lanes.clear();
    this.#row.length = 0;
    this.#closed.clear();
    this.#working = 0;
  }

  /** Holds back the work of the lane until `open`. */
  close(lane: string): void {
    this.#closed.add(lane);
  }

  open(lane: string): void {
    this.#closed.delete(lane);
    const waiting = this.#lanes.get(lane);
    if (waiting) this.#offer(waiting);
  }

  /** Takes the next due work that has a place; `now` by the same clock. */
  take(now: number): Turn | undefined {
    this.letIn(now);
    while (this.#working < this.#limits.total) {
      const lane = this.#row.shift();
      if (!lane) return undefined;
      lane.inRow = false;
      const entry = this.#closed.has(lane.name) ? undefined : nextIn(lane);
      if (!entry) {
        this.#tidy(lane);
        continue;
      }
      entry.state = 'taken';
      lane.working++;
      this.#working++;
      this.#offer(lane);
      return this.#turnOf(entry, lane);
    }
    return undefined;
  }

  /** Number of due and waiting entries of the lane. */
  waitingIn(lane: string): number {
    return this.#lanes.get(lane)?.waiting ?? 0;
  }

  /** Amount of work in progress, without lingering work. */
  get working(): number {
    return this.#working;
  }

  /**
   * Positions in line of those works that are due and wait; 1 is next. They follow from the lanes' turns, if no work ended and none
   * was added. Takes time in proportion to the works in their lanes.
   */
  findPlaces(ids: readonly string[]): Map<string, number> {
    const asked = new Map<string, Entry[]>();
    for (const id of ids) {
      const entry = this.#entries.get(id);
      if (entry?.state === 'ready') asked.set(entry.lane, [...(asked.get(entry.lane) ?? []), entry]);
    }
    const turns = new Map(this.#row.map((lane, turn) => [lane, turn]));
    const places = new Map<string, number>();
    for (const [name, entries] of asked) {
      const own = this.#lanes.get(name);
      if (!own) continue;
      const turn = turns.get(own) ?? Infinity;
      const others = [...this.#lanes.values()].filter((lane) => lane !== own);
      for (const [entry, rank] of rankEntries(entries, own)) {
        // Lanes that are earlier in the row get one more turn before this work.
        const before = others.map((lane) =>
          Math.min(lane.waiting, rank + Number((turns.get(lane) ?? Infinity) < turn)),
        );
        places.set(
          entry.id,
          before.reduce((sum, count) => sum + count, rank + 1),
        );
      }
    }
    return places;
  }

  /** When the next waiting work becomes due. */
  get nextDue(): number | undefined {
    return this.#nextWaiting()?.due;
  }

  /** The next waiting work, which stays in the queue. */
  #nextWaiting(): Entry | undefined {
    let next = this.#waiting.peek();
    for (; next?.state === 'gone'; next = this.#waiting.peek()) this.#waiting.pop();
    return next;
  }

  /** Moves due work into its lane; `take` does the same. */
  letIn(now: number): void {
    for (let entry = this.#nextWaiting(); entry && entry.due <= now; entry = this.#nextWaiting()) {
      this.#waiting.pop();
      entry.state = 'ready';
      let lane = this.#lanes.get(entry.lane);
      if (!lane) {
        const ready = new TinyQueue<Entry>([], byTime);
        this.#lanes.set(
          entry.lane,
          (lane = { name: entry.lane, ready, waiting: 0, working: 0, lingering: 0, inRow: false }),
        );
      }
      lane.ready.push(entry);
      lane.waiting++;
      this.#offer(lane);
    }
  }

  /** Appends the lane to the row if it has work and a free place. */
  #offer(lane: Lane): void {
    if (lane.inRow || this.#closed.has(lane.name)) return;
    if (lane.ready.length === 0 || lane.working >= this.#limits.perLane) return;
    lane.inRow = true;
    this.#row.push(lane);
  }

  #tidy(lane: Lane): void {
    const isIdle = !lane.inRow && lane.ready.length === 0 && lane.working === 0 && lane.lingering === 0;
    if (isIdle && this.#lanes.get(lane.name) === lane) this.#lanes.delete(lane.name);
  }

  #turnOf(entry: Entry, lane: Lane): Turn {
    /** Which place the work holds in its lane. */
    let place: 'working' | 'lingering' | 'none' = 'working';
    let isAmongAll = true;
    // After `clear`, this turn holds no place.
    const isForgotten = (): boolean => this.#entries.get(entry.id) !== entry;
    const leaveAll = (): void => {
      if (isAmongAll) this.#working--;
      isAmongAll = false;
    };
    return {
      id: entry.id,
      lane: lane.name,
      linger: () => {
        if (place !== 'working' || isForgotten()) return;
        leaveAll();
        if (lane.lingering >= this.#limits.lingering) return;
        place = 'lingering';
        lane.lingering++;
        lane.working--;
        this.#offer(lane);
      },
      end: () => {
        if (place === 'none' || isForgotten()) return;
        leaveAll();
        lane[place]--;
        place = 'none';
        this.#entries.delete(entry.id);
        this.#offer(lane);
        this.#tidy(lane);
      },
    };
  }
}

function nextIn(lane: Lane): Entry | undefined {
  let entry = lane.ready.pop();
  while (entry?.state === 'gone') entry = lane.ready.pop();
  if (entry) lane.waiting--;
  return entry;
}

/** Entries of a lane, each with the number of entries before it. */
function* rankEntries(entries: readonly Entry[], { ready }: Lane): Generator<readonly [Entry, number]> {
  /** Each with the number of other entries between it and its predecessor. */
  const sorted = entries.toSorted(byTime).map((entry) => ({ entry, between: 0 }));
  for (const other of ready.data) {
    if (other.state === 'gone') continue;
    const next = sorted.at(findFirstIndex(sorted.length, (at) => byTime(other, elementAt(sorted, at).entry) < 0));
    if (next) next.between += 1;
  }
  let rank = 0;
  for (const { entry, between } of sorted) yield [entry, (rank += between)];
}
