/**
 * The app for one person. People come and go at the same page, and answers are late: after a login has ended, the
 * answer to a call that was made under it reaches nobody, neither the next person nor the same person's next login.
 * Each call says for whom it is made, since another tab of the browser may have logged in somebody else without this
 * page knowing.
 */
import { createListeners } from '../../../src/domain/listeners.ts';
import type { Bridge, BridgeError } from '../../bridge/bridge.ts';

/** The time during which one person works at this page: from a login or an unlocking to its end. */
export interface PageLogin {
  /** A new number for each login. */
  readonly id: number;
  /** Identifies the person; `null`: nobody is logged in, or the screen is locked. */
  readonly desk: string | null;
  /** Aborted when the login ends. */
  readonly ended: AbortSignal;
}

export interface PersonBridge {
  /** While nobody is logged in, calls reject with UNAUTHORIZED and send nothing. */
  readonly bridge: Bridge;
  /** Events were missed while the person was away. */
  isBack(): void;
}

const away: BridgeError = { code: 'UNAUTHORIZED', message: 'Whoever asks this is not logged in.' };

export interface PersonBridgeDeps {
  readonly app: Bridge;
  readonly login: () => PageLogin;
  /** Called with the error of a refused call, before the caller gets it. */
  refused(thrown: unknown): Promise<void>;
}

/** `desk`: that of the person; `null`: nobody is logged in. */
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
