/** A subscription of an application to the topic of its person, and what its form and its acknowledgements say (2.4, 2.5). */
import type { WebSocket } from 'ws';
import { allowsCast } from '../../src/contract/scopes.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import { eventNames, findEvent } from '../../src/protocols/fhircast/events.ts';
import type { EventName } from '../../src/protocols/fhircast/events.ts';
import { CastRefusal } from '../../src/protocols/fhircast/messages.ts';
import type { Caller } from '../http/call.ts';

/** The part of an access token's owner that the hub looks at. */
export type CastCaller = Pick<Caller, 'user' | 'client_id' | 'space' | 'scopes' | 'expires_at'>;

/** The fields of the form. */
export type CastForm = Readonly<Record<string, string | undefined>>;

export interface Subscription {
  /** The end of the address of its WebSocket: the topic, and what nobody guesses. */
  readonly endpoint: string;
  readonly topic: string;
  names: readonly EventName[];
  /** Its name, for people. */
  subscriber: string;
  /** Seconds. */
  lease: number;
  socket: WebSocket | undefined;
  /** Events that are not acknowledged yet, by id, with what ends the wait. */
  readonly waiting: Map<string, { readonly name: string; readonly stop: () => void }>;
  endLease: () => void;
  unfollow: () => void;
}

const maxLeaseSeconds = 24 * 3600;

/** The events that the token may read, each once. CastRefusal where there is none. */
export function readNames({ scopes }: Pick<CastCaller, 'scopes'>, list = ''): readonly EventName[] {
  const words = list.split(',').filter((word) => word.trim() !== '');
  if (words.length === 0) throw new CastRefusal(400, 'hub.events is missing.');
  const names = [...new Set(words.map(findEvent))].filter((name) => name !== undefined);
  const [first] = names;
  if (first === undefined)
    throw new CastRefusal(400, `The hub has none of these events. It has ${eventNames.join(', ')}.`);
  const allowed = names.filter((name) => reads(scopes, name));
  if (allowed.length === 0) throw new CastRefusal(403, `The access token lacks the scope fhircast/${first}.read.`);
  return allowed;
}

const reads = (scopes: readonly Scope[], name: EventName): boolean =>
  name === 'heartbeat' || allowsCast(scopes, name, 'read');

export const readsAll = (scopes: readonly Scope[], names: readonly EventName[]): boolean =>
  names.every((name) => reads(scopes, name));

/** Seconds: those asked for, at most as long as the token lasts. */
export function readLease(asked: string | undefined, leftMs: number): number {
  const wanted = Number(asked);
  const maxSeconds = Math.max(1, Math.min(maxLeaseSeconds, Math.floor(leftMs / 1000)));
  return Number.isFinite(wanted) && wanted >= 1 ? Math.min(Math.floor(wanted), maxSeconds) : maxSeconds;
}

export interface Acknowledgement {
  readonly id: string;
  readonly status: number;
  readonly isRefusal: boolean;
}

/** Reads an application's answer to an event; without a status it is no refusal. `undefined`: something else. */
export function readAcknowledgement(text: string): Acknowledgement | undefined {
  let answer: unknown;
  try {
    answer = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { id, status: told } = answer as { readonly id?: unknown; readonly status?: unknown };
  const status = typeof told === 'number' || typeof told === 'string' ? Number(told) : 200;
  return typeof id === 'string' ? { id, status, isRefusal: !(status >= 200 && status < 300) } : undefined;
}
