/**
 * The app as one person has it. People come and go at the same page, and answers are late: what was asked under a login
 * that has ended is answered to nobody, neither to whoever came next nor to the same person's next login. Each call says
 * whose it is: in another tab of the browser somebody else may have logged in, of which this page has not heard yet.
 */
import type { Bridge, BridgeError } from '../../bridge/bridge.ts';

/** The time for which one person works at this page: from a login, or from unlocking, to the next end of that. */
export interface Login {
  /** Another one for each. */
  readonly id: number;
  /** Stands for the person; `null`: nobody is logged in, or the screen is locked. */
  readonly desk: string | null;
  /** Aborted when it is over. */
  readonly ended: AbortSignal;
}

export interface PersonBridge {
  /** Asked while the person is away, it refuses with UNAUTHORIZED and sends nothing. */
  readonly bridge: Bridge;
  /** Events were missed while the person was away. */
  isBack(): void;
}

const away: BridgeError = { code: 'UNAUTHORIZED', message: 'Whoever asks this is not logged in.' };

export interface PersonBridgeDeps {
  readonly app: Bridge;
  readonly login: () => Login;
  /** Told what the app refused, before whoever asked is. */
  refused(thrown: unknown): Promise<void>;
}

/** `desk`: the person's; `null`: nobody's. */
export function personBridge({ app, login, refused }: PersonBridgeDeps, desk: string | null): PersonBridge {
  const isHere = (): boolean => login().desk === desk;
  const gapListeners = new Set<() => void>();
  const tellGap = (): void => {
    for (const listener of gapListeners) listener();
  };
  app.onGap(() => {
    if (isHere()) tellGap();
  });
  return {
    bridge: {
      call(name, input, bytes, signal) {
        if (desk === null || !isHere()) return Promise.reject(away);
        const { ended } = login();
        return new Promise((resolve, reject) => {
          const inTime =
            <T>(settle: (how: T) => void) =>
            (how: T): void => {
              if (!ended.aborted) settle(how);
            };
          app.call(name, input, bytes, signal, desk).then(inTime(resolve), async (thrown: unknown) => {
            if (!ended.aborted) await refused(thrown);
            inTime(reject)(thrown);
          });
        });
      },
      on: (name, listener) =>
        app.on(name, (data) => {
          if (isHere()) listener(data);
        }),
      onGap(listener) {
        gapListeners.add(listener);
        return () => void gapListeners.delete(listener);
      },
      address: (file) => app.address(file),
    },
    isBack: tellGap,
  };
}
