/**
 * The hashes that wait: bounded, and fair at two levels. Kinds take turns, and within a kind the addresses do. So an address with
 * many hashes waits alone, and quick hashes do not wait for all slow ones.
 */
import { FairQueue } from '../runtime/queue/fair-queue.ts';

/** On whose account a hash is computed, and of which kind it is. */
export interface Asker {
  readonly kind: string;
  /** The address that the request came from. */
  readonly address: string;
}

export interface HashQueue<T> {
  /** Adds the task. False if the address has too many, or its kind has. */
  add(asker: Asker, task: T): boolean;
  /** Takes the task whose turn it is. */
  next(): T | undefined;
}

export interface HashLimits {
  /** Tasks of one address that may wait. */
  readonly perAddress: number;
  /** Tasks of a kind that may wait. */
  readonly total: number;
}

/** A queue that says in which order, and bounds nothing. */
const createTurnOrder = (): FairQueue => new FairQueue({ perLane: Infinity, total: Infinity });

export function createHashQueue<T>(limits: Readonly<Record<string, HashLimits>>): HashQueue<T> {
  const kinds = createTurnOrder();
  const addresses = new Map(Object.keys(limits).map((kind) => [kind, createTurnOrder()]));
  const tasks = new Map<string, T>();
  let last = 0;

  /** Takes the next lane of the queue and the id of its work, which has ended for the queue. */
  const take = (queue: FairQueue): { readonly lane: string; readonly id: string } | undefined => {
    const turn = queue.take(0);
    turn?.end();
    return turn;
  };

  return {
    add({ kind, address }, task) {
      const ofKind = addresses.get(kind)!;
      const { perAddress, total } = limits[kind]!;
      if (ofKind.waitingIn(address) >= perAddress || kinds.waitingIn(kind) >= total) return false;
      // The queue takes work of one lane in the order of the ids.
      const id = String((last += 1)).padStart(16, '0');
      tasks.set(id, task);
      for (const [queue, lane] of [
        [kinds, kind],
        [ofKind, address],
      ] as const) {
        queue.put({ id, lane, due: 0 });
        queue.letIn(0);
      }
      return true;
    },
    next() {
      const kind = take(kinds);
      const turn = kind && take(addresses.get(kind.lane)!);
      if (!turn) return undefined;
      const task = tasks.get(turn.id);
      tasks.delete(turn.id);
      return task;
    },
  };
}
