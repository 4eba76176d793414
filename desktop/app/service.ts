/**
 * The dependencies and the interface of the app's services. A service handles the calls of one concern; it is a
 * function of its dependencies.
 */
import type { Client } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Sealing } from '../../src/node/files/sealing.ts';
import type { CallInput, CallName, CallOutput, CarriesBytes } from '../bridge/calls.ts';
import type { EventData, EventName } from '../bridge/events.ts';
import type { NextRevision } from './revisions.ts';

/** One handler per call; page/app.ts has checked the input. */
export type Handlers = {
  readonly [N in CallName]: (
    input: CallInput<N>,
    ...bytes: CarriesBytes<N> extends true ? [Uint8Array] : []
  ) => Promise<CallOutput<N>>;
};

type Prefix<N> = N extends `${infer P}.${string}` ? P : never;
/** The handlers of the calls with a prefix: `HandlersOf<'record'>` has `record.get`, `record.save` … */
export type HandlersOf<P extends Prefix<CallName>> = Pick<Handlers, Extract<CallName, `${P}.${string}`>>;

export type AppEvent = { readonly [N in EventName]: { readonly name: N; readonly data: EventData<N> } }[EventName];
export type Listener = (event: AppEvent) => void;

/** A range of bytes, both ends included; `end` may be after the last byte of the file. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

export interface AppFile {
  /** Size of the whole file in bytes, even if only a range was requested; `undefined` if the file is generated. */
  readonly size: number | undefined;
  readonly contentType: string;
  /** File name for saving, if the service provides one. */
  readonly name?: string;
  /** The requested range; empty if the range starts after the end. */
  readonly stream: AsyncIterable<Uint8Array>;
}

/** The person who logged in. */
export interface Person {
  readonly id: string;
  readonly username: string;
  /** The name in `assigned_to` of an exam. */
  readonly display_name: string;
}

/** The connection of one person to the service. */
export interface Connection {
  /** Its calls throw NETWORK if the service is unreachable, LOGIN_REQUIRED if the login has ended. */
  readonly client: Client;
  readonly person: Person;
  /** Whether the service answered the last request. */
  readonly online: boolean;
}

/** A service of the app. */
export interface Service<P extends Prefix<CallName>> {
  readonly handlers: HandlersOf<P>;
  /** Stops its work, once everything it accepted is on disk. */
  close(): Promise<void>;
}

/** Logs failures of the app: codes and ids, never patient data. */
export type Log = (
  entry: { readonly level: 'info' | 'warn' | 'error'; readonly event: string } & Record<string, unknown>,
) => void;

/** The dependencies that all services of a desk share. */
export interface ServiceDeps {
  /** Directory of the desk, 0700. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly uuid: () => string;
  readonly revision: NextRevision;
  readonly log: Log;
  /** Encrypts files; absent if files are plain. */
  readonly sealing?: Sealing | undefined;
  /** The current connection. Call it each time: a new login makes a new connection. */
  connect(): Connection;
  /**
   * Calls the listener each time the service answers again or the person logs in again. The returned function stops
   * that.
   */
  onOnline(listener: () => void): () => void;
  /** Sends an event to every page of this person. */
  emit<N extends EventName>(name: N, data: EventData<N>): void;
}

/** The app's dependencies on the machine. */
export interface MachineDeps {
  readonly clock: Clock;
  /** A new number from 0 to 1 at each call. */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly log: Log;
  /** Encrypts files; absent if files are plain. */
  readonly sealing?: Sealing | undefined;
  /** Whether an empty test list is filled with the sample day. Default: only on request. */
  readonly fillsTestList?: boolean;
  /** Sends requests to remote services. */
  readonly transport: Transport;
}
