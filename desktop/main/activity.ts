/** Tracks the work in the window for the shell, from the calls and events of the page. Independent of Electron. */
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { createBell } from '../../src/domain/bell.ts';
import type { App } from '../app/page/app.ts';
import type { AppSettings } from '../bridge/settings.ts';
import type { CallInput, CallName, CallOutput } from '../bridge/calls.ts';
import type { Dictation } from '../bridge/dictation.ts';
import type { SessionState } from '../bridge/session.ts';

export interface Activity {
  readonly session: SessionState | undefined;
  /** Ids of the dictations being recorded. */
  readonly recording: readonly string[];
  /** The settings of the person who is logged in. */
  readonly settings: AppSettings | undefined;
}

/** Whether somebody works here now: logged in, with an unlocked screen. */
export const isAtWork = ({ session }: Activity): boolean => session?.phase === 'ready' || session?.phase === 'expired';

/** Whether the person at work has chosen to dictate into other programs. */
export const mayDictateAnywhere = (activity: Activity): boolean =>
  isAtWork(activity) && (activity.settings?.anywhere ?? null) !== null;

export interface FollowedApp extends App {
  readonly activity: Activity;
  /** Reads everything initially. */
  refresh(): Promise<void>;
  /** Resolves when nothing is being recorded. */
  whenQuiet(): Promise<void>;
  /** Resolves when no dictation is recorded or paused. */
  whenSealed(): Promise<void>;
  /**
   * Ends every take. A take that can't be ended (the screen is locked) ends with the app; its audio is on disk either
   * way.
   */
  pauseAll(): Promise<void>;
}

export interface ActivityListener {
  changed(activity: Activity): void;
  /** Called when the service has made a record of a dictation. */
  documentReady(dictation: Dictation): void;
}

/** Wraps the app so that `listener` receives every call and event. */
export function followApp(app: App, listener: ActivityListener): FollowedApp {
  let session: SessionState | undefined;
  let settings: AppSettings | undefined;
  const recording = new Set<string>();
  const processing = new Set<string>();
  /** Notified when nothing is being recorded. */
  const quietness = createBell();
  /** Notified at the next event of a dictation. */
  const news = createBell();

  const ask = <N extends CallName>(name: N, input: CallInput<N>): Promise<CallOutput<N>> =>
    app.call(name, input) as Promise<CallOutput<N>>;
  const activity = (): Activity => ({ session, recording: [...recording], settings });
  const changed = (): void => listener.changed(activity());
  /** Events may have been missed while nobody was logged in or the screen was locked. */
  const look = async (): Promise<void> => {
    settings = await ask('settings.get', {});
    changed();
    const { items } = await ask('dictation.list', {});
    for (const dictation of items) noteDictation(dictation);
  };
  const noteSession = (state: SessionState): void => {
    const before = session?.phase;
    session = state;
    news.ring();
    if (state.phase === 'logged-out') settings = undefined;
    // A locked screen receives no dictation events, and no recording continues for long behind it.
    if (state.phase === 'logged-out' || state.phase === 'locked') forget();
    changed();
    const isOpen = state.phase === 'ready' || state.phase === 'expired';
    // Without new settings the shell keeps its keys and language.
    if (isOpen && before !== 'ready' && before !== 'expired') look().catch(() => undefined);
  };
  const forget = (): void => {
    recording.clear();
    processing.clear();
    quiet();
  };
  const quiet = (): void => {
    if (recording.size === 0) quietness.ring();
  };
  /** A locked screen has no running dictation, and open ones are on disk. */
  const hasOpen = async (): Promise<boolean> => {
    const { items } = await ask('dictation.list', {}).catch(() => ({ items: [] }));
    return items.some(({ state }) => state === 'recording' || state === 'paused');
  };
  const noteDictation = (dictation: Dictation): void => {
    const { id, state } = dictation;
    news.ring();
    const count = recording.size;
    if (state === 'recording') recording.add(id);
    else recording.delete(id);
    if (state === 'done' && processing.delete(id)) listener.documentReady(dictation);
    else if (state === 'sending' || state === 'processing') processing.add(id);
    if (recording.size === count) return;
    changed();
    quiet();
  };
  app.on(({ name, data }) => {
    if (name === 'session') noteSession(data);
    if (name === 'dictation') noteDictation(data);
  });

  return {
    get activity() {
      return activity();
    },
    on: (follow) => app.on(follow),
    file: (address, range) => app.file(address, range),
    async call(name, ...asked) {
      const output = await app.call(name, ...asked);
      if (name === 'settings.set') {
        settings = output as AppSettings;
        changed();
      }
      if (name === 'dictation.discard') news.ring();
      return output;
    },
    async refresh() {
      noteSession(await ask('session.state', {}));
    },
    async whenQuiet() {
      if (recording.size > 0) await quietness.rung();
    },
    async whenSealed() {
      for (;;) {
        const next = news.rung();
        if (!(await hasOpen())) return;
        await next;
      }
    },
    async pauseAll() {
      for (const id of recording) await ask('dictation.pause', { id }).catch(() => undefined);
    },
  };
}

/** The closest language to those of the system: `pt-PT` → `pt-BR`. */
export const nearestLanguage = (wanted: string): Language =>
  languages.find((language) => language.toLowerCase() === wanted.toLowerCase()) ??
  languages.find((language) => language.slice(0, 2) === wanted.slice(0, 2).toLowerCase()) ??
  'en-US';
