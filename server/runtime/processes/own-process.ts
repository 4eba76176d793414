/**
 * The port of a process that runs one of Laudio's modules: for native code and untrusted bytes, which may crash, hang or grow. Both
 * ends exchange structured clones, so Electron's utility processes work as well as Node's.
 */

/** How a process ended: by itself with a code, or by a signal. Under Electron the signal is unknown. */
export interface ProcessEnd {
  readonly code: number | null;
  readonly signal: string | null;
}

export interface OwnProcess {
  /** `undefined`: the system has not assigned a number yet. */
  readonly pid: number | undefined;
  /** Messages to a process that has ended are lost. */
  post(message: unknown): void;
  /** Calls the listener with each message of the process. There is one listener. */
  listen(listener: (message: unknown) => void): void;
  /** Resolves once the process has ended, or could not be started. Never rejects. */
  readonly ended: Promise<ProcessEnd>;
  /** Kills the process at once, even if it hangs. */
  kill(): void;
}

export interface ProcessOptions {
  /** Name of the process, if the system shows names: `Laudio decoder`. */
  readonly name: string;
  /** Maximum of the JavaScript heap in MiB, without native code and buffers. */
  readonly heapMiB?: number;
}

/** Starts the module in a separate process. */
export type LaunchProcess = (module: URL, options: ProcessOptions) => OwnProcess;

/** The environment of such a process: only what the system's loaders need, without the server's settings and secrets. */
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
