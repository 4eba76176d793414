/** Ends the app without losing anything: work that runs is finished first, once, however often the person asks. */

/** The part of Electron's `app` that this module needs. */
export interface Quittable {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  quit(): void;
}

export interface Ending {
  /** Asks the person, once per attempt; `false`: the person goes on working. */
  mayQuit(): Promise<boolean>;
  /** Finishes the work that runs. */
  close(): Promise<void>;
  /** Called when asking or finishing failed; the app ends all the same. */
  failed(error: unknown): void;
  /** Takes the last step instead of the app; returns `true` if that ends the app. */
  finish?(): boolean;
}

export interface Quitting {
  /** Whether the person has agreed to the end: windows may close now. */
  readonly isAgreed: boolean;
  /** Ends without asking: the machine is about to shut down. */
  now(): void;
}

/** Holds back each request to quit until the person has agreed and `close` has settled. */
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
    // Meanwhile the machine may have begun to shut down.
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

/** What a click on the window's cross means: on a Mac the app stays, with its recording, in the Dock. */
export const closingMeans = (platform: NodeJS.Platform): 'hide' | 'quit' => (platform === 'darwin' ? 'hide' : 'quit');
