/** The services that a command works with. Each expensive service is built at its first use. */
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
  readonly io: Io;
  readonly ask: Questions;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly clock: Clock;
  /** Aborted by Ctrl-C, SIGTERM, and the end of the terminal. */
  readonly signal: AbortSignal;
  readonly signals: Signals;
  readonly platform: NodeJS.Platform;
  readonly settings: Settings;
  /** Where each setting comes from. */
  readonly origins: ResolvedSettings['origins'];
  /** Why the settings are not those that somebody wrote, but the defaults. Only for commands that `mend` settings. */
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
  /** The server that runs on this computer. NETWORK where none runs. */
  localServer(): Promise<RunningServer>;
  /** The API client of that server's operator. */
  operator(): Promise<Client>;
}

/** The signals of the process, for a command to which they mean something else than its end. */
export interface Signals {
  /** From now on the taker decides, and `signal` stays as it is, until the function returned is called. */
  take(taker: SignalTaker): () => void;
}

export interface SignalTaker {
  /** Ctrl-C. */
  interrupt(): void;
  /** SIGTERM, or the terminal went away. */
  terminate(signal: 'SIGTERM' | 'SIGHUP'): void;
  /** Ctrl-Z: the process stops once this has settled. */
  suspend(): Promise<void>;
  /** The process goes on. */
  resume(): void;
}
