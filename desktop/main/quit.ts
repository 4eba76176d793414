/** Quits the app without losing anything: running work is finished first, once, however often the person asks. */

/** The part of Electron's `app` that this module uses. */
export interface Quittable {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  quit(): void;
}

export interface Ending {
  /** Asks the person, once per attempt; `false`: the app stays open. */
  mayQuit(): Promise<boolean>;
  /** Finishes running work. */
  close(): Promise<void>;
  /** Called if asking or finishing failed; the app quits anyway. */
  failed(error: unknown): void;
  /** Performs the last step instead of the app; returns `true` if that quits the app. */
  finish?(): boolean;
}

export interface Quitting {
  /** Whether the person has agreed to quit: windows can close now. */
  readonly isAgreed: boolean;
  /** Quits without asking: the computer is about to shut down. */
  now(): void;
}

/** Delays each request to quit until the person has agreed and `close` has settled. */
export function quitSafely(app: Quittable, { mayQuit, close, failed, finish }: Ending): Quitting {
  let state: 'running' | 'asking' | 'closing' | 'closed' = 'running';
  const end = async (): Promise<void> => {
    state = 'closing';
    await close().catch(failed);
    state = 'closed';
    if (finish?.() !== true) app.quit();
  };
  const ask = async (): Promise<void> => {
    state = 'asking';
    const agreed = await mayQuit().catch((error: unknown) => {
      failed(error);
      return true;
    });
    // The computer may have started to shut down in the meantime.
    if (state !== 'asking') return;
    if (agreed) await end();
    else state = 'running';
  };
  app.on('before-quit', (event) => {
    if (state === 'closed') return;
    event.preventDefault();
    if (state === 'running') void ask();
  });
  return {
    get isAgreed() {
      return state === 'closing' || state === 'closed';
    },
    now() {
      if (state === 'running' || state === 'asking') void end();
    },
  };
}

/** The effect of closing the window: on a Mac the app stays in the Dock, with its recording. */
export const closingMeans = (platform: NodeJS.Platform): 'hide' | 'quit' => (platform === 'darwin' ? 'hide' : 'quit');
