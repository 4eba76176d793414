/** Limits the time of a request. */
import { pageMessage } from '../../../../src/contract/messages/page.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';

/** After `ms`, aborts `signal` and rejects with NETWORK, even if nothing listens to the signal. */
export const withTimeout = <T>(clock: Clock, ms: number, ask: (signal: AbortSignal) => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    const controller = new AbortController();
    const callOff = clock.schedule(clock.now() + ms, () => {
      reject({ code: 'NETWORK', message: pageMessage('silent') } satisfies BridgeError);
      controller.abort();
    });
    ask(controller.signal).then(resolve, reject).finally(callOff);
  });
