/**
 * An application at a FHIRcast hub: subscribes to the topic of its person, keeps the connection through dropped sockets and idle
 * proxies, and acknowledges what it gets.
 */
import type { WebSocket } from 'ws';
import { AppError } from '../../../src/contract/errors.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { removeOldest } from '../../../src/domain/oldest.ts';
import type { Dial } from '../../../src/node/http/web-socket.ts';
import { findEvent } from '../../../src/protocols/fhircast/events.ts';
import type { EventName } from '../../../src/protocols/fhircast/events.ts';
import { CastRefusal, readNotification } from '../../../src/protocols/fhircast/messages.ts';
import type { ContextPart, CurrentContext, Notification } from '../../../src/protocols/fhircast/messages.ts';
import { parseObject, postEvent, postSubscription, readCurrent } from './hub-calls.ts';
import type { Application, HubAddress } from './hub-calls.ts';

/** Proxies end a connection that is silent for a minute. */
const pingMs = 20_000;
const backoff = { base: 500, factor: 2, max: 30_000 } as const;
const maxRemembered = 500;
/** `WebSocket.OPEN`. */
const socketOpen = 1;
/** A connection that ends on purpose. */
const closeCode = 1000;

export interface HubPlace extends HubAddress {
  readonly dial: Dial;
}

export interface HubClientDeps extends Application {
  readonly clock: Clock;
  readonly random: () => number;
  /** Rejects while the service does not answer; `undefined`: it has no hub for this person. */
  readonly find: () => Promise<HubPlace | undefined>;
  /** It is joined, with the context of the hub; `undefined`: the hub doesn't say. */
  readonly onJoined: (current: CurrentContext | undefined) => void;
  readonly onEvent: (name: EventName, notification: Notification) => void;
  /** `isRefused`: the hub does not take this application. */
  readonly onLost: (isRefused: boolean) => void;
}

export interface HubClient {
  readonly topic: string | undefined;
  /** Sends an event under this id; `version`: of the context that an update changes. Rejects with AppError. */
  send(id: string, name: EventName, context: readonly ContextPart[], version?: string): Promise<void>;
  acknowledge(id: string, status: 200 | 409): void;
  /** The context of the hub now; `undefined`: it doesn't say. */
  current(): Promise<CurrentContext | undefined>;
  /** Tries to join now. */
  hurry(): void;
  close(): Promise<void>;
}

export function createHubClient(deps: HubClientDeps): HubClient {
  const { clock, random, find, onJoined, onEvent, onLost } = deps;
  let place: HubPlace | undefined;
  /** The address of the last connection, by which the hub knows the subscription. */
  let known: string | undefined;
  let socket: WebSocket | undefined;
  let isClosed = false;
  let attempts = 0;
  let joining: Promise<void> | undefined;
  let cancelRetry = (): void => {};
  let cancelPing = (): void => {};

  const retry = (): void => {
    if (isClosed) return;
    attempts += 1;
    cancelRetry = clock.schedule(clock.now() + backoffDelay(attempts, { ...backoff, random }), join);
  };
  const lose = (from: WebSocket): void => {
    if (socket !== from) return;
    socket = undefined;
    cancelPing();
    if (!isClosed) onLost(false);
    retry();
  };
  /** Ends a connection on which nothing comes back. */
  const keepAlive = (open: WebSocket): void => {
    let isAnswered = true;
    open.on('pong', () => {
      isAnswered = true;
      attempts = 0;
    });
    const ping = (): void => {
      if (!isAnswered) return open.terminate();
      isAnswered = false;
      open.ping();
      wait();
    };
    const wait = (): void => void (cancelPing = clock.schedule(clock.now() + pingMs, ping));
    wait();
  };
  const acknowledge: HubClient['acknowledge'] = (id, status) => {
    if (socket?.readyState === socketOpen) socket.send(JSON.stringify({ id, status, timestamp: isoNow(clock) }));
  };
  const isRepeated = rememberIds();
  const receive = (open: WebSocket, at: HubPlace, text: string): void => {
    const message = parseObject(text);
    if (message['hub.mode'] === 'subscribe')
      void readCurrent(at).then((current) => socket === open && onJoined(current));
    if (message['hub.mode'] === 'denied') {
      known = undefined;
      open.close(closeCode);
    }
    if (message['event'] === undefined) return;
    const notification = readEvent(message);
    // Hubs repeat events: after a lost connection, or by mistake.
    if (notification && isRepeated(notification.id)) return acknowledge(notification.id, 200);
    const name = notification && findEvent(notification.event['hub.event']);
    if (notification && name !== undefined) onEvent(name, notification);
    else if (typeof message['id'] === 'string') acknowledge(message['id'], 200);
  };

  const subscribe = async (): Promise<'joined' | 'refused' | 'failed'> => {
    const at = await find();
    if (!at) return 'refused';
    const { status, endpoint } = await postSubscription(at, deps, 'subscribe', known);
    const isRefused = [400, 401, 403, 404].includes(status);
    // The hub may have forgotten the subscription.
    const isForgotten = isRefused && known !== undefined;
    known = endpoint;
    if (isRefused && !isForgotten) return 'refused';
    if (status >= 300 || endpoint === undefined) return 'failed';
    const open = await at.dial(endpoint);
    open.on('error', () => undefined);
    open.on('close', () => lose(open));
    [place, socket] = [at, open];
    open.on('message', (data: Buffer) => receive(open, at, data.toString()));
    open.on('open', () => keepAlive(open));
    return 'joined';
  };
  const join = (): void => {
    cancelRetry();
    if (isClosed || socket) return;
    joining ??= subscribe()
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) throw error;
        return 'failed' as const;
      })
      .then((outcome) => {
        if (outcome === 'joined') return;
        onLost(outcome === 'refused');
        retry();
      })
      .finally(() => (joining = undefined));
  };
  join();

  return {
    get topic() {
      return place?.topic;
    },
    async send(id, name, context, version) {
      if (!place || !socket) throw new AppError('NETWORK');
      const versioned = version === undefined ? {} : { 'context.versionId': version };
      const event = { 'hub.topic': place.topic, 'hub.event': name, ...versioned, context };
      await postEvent(place, { id, timestamp: isoNow(clock), event });
    },
    acknowledge,
    current: async () => place && readCurrent(place),
    hurry: join,
    async close() {
      isClosed = true;
      cancelRetry();
      await joining;
      cancelPing();
      const open = socket;
      socket = undefined;
      if (place && known !== undefined)
        await postSubscription(place, deps, 'unsubscribe', known).catch(() => undefined);
      open?.close(closeCode);
    },
  };
}

/** Whether an id was given before. */
function rememberIds(): (id: string) => boolean {
  const known = new Set<string>();
  return (id) => {
    if (known.has(id)) return true;
    known.add(id);
    if (known.size > maxRemembered) removeOldest(known);
    return false;
  };
}

function readEvent(message: Readonly<Record<string, unknown>>): Notification | undefined {
  try {
    const notification = readNotification(message);
    const { 'context.priorVersionId': prior } = message['event'] as Readonly<Record<string, unknown>>;
    const event = { ...notification.event, ...(typeof prior === 'string' && { 'context.priorVersionId': prior }) };
    return { ...notification, event };
  } catch (error) {
    if (error instanceof CastRefusal) return undefined;
    throw error;
  }
}
