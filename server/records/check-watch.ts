/**
 * Applies second hearings that end after their records were made. Their only state is in the store, so a restarted server applies
 * them; transcriptions whose check was lost count as heard once.
 */
import { backoffDelay } from '../../src/domain/backoff.ts';
import { createOrder } from '../../src/domain/in-order.ts';
import { describeError } from '../../src/domain/describe-error.ts';
import type { Part } from '../storage/members.ts';
import { scan } from '../storage/scan.ts';
import type { LateCheckDeps } from './late-check.ts';
import { isUsed } from './transcriptions/stored-transcription.ts';

/** ms until the next attempt after a failure, as of storage. */
const backoff = { base: 5000, factor: 2, max: 300_000 };
/** Attempts at a check, about 20 minutes: after them its words count as heard once. */
const maxAttempts = 8;

/** `random`: a number from 0 to 1, for the pauses. */
interface CheckWatchDeps extends LateCheckDeps {
  readonly random: () => number;
}

/** `idle` resolves once nothing is being applied; later checks don't count. */
export function createCheckWatch(deps: CheckWatchDeps): Part & { idle(): Promise<void> } {
  const { store, clock, random, log } = deps;
  const inOrder = createOrder();
  let stopping = new AbortController();

  function look(work: (attempt: number) => Promise<void>, attempt = 1): void {
    const { signal } = stopping;
    inOrder(async () => {
      if (!signal.aborted) await work(attempt);
    }).catch((error: unknown) => {
      if (signal.aborted) return;
      log({ level: 'error', event: 'check_not_applied', attempt, ...describeError(error) });
      const at = clock.now() + backoffDelay(attempt, { ...backoff, random });
      const callOff = clock.schedule(at, () => look(work, attempt + 1));
      signal.addEventListener('abort', callOff, { once: true });
    });
  }
  const lookAt = (id: string): void =>
    look(async (attempt) => {
      const found = await store.get('transcriptions', id);
      if (!found || !isUsed(found) || found.checking) return;
      // Imported on demand, to keep the start fast.
      const { applyLateCheck } = await import('./late-check.ts');
      await applyLateCheck(deps, found, { isGivenUp: attempt > maxAttempts, signal: stopping.signal });
    });

  return {
    async start() {
      stopping.abort();
      stopping = new AbortController();
      const leave = store.watch('transcriptions', (ids) => ids.forEach(lookAt));
      stopping.signal.addEventListener('abort', leave, { once: true });
      look(async () => {
        for await (const each of scan(store, 'transcriptions')) if (isUsed(each)) lookAt(each.id);
      });
    },
    async stop() {
      stopping.abort();
      await inOrder.idle();
    },
    idle: inOrder.idle,
  };
}
