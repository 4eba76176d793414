/** What the services of the app are given, and what they give. Each is a function of its deps that answers the calls of one concern. */
import type { Client } from '../../src/client/client.ts';
import type { Transport } from '../../src/client/transport.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { Sealing } from '../../src/node/sealing.ts';
import type { CallInput, CallName, CallOutput } from '../bridge/calls.ts';
import type { EventData, EventName } from '../bridge/events.ts';
import type { NextRevision } from './revisions.ts';

/** One handler a call; input and output have been checked by app.ts. */
export type Handlers = {
  readonly [N in CallName]: (input: CallInput<N>, bytes?: Uint8Array) => Promise<CallOutput<N>>;
};

type Prefix<N> = N extends `${infer P}.${string}` ? P : never;
/** The handlers of the calls that begin so: `HandlersOf<'record'>` has `record.get`, `record.save` … */
export type HandlersOf<P extends Prefix<CallName>> = Pick<Handlers, Extract<CallName, `${P}.${string}`>>;

export type AppEvent = { readonly [N in EventName]: { readonly name: N; readonly data: EventData<N> } }[EventName];
export type Listener = (event: AppEvent) => void;

/** Bytes of a file, both ends included; `end` may lie behind its last byte. */
export interface FileRange {
  readonly start: number;
  readonly end: number;
}

export interface AppFile {
  /** Of the whole file, in bytes, also where a part was asked for; `undefined` where it is made while it is read. */
  readonly size: number | undefined;
  readonly contentType: string;
  /** The part that was asked for; nothing where it begins behind the end. */
  readonly stream: AsyncIterable<Uint8Array>;
}

/** Who logged in. */
export interface Person {
  readonly id: string;
  readonly username: string;
  /** As `assigned_to` of an exam has it. */
  readonly display_name: string;
}

/** The way to the service for one person. */
export interface Connection {
  /** NETWORK where the service cannot be reached, LOGIN_REQUIRED where the login has ended. */
  readonly client: Client;
  readonly person: Person;
  /** Whether the service answered last time. */
  readonly online: boolean;
}

/** What a service gives besides its handlers. */
export interface Service<P extends Prefix<CallName>> {
  readonly handlers: HandlersOf<P>;
  /** Ends what it began, once everything it was told is on disk. */
  close(): Promise<void>;
}

/** What went wrong on our side: codes and ids, never patient data. */
export type Log = (
  entry: { readonly level: 'info' | 'warn' | 'error'; readonly event: string } & Record<string, unknown>,
) => void;

/** What every service of one person's desk works with. */
export interface ServiceDeps {
  /** This person's own, 0700. */
  readonly directory: string;
  readonly clock: Clock;
  readonly random: () => number;
  readonly uuid: () => string;
  readonly revision: NextRevision;
  readonly log: Log;
  /** Encrypts what is kept; absent where that is plain. */
  readonly sealing?: Sealing | undefined;
  /** As it is now; ask each time, since a new login makes a new one. */
  connect(): Connection;
  /** Called each time the service answers again, or somebody logged in again; the function returned ends it. */
  onOnline(listener: () => void): () => void;
  /** Tells every page of this person. */
  tell<N extends EventName>(name: N, data: EventData<N>): void;
}

/** What a host knows of the machine it runs on. */
export interface MachineDeps {
  readonly clock: Clock;
  /** A number from 0 to 1, new at each call. */
  readonly random: () => number;
  readonly uuid: () => string;
  readonly log: Log;
  /** Encrypts what is kept on it; absent where that is plain. */
  readonly sealing?: Sealing | undefined;
  /** To services elsewhere. */
  readonly transport: Transport;
}
