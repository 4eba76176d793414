/**
 * Whose turn it is, of work that waits for its time and then for a place. Each lane (a client, an endpoint) has few places,
 * and lanes take turns, so that one that asks for much or is slow holds up nobody else. A call costs about the same
 * however much waits.
 */
import TinyQueue from 'tinyqueue';

export interface Work {
  readonly id: string;
  /** On whose account it is. */
  readonly lane: string;
  /** When it may begin, in ms since 1970. */
  readonly due: number;
}

export interface QueueLimits {
  /** Worked at at the same time, of one lane. */
  readonly perLane: number;
  /** Worked at at the same time, of all lanes; what lingers does not count. */
  readonly total: number;
  /** Of one lane, lingering without a place in it; default: none. */
  readonly lingering?: number;
  /** ms: what waits for longer than anything is made to wait does so for a clock that was set back, and is due. */
  readonly longestWait?: number;
}

/** Work that was taken, until it has ended. */
export interface Turn extends Pick<Work, 'id' | 'lane'> {
  /** It takes long: its place among all goes to another lane, and, as far as the limits let, that in its lane to the next. */
  linger(): void;
  end(): void;
}

interface Entry extends Work {
  state: 'waiting' | 'ready' | 'taken' | 'gone';
}

interface Lane {
  readonly name: string;
  /** Due, the earliest first. */
  readonly ready: TinyQueue<Entry>;
  working: number;
  lingering: number;
  /** Whether it stands in the row of those whose turn comes. */
  inRow: boolean;
}

const byTime = (a: Entry, b: Entry): number => a.due - b.due || (a.id < b.id ? -1 : 1);

export class FairQueue {
  readonly #limits: Required<QueueLimits>;
  readonly #entries = new Map<string, Entry>();
  #waiting = new TinyQueue<Entry>([], byTime);
  readonly #lanes = new Map<string, Lane>();
  readonly #row: Lane[] = [];
  readonly #closed = new Set<string>();
  #working = 0;

  constructor(limits: QueueLimits) {
    this.#limits = { lingering: 0, longestWait: Infinity, ...limits };
  }

  /** Whether it waits or is worked at. */
  has(id: string): boolean {
    return this.#entries.has(id);
  }

  /** Lets it wait, or changes when it is due. Nothing happens while it is worked at: whoever does puts it again. */
  put(work: Work): void {
    const present = this.#entries.get(work.id);
    if (present?.state === 'taken') return;
    if (present) present.state = 'gone';
    const entry: Entry = { id: work.id, lane: work.lane, due: work.due, state: 'waiting' };
    this.#entries.set(work.id, entry);
    this.#waiting.push(entry);
  }

  /** Lets it wait no longer. Nothing happens while it is worked at. */
  drop(id: string): void {
    const entry = this.#entries.get(id);
    if (!entry || entry.state === 'taken') return;
    entry.state = 'gone';
    this.#entries.delete(id);
  }

  /** Forgets everything; turns that were taken count no longer. */
  clear(): void {
    this.#entries.clear();
    this.#waiting = new TinyQueue([], byTime);
    this.#lanes.clear();
    this.#row.length = 0;
    this.#closed.clear();
    this.#working = 0;
  }

  /** Nothing of that lane is taken until it is opened. */
  close(lane: string): void {
    this.#closed.add(lane);
  }

  open(lane: string): void {
    this.#closed.delete(lane);
    const waiting = this.#lanes.get(lane);
    if (waiting) this.#offer(waiting);
  }

  /** The next that is due and has a place; `now` in ms since 1970. */
  take(now: number): Turn | undefined {
    this.#letIn(now);
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

  /** When the next of those that wait for their time is due, in ms since 1970. */
  get nextDue(): number | undefined {
    while (this.#waiting.peek()?.state === 'gone') this.#waiting.pop();
    return this.#waiting.peek()?.due;
  }

  /** From waiting for their time to waiting for their turn. */
  #letIn(now: number): void {
    for (let due = this.nextDue; due !== undefined; due = this.nextDue) {
      if (due > now && due <= now + this.#limits.longestWait) return;
      const entry = this.#waiting.pop()!;
      entry.state = 'ready';
      let lane = this.#lanes.get(entry.lane);
      if (!lane) {
        const ready = new TinyQueue<Entry>([], byTime);
        this.#lanes.set(entry.lane, (lane = { name: entry.lane, ready, working: 0, lingering: 0, inRow: false }));
      }
      lane.ready.push(entry);
      this.#offer(lane);
    }
  }

  /** Puts the lane at the end of the row, if it has something to do and a place for it. */
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
    /** In its lane. */
    let place: 'working' | 'lingering' | 'none' = 'working';
    let isAmongAll = true;
    // After a clear, these places are nobody's any more.
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

function nextIn({ ready }: Lane): Entry | undefined {
  let entry = ready.pop();
  while (entry?.state === 'gone') entry = ready.pop();
  return entry;
}
