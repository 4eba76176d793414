/**
 * Commits drafts. Those that are ready together share one transaction of the database, a train, as commits that wait together share one
 * write of a disk. A draft that read something that an earlier one of the train writes waits for the next.
 */
import type { Connection, Connections, TakenConnection } from './connections.ts';
import type { Draft, DraftKeys } from './draft.ts';
import { isAnswered, isConflict, toStoreError } from './failures.ts';
import type { Journeys } from './journey.ts';

/** How a draft ended. */
export type Verdict =
  /** `x`: the transaction that wrote it; null where it wrote nothing, or the database did not say. */
  | { readonly isCommitted: true; readonly x: string | null }
  /** Something that it read has changed, and its work has to run again. `keys`: where it met others. */
  | { readonly isCommitted: false; readonly keys: ReadonlySet<string>; readonly isCareful: boolean };

export interface Trains {
  /** Settles once the draft is durable, or stale. Rejects with an AppError otherwise: nothing has changed, or OUTCOME_UNKNOWN. */
  commit(draft: Draft): Promise<Verdict>;
  /** Runs the work while nobody else commits. */
  commitAlone(run: (connection: Connection) => Promise<Draft>): Promise<Verdict>;
}

interface WaitingDraft {
  readonly draft: Draft;
  readonly keys: DraftKeys;
  /** Travels alone: its train failed, perhaps because of it. */
  readonly isAlone: boolean;
  settle(verdict: Verdict): void;
  fail(error: unknown): void;
}

/** Trains of one process that are under way at a time. The second one leaves only where it pays: full trains cost least. */
const maxTrains = 2;
const maxDrafts = 64;
/** Keys of those that wait: a train of so many need not wait for the one under way. */
const manyKeys = 150;
/** In ms: a train that takes longer waits for somebody, and others go on without it. */
const patience = 25;
/** Locks of one train: the server has some 6000 places for all. */
const maxKeys = 1000;

const noKeys: ReadonlySet<string> = new Set();
/** An id that seemed to be new is there. */
const metSomebody: Verdict = { isCommitted: false, keys: noKeys, isCareful: true };

export function createTrains(connections: Pick<Connections, 'take'>, journeys: Journeys): Trains {
  let queue: WaitingDraft[] = [];
  let underWay = 0;
  /** Trains that left a moment ago. */
  let inTime = 0;
  let isCalled = false;

  /** Lets trains leave, once all that is ready now has come. */
  function call(): void {
    if (isCalled) return;
    isCalled = true;
    setImmediate(() => {
      isCalled = false;
      while (queue.length > 0 && mayLeave()) {
        const [riding, left] = fillTrain(queue);
        queue = left;
        void watchRide(ride(riding)).then(() => {
          if (queue.length > 0) call();
        });
      }
    });
  }

  const mayLeave = (): boolean =>
    underWay < maxTrains && (inTime === 0 || queue.reduce((sum, { keys }) => sum + countKeys(keys), 0) >= manyKeys);

  async function watchRide(ride: Promise<void>): Promise<void> {
    underWay++;
    inTime++;
    let isLate = false;
    const watch = setTimeout(() => {
      isLate = true;
      inTime--;
      call();
    }, patience);
    await ride;
    clearTimeout(watch);
    underWay--;
    if (!isLate) inTime--;
  }

  /** Settles each of the drafts, or lets it wait again. */
  async function ride(riding: readonly WaitingDraft[]): Promise<void> {
    let connection: TakenConnection | undefined;
    try {
      connection = await connections.take();
      const drafts = riding.map(({ draft }) => draft);
      const keys = mergeKeys(riding);
      const { stale, x } = await journeys.make(connection, drafts, keys.size > maxKeys ? undefined : keys);
      const written = new Set<string>();
      for (const each of riding) {
        if (stale.has(each.draft)) each.settle({ isCommitted: false, keys: each.keys.read, isCareful: false });
        else {
          for (const key of each.keys.written) written.add(key);
          each.settle({ isCommitted: true, x });
        }
      }
      sendBack(written);
    } catch (error) {
      breakUp(riding, error);
    } finally {
      connection?.give();
    }
  }

  /** Those that wait and read what was written meanwhile need no proof to know it. */
  function sendBack(written: ReadonlySet<string>): void {
    queue = queue.filter(({ keys, settle }) => {
      const met = [...keys.read].filter((key) => written.has(key));
      if (met.length > 0) settle({ isCommitted: false, keys: new Set(met), isCareful: false });
      return met.length === 0;
    });
  }

  function breakUp(riding: readonly WaitingDraft[], error: unknown): void {
    const isForOne = isAnswered(error) && riding.length > 1;
    for (const each of riding) {
      if (isConflict(error)) each.settle(metSomebody);
      else if (isForOne) queue.push({ ...each, isAlone: true });
      else each.fail(toStoreError(error));
    }
  }

  return {
    commit: (draft) =>
      new Promise<Verdict>((settle, fail) => {
        queue.push({ draft, keys: draft.keys(), settle, fail, isAlone: false });
        call();
      }),
    async commitAlone(run) {
      const connection = await connections.take();
      try {
        const { x } = await journeys.makeAlone(connection, run);
        return { isCommitted: true, x };
      } catch (error) {
        if (isConflict(error)) return metSomebody;
        throw toStoreError(error);
      } finally {
        connection.give();
      }
    },
  };
}

/** Those that can travel together, and those that stay. */
function fillTrain(queue: readonly WaitingDraft[]): [riding: WaitingDraft[], left: WaitingDraft[]] {
  const riding: WaitingDraft[] = [];
  const left: WaitingDraft[] = [];
  const written = new Set<string>();
  let count = 0;
  for (const each of queue) {
    const { read, written: changed } = each.keys;
    const size = countKeys(each.keys);
    const isFull = riding.length >= maxDrafts || (riding[0]?.isAlone ?? false) || count + size > maxKeys;
    if (riding.length > 0 && (isFull || each.isAlone || meets(read, written))) left.push(each);
    else {
      riding.push(each);
      count += size;
    }
    // A draft that stays keeps its place before later ones that touch the same.
    for (const key of changed) written.add(key);
  }
  return [riding, left];
}

const countKeys = ({ read, written }: DraftKeys): number => read.size + written.size;

function meets(read: ReadonlySet<string>, written: ReadonlySet<string>): boolean {
  for (const key of read) if (written.has(key)) return true;
  return false;
}

/** For each key whether somebody writes it. */
function mergeKeys(riding: readonly WaitingDraft[]): Map<string, boolean> {
  const keys = new Map<string, boolean>();
  for (const each of riding) for (const key of each.keys.read) keys.set(key, false);
  for (const each of riding) for (const key of each.keys.written) keys.set(key, true);
  return keys;
}
