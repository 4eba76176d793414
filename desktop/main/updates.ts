/**
 * Updates the app: checks for new versions at startup and every few hours, downloads them in the background, and
 * installs them when the app quits. Never installs during a recording. Independent of Electron.
 */
import { object, oneOf } from '../../src/contract/schema.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { jsonFile } from '../app/json-file.ts';
import type { Log } from '../app/service.ts';
import type { Updates } from '../app/device/visit.ts';
import { updateChannels } from '../bridge/updates.ts';
import type { UpdateChannel, UpdateState } from '../bridge/updates.ts';

/** Downloads and installs versions (updater.ts). */
export interface Updater {
  /** The new version of a channel; `undefined` if this version is the latest. */
  check(channel: Exclude<UpdateChannel, 'off'>): Promise<string | undefined>;
  /** Rejects when `signal` aborts. */
  download(signal: AbortSignal): Promise<void>;
  /** Sets whether a downloaded version is installed when the app quits. */
  installAtQuit(wanted: boolean): void;
  /** Quits the app, installs the new version, and starts it. */
  installNow(): void;
}

/** Interval between checks for new versions, in ms. */
const every = 4 * 3_600_000;

const Kept = object({ channel: oneOf(updateChannels) });

export interface UpdatesDeps {
  readonly clock: Clock;
  readonly log: Log;
  /** File that stores the chosen channel. */
  readonly path: string;
  /** Loads the updater at the first check; absent if the package has no update address. */
  readonly updater: (() => Promise<Updater>) | undefined;
  readonly isRecording: () => boolean;
  /** Resolves when no dictation is open. */
  readonly whenSealed: () => Promise<void>;
  readonly onChange: (state: UpdateState) => void;
  /** Quits the app as if the person had. */
  readonly quit: () => void;
}

export interface ShellUpdates extends Updates {
  /** Checks for new versions for the first time. */
  start(): void;
  /** Call when a recording has started or ended. */
  recordingChanged(): void;
  /** The last step when the app quits, after everything is on disk; `false`: there is nothing to install now. */
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
  /** A check was postponed because of a recording. */
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
      if (!mine.signal.aborted) log({ level: 'warn', event: 'update_failed', code: getCode(error) });
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
  /** A cancelled download starts again later. */
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

/**
 * Whether the app may check for new versions, by the app-update.yml of its package: any address is allowed, but none
 * without TLS.
 */
export const mayAsk = (description: string): boolean =>
  /^provider:/m.test(description) && !/^url:\s*['"]?http:/im.test(description);

/** Logs only the code of a failure: messages contain addresses. */
function getCode(error: unknown): string {
  const { code } = Object(error) as { code?: unknown };
  return typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? code : 'UNKNOWN';
}
