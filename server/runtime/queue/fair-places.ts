/** Limits concurrent work; waiting clients take turns. */
import { FairQueue } from './fair-queue.ts';
import type { QueueLimits, Turn } from './fair-queue.ts';

export interface FairPlaces {
  /**
   * Waits for a place; resolves to a function that frees it, which may be called repeatedly. Work of one lane is limited separately.
   * Rejects with the signal's reason as soon as it is aborted.
   */
  enter(lane: string, signal: AbortSignal): Promise<() => void>;
}

export function createFairPlaces(limits: Pick<QueueLimits, 'perLane' | 'total'>): FairPlaces {
  const queue = new FairQueue(limits);
  const waiting = new Map<string, (turn: Turn) => void>();
  let last = 0;

  function letIn(): void {
    for (let turn = queue.take(0); turn; turn = queue.take(0)) {
      const admit = waiting.get(turn.id);
      waiting.delete(turn.id);
      if (admit) admit(turn);
      else turn.end();
    }
  }

  return {
    async enter(lane, signal) {
      signal.throwIfAborted();
      // Within a lane, the queue orders work by id.
      const id = String((last += 1)).padStart(16, '0');
      const { promise, resolve, reject } = Promise.withResolvers<Turn>();
      const abort = (): void => {
        if (!waiting.delete(id)) return;
        queue.drop(id);
        reject(signal.reason);
      };
      signal.addEventListener('abort', abort, { once: true });
      waiting.set(id, resolve);
      queue.put({ id, lane, due: 0 });
      letIn();
      const turn = await promise.finally(() => signal.removeEventListener('abort', abort));
      return () => {
        turn.end();
        letIn();
      };
    },
  };
}
