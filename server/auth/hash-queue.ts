/**
 * Pending hashes: bounded, and fair at two levels. Kinds take turns, and addresses take turns within a kind, so that
 * one address delays only itself and slow hashes don't block quick ones.
 */
import { valueAt } from '../../src/domain/elements.ts';
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
  const queues = new Map(
    Object.entries(limits).map(([kind, limit]) => [kind, { ...limit, addresses: createTurnOrder() }]),
  );
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
      const { perAddress, total, addresses } = valueAt(queues, kind);
      if (addresses.waitingIn(address) >= perAddress || kinds.waitingIn(kind) >= total) return false;
      // The queue orders work of one lane by id.
      const id = String((last += 1)).padStart(16, '0');
      tasks.set(id, task);
      for (const [queue, lane] of [
        [kinds, kind],
        [addresses, address],
      ] as const) {
        queue.put({ id, lane, due: 0 });
        queue.letIn(0);
      }
      return true;
    },
    next() {
      const kind = take(kinds);
      const turn = kind && take(valueAt(queues, kind.lane).addresses);
      if (!turn) return undefined;
      const task = tasks.get(turn.id);
      tasks.delete(turn.id);
      return task;
    },
  };
}
