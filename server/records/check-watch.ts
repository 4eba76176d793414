/**
 * Applies second hearings that end after their records were made. Their only state is in the store, so a restarted server applies
 * them; transcriptions whose check was lost count as heard once.
 */
import { createOrder } from '../../src/domain/in-order.ts';
import { describeError } from '../../src/domain/describe-error.ts';
import type { Part } from '../storage/members.ts';
import { scan } from '../storage/scan.ts';
import type { LateCheckDeps } from './late-check.ts';
import { isUsed } from './transcriptions/stored-transcription.ts';
import type { StoredTranscription } from './transcriptions/stored-transcription.ts';

/** ms until the next attempt after a failure, as of storage. */
const failurePause = 5000;

/** `idle` resolves once nothing is being applied; later checks don't count. */
export function createCheckWatch(deps: LateCheckDeps): Part & { idle(): Promise<void> } {
  const { store, clock, log } = deps;
  const inOrder = createOrder();
  let stopping = new AbortController();

  const apply = async (found: StoredTranscription | undefined): Promise<void> => {
    if (!found || !isUsed(found) || found.checking) return;
    // Imported on demand, to keep the start fast.
    const { applyLateCheck } = await import('./late-check.ts');
    await applyLateCheck(deps, found, stopping.signal);
  };

  function look(work: () => Promise<void>): void {
    const { signal } = stopping;
    inOrder(async () => {
      if (!signal.aborted) await work();
    }).catch((error: unknown) => {
      if (signal.aborted) return;
      log({ level: 'error', event: 'check_not_applied', ...describeError(error) });
      const callOff = clock.schedule(clock.now() + failurePause, () => look(work));
      signal.addEventListener('abort', callOff, { once: true });
    });
  }

  return {
    async start() {
      stopping.abort();
      stopping = new AbortController();
      const leave = store.watch('transcriptions', (ids) =>
        look(async () => {
          for (const id of ids) await apply(await store.get('transcriptions', id));
        }),
      );
      stopping.signal.addEventListener('abort', leave, { once: true });
      look(async () => {
        for await (const each of scan(store, 'transcriptions')) await apply(each);
      });
    },
    async stop() {
      stopping.abort();
      await inOrder.idle();
    },
    idle: inOrder.idle,
  };
}
