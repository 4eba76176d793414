/**
 * Pending hashes: bounded, and fair at two levels. Kinds take turns, and addresses take turns within a kind, so that
 * one address delays only itself and slow hashes don't block quick ones.
 */
import { FairQueue } from '../runtime/queue/fair-queue.ts';

/** The kind of a hash, and the requester. */
export interface HashRequester {
  readonly kind: string;
  /** The address of the request. */
  readonly address: string;
}

export interface HashQueue<T> {
  /** Adds the task. Returns false if the address or the kind has too many. */
  add(asker: HashRequester, task: T): boolean;
  /** Takes the next task. */
  next(): T | undefined;
}

export interface HashLimits {
  /** Pending tasks of one address. */
  readonly perAddress: number;
  /** Pending tasks of one kind. */
  readonly total: number;
}

/** A queue that only orders; this module checks the limits. */
const createTurnOrder = (): FairQueue => new FairQueue({ perLane: Infinity, total: Infinity });

export function createHashQueue<T>(limits: Readonly<Record<string, HashLimits>>): HashQueue<T> {
  const kinds = createTurnOrder();
  const addresses = new Map(Object.keys(limits).map((kind) => [kind, createTurnOrder()]));
  const tasks = new Map<string, T>();
  let last = 0;

  /** Takes the next lane and id. The work counts as ended for the queue. */
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
      // The queue orders work of one lane by id.
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
