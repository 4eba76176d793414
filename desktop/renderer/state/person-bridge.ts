/**
 * The app for one person. The person at a page changes and answers arrive late: once a login has ended, the answer to a
 * call made under it is dropped, also for the same person's next login. Each call names its person, since another tab
 * of the browser may have logged in somebody else without this page noticing.
 */
import { createListeners } from '../../../src/domain/listeners.ts';
import type { Bridge, BridgeError } from '../../bridge/bridge.ts';

/** The period during which one person works at this page: from login or unlocking until its end. */
export interface PageLogin {
  /** Increases with each login. */
  readonly id: number;
  /** Identifies the person; `null`: nobody is logged in, or the screen is locked. */
  readonly desk: string | null;
  /** Aborted when the login ends. */
  readonly ended: AbortSignal;
}

export interface PersonBridge {
  /** Without a login, calls reject with UNAUTHORIZED and send nothing. */
  readonly bridge: Bridge;
  /** Reports that events were missed while the person was away. */
  isBack(): void;
}

const away: BridgeError = { code: 'UNAUTHORIZED', message: '' };

export interface PersonBridgeDeps {
  readonly app: Bridge;
  readonly login: () => PageLogin;
  /** Called with the error of a refused call before the caller receives it. */
  refused(thrown: unknown): Promise<void>;
}

/** `desk`: the person's desk; `null`: nobody is logged in. */
export function personBridge({ app, login, refused }: PersonBridgeDeps, desk: string | null): PersonBridge {
  const isHere = (): boolean => login().desk === desk;
  const gapListeners = createListeners();
  app.onGap(() => {
    if (isHere()) gapListeners.notify();
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
      onGap: gapListeners.add,
      address: (file) => app.address(file),
    },
    isBack: () => gapListeners.notify(),
  };
}
