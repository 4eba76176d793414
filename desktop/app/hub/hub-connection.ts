/** Keeps a connection to a hub: pings, and the lease of its subscription. */
import type { WebSocket } from 'ws';
import type { Clock } from '../../../src/domain/clock.ts';

/** Proxies end a connection that is silent for a minute. */
const pingMs = 20_000;
/** How long a hub may take to confirm a subscription, in ms. */
const confirmingMs = 10_000;
/** A subscription is renewed after this part of its lease, and at least once a day. */
const renewedAfter = 0.8;
const maxRenewalMs = 86_400_000;

export interface Lease {
  /** The hub has confirmed it for so many seconds; `NaN`: it doesn't say. Returns whether this is the first time. */
  confirm(seconds: number): boolean;
  end(): void;
}

/** Ends a connection whose subscription the hub does not confirm, or does not renew. `renew`: whether the hub has taken it. */
export function holdLease(open: WebSocket, clock: Clock, renew: () => Promise<boolean>): Lease {
  let isConfirmed = false;
  let cancel = clock.schedule(clock.now() + confirmingMs, () => open.terminate());
  const renewIn = (ms: number): void => {
    cancel = clock.schedule(clock.now() + ms, () => {
      renewIn(ms);
      renew().then(
        (isTaken) => isTaken || open.terminate(),
        () => open.terminate(),
      );
    });
  };
  return {
    confirm(seconds) {
      cancel();
      if (seconds > 0) renewIn(Math.min(seconds * 1000 * renewedAfter, maxRenewalMs));
      const isFirst = !isConfirmed;
      isConfirmed = true;
      return isFirst;
    },
    end: () => cancel(),
  };
}

/** Ends a connection on which nothing comes back. `onPong`: something did. The returned function stops that. */
export function keepAlive(open: WebSocket, clock: Clock, onPong: () => void): () => void {
  let isAnswered = true;
  let cancel = (): void => {};
  open.on('pong', () => {
    isAnswered = true;
    onPong();
  });
  const ping = (): void => {
    if (!isAnswered) return open.terminate();
    isAnswered = false;
    open.ping();
    wait();
  };
  const wait = (): void => void (cancel = clock.schedule(clock.now() + pingMs, ping));
  open.on('open', wait);
  return () => cancel();
}
