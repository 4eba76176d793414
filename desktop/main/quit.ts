/** The end of the app: nothing is lost, and what runs is finished first, once, however often the person asks. */

/** The part of Electron's `app` that is needed. */
export interface Quittable {
  on(event: 'before-quit', listener: (event: { preventDefault(): void }) => void): unknown;
  quit(): void;
}

export interface Ending {
  /** Asked once per attempt; `false`: the person goes on working. */
  mayQuit(): Promise<boolean>;
  /** Finishes what runs. */
  close(): Promise<void>;
  /** Told when one of the two failed; the app ends nevertheless. */
  failed(error: unknown): void;
  /** The last step where it is not the app's own: it ends the app, and `true` says so. */
  finish?(): boolean;
}

export interface Quitting {
  /** Whether the end was agreed upon: windows may close now. */
  readonly isAgreed: boolean;
  /** Ends without asking: the machine is about to be switched off. */
  now(): void;
}

/** Holds each request to quit back until it was agreed to and `close` has settled. */
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
    // Meanwhile the machine may have begun to switch itself off.
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
