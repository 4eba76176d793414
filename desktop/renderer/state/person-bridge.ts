/**
 * The app as one person has it. People come and go at the same page, and answers are late: what was asked under a login
 * that has ended is answered to nobody, neither to whoever came next nor to the same person's next login.
 */
import type { Bridge, BridgeError } from '../../bridge.ts';
import type { Login } from './bridge.ts';

export interface PersonBridge {
  /** Asked while the person is away, it refuses with UNAUTHORIZED and sends nothing. */
  readonly bridge: Bridge;
  /** Events were missed while the person was away. */
  isBack(): void;
}

const away: BridgeError = { code: 'UNAUTHORIZED', message: 'Whoever asks this is not logged in.' };

export function personBridge(app: Bridge, desk: string | null, login: () => Login): PersonBridge {
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
      call(...asked) {
        if (!isHere()) return Promise.reject(away);
        const { ended } = login();
        return new Promise((resolve, reject) => {
          const inTime =
            <T>(settle: (how: T) => void) =>
            (how: T): void => {
              if (!ended.aborted) settle(how);
            };
          app.call(...asked).then(inTime(resolve), inTime(reject));
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
