/**
 * The port of a process that runs a module of ours: for native code and for bytes of strangers, which may crash, hang or
 * grow. Both ends exchange messages, which are structured clones; so Electron's utility processes serve as well as Node's.
 */

/** How a process ended: by itself with a code, or by a signal. Under Electron the signal is unknown. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface OwnProcess {
  /** `undefined` before the system has given a number. */
  readonly pid: number | undefined;
  /** Messages to a process that has ended are lost. */
  post(message: unknown): void;
  /** Calls the listener with each message of the process. There is one listener. */
  listen(listener: (message: unknown) => void): void;
  /** Resolves once the process has ended, or could not be started. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Ends the process at once, even where it hangs. */
  kill(): void;
}

export interface ProcessOptions {
  /** Shown by the system beside the process where the system shows names: `Laudio decoder`. */
  readonly name: string;
  /** Largest heap of JavaScript objects, in MiB. What native code and buffers take is not counted. */
  readonly heapMiB?: number;
}

/** Starts the module in a process of its own. */
export type LaunchProcess = (module: URL, options: ProcessOptions) => OwnProcess;

/** The environment of such a process: what the system's loaders need, and no setting or secret of the server's. */
export const processEnvironment = (env: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv =>
  Object.fromEntries(Object.entries(env).filter(([name]) => passedOn.has(name.toUpperCase())));

const passedOn = new Set([
  'PATH',
  'HOME',
  'PWD',
  'LD_LIBRARY_PATH',
  'DYLD_LIBRARY_PATH',
  'SYSTEMROOT',
  'WINDIR',
  'TEMP',
  'TMP',
  'TMPDIR',
  'USERPROFILE',
]);
