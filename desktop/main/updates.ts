/**
 * Newer versions of the app: asked for at the start and every few hours, fetched in the background, installed at the end.
 * Never while a dictation is recorded. Knows no Electron.
 */
import { object, oneOf } from '../../src/contract/schema.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { jsonFile } from '../app/json-file.ts';
import type { Log } from '../app/service.ts';
import type { Updates } from '../app/page/update-calls.ts';
import { updateChannels } from '../bridge/updates.ts';
import type { UpdateChannel, UpdateState } from '../bridge/updates.ts';

/** Who fetches and installs (updater.ts). */
export interface Updater {
  /** The newer version that a channel has; `undefined`: this one is the newest. */
  check(channel: Exclude<UpdateChannel, 'off'>): Promise<string | undefined>;
  /** Rejects when `signal` aborts. */
  download(signal: AbortSignal): Promise<void>;
  /** Whether what was downloaded is installed when the app ends. */
  installAtQuit(wanted: boolean): void;
  /** Ends the app, installs, and starts the new one. */
  installNow(): void;
}

/** Milliseconds between two questions. */
const every = 4 * 3_600_000;

const Kept = object({ channel: oneOf(updateChannels) });

export interface UpdatesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** Where the choice is kept. */
  readonly path: string;
  /** Loaded at the first question; absent where the package names no place to ask. */
  readonly updater: (() => Promise<Updater>) | undefined;
  readonly isRecording: () => boolean;
  /** Resolves when no dictation is open. */
  readonly whenSealed: () => Promise<void>;
  readonly onChange: (state: UpdateState) => void;
  /** Ends the app as the person would. */
  readonly quit: () => void;
}

export interface ShellUpdates extends Updates {
  /** Asks for the first time. */
  start(): void;
  /** What is being recorded has changed. */
  recordingChanged(): void;
  /** The last step of the app's end, once everything is on disk; `false`: nothing is to be installed now. */
  finish(): boolean;
  close(): void;
}

export async function createUpdates(deps: UpdatesDeps): Promise<ShellUpdates> {
  const { clock, log, isRecording } = deps;
  const file = jsonFile(deps.path, Kept);
  let state: UpdateState = {
    phase: deps.updater ? 'idle' : 'unpublished',
    channel: (await file.read())?.channel ?? 'stable',
    version: null,
  };
  let updater: Updater | undefined;
  let working: AbortController | undefined;
  /** A question that had to wait. */
  let isDue = false;
  let callOff = (): void => {};

  const show = (change: Partial<UpdateState>): void => {
    state = { ...state, ...change };
    deps.onChange(state);
  };
  const isThere = (): boolean => state.phase === 'ready' || state.phase === 'restarting';
  const fetchNewer = async (channel: Exclude<UpdateChannel, 'off'>, signal: AbortSignal): Promise<void> => {
    updater ??= await deps.updater?.();
    if (!updater || signal.aborted) return;
    const version = await updater.check(channel);
    if (version === undefined || signal.aborted) return;
    show({ phase: 'downloading', version });
    await updater.download(signal);
    signal.throwIfAborted();
    updater.installAtQuit(true);
    show({ phase: 'ready' });
  };
  const ask = async (): Promise<void> => {
    const { channel } = state;
    if (!deps.updater || channel === 'off' || working || isThere()) return;
    isDue = isRecording();
    if (isDue) return;
    const mine = (working = new AbortController());
    try {
      await fetchNewer(channel, mine.signal);
    } catch (error) {
      if (!mine.signal.aborted) log({ level: 'warn', event: 'update_failed', code: codeOf(error) });
    } finally {
      working = undefined;
      if (state.phase === 'downloading') show({ phase: 'idle', version: null });
      if (isDue) void ask();
    }
  };
  const askRegularly = (): void => {
    callOff = clock.schedule(clock.now() + every, askRegularly);
    void ask();
  };
  /** What is under way begins again when it may. */
  const interrupt = (): void => {
    if (!working) return;
    isDue = true;
    working.abort();
  };

  return {
    get state() {
      return state;
    },
    start: askRegularly,
    recordingChanged() {
      if (isRecording()) interrupt();
      else if (isDue && !working) void ask();
    },
    async choose(channel) {
      await file.write({ channel });
      interrupt();
      updater?.installAtQuit(channel !== 'off');
      show({ channel, ...(isThere() && channel === 'off' && { phase: 'idle', version: null }) });
      void ask();
    },
    restart() {
      if (state.phase !== 'ready') return;
      show({ phase: 'restarting' });
      void deps.whenSealed().then(() => state.phase === 'restarting' && deps.quit());
    },
    finish() {
      if (state.phase !== 'restarting') return false;
      updater?.installNow();
      return true;
    },
    close() {
      callOff();
      isDue = false;
      working?.abort();
    },
  };
}

/** Whether a package may be asked for newer versions: by its app-update.yml, which may name any place, but none without TLS. */
export const mayAsk = (description: string): boolean =>
  /^provider:/m.test(description) && !/^url:\s*['"]?http:/im.test(description);

/** Of a failure only its code: sentences name addresses. */
function codeOf(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN';
}
