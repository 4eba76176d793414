/** The services for commands. Each expensive service is built at its first use. */
import type { Client } from '../src/client/client.ts';
import type { Clock } from '../src/domain/clock.ts';
import type { UserPaths } from '../src/node/paths.ts';
import type { RunningServer } from '../src/node/running-server.ts';
import type { Session, SessionsDeps } from '../src/node/login/session.ts';
import type { ResolvedSettings, Settings } from '../src/node/settings.ts';
import type { AppError } from '../src/contract/errors.ts';
import type { Io } from './shell/io.ts';
import type { Questions } from './shell/questions.ts';

export interface Context {
  readonly version: string;
  /** First words of all commands. */
  readonly commands: readonly string[];
  readonly io: Io;
  readonly ask: Questions;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** Aborted by Ctrl-C, SIGTERM, and a closed terminal. */
  readonly signal: AbortSignal;
  readonly signals: Signals;
  readonly platform: NodeJS.Platform;
  readonly settings: Settings;
  /** The source of each setting. */
  readonly origins: ResolvedSettings['origins'];
  /** Why the defaults replace the configured settings. Only for commands that fix settings (`mends`). */
  readonly misconfigured: AppError | undefined;
  /** The file whose settings are lost (src/node/lost-settings.ts). */
  readonly lost: string | undefined;
  readonly paths: UserPaths;
  /** The dependencies of logging in and out. */
  deps(): Promise<SessionsDeps>;
  /** The session of the current login. LOGIN_REQUIRED without a login. */
  session(): Promise<Session>;
  /** The API client of the current login. */
  client(): Promise<Client>;
  /** The server running on this computer. NETWORK if there is none. */
  localServer(): Promise<RunningServer>;
  /** The API client of the operator of that server, or of the given one. */
  operator(server?: RunningServer): Promise<Client>;
}

/** The process signals, for a command that handles them instead of ending. */
export interface Signals {
  /** Passes the signals to the handler instead of aborting `signal`, until the returned function is called. */
  take(taker: SignalTaker): () => void;
}

export interface SignalTaker {
  /** Ctrl-C. */
  interrupt(): void;
  /** SIGTERM, or the terminal was closed. */
  terminate(signal: 'SIGTERM' | 'SIGHUP'): void;
  /** Ctrl-Z: the process stops once this has settled. */
  suspend(): Promise<void>;
  /** The process continues. */
  resume(): void;
}
