/**
 * An application at a FHIRcast hub: subscribes to the topic of its person, keeps the connection through dropped sockets and idle
 * proxies, and acknowledges what it gets.
 */
import type { WebSocket } from 'ws';
import { AppError } from '../../../src/contract/errors.ts';
import { backoffDelay } from '../../../src/domain/backoff.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createRecentSet } from '../../../src/domain/oldest.ts';
import type { Dial } from '../../../src/node/http/web-socket.ts';
import { findEvent } from '../../../src/protocols/fhircast/events.ts';
import type { EventName } from '../../../src/protocols/fhircast/events.ts';
import { CastRefusal, readNotification } from '../../../src/protocols/fhircast/messages.ts';
import type { ContextPart, CurrentContext, Notification } from '../../../src/protocols/fhircast/messages.ts';
import { limitTime, parseObject, postEvent, postSubscription, readCurrent } from './hub-calls.ts';
import type { Application, HubAddress } from './hub-calls.ts';

/** Proxies end a connection that is silent for a minute. */
const pingMs = 20_000;
const backoff = { base: 500, factor: 2, max: 30_000 } as const;
/** How long joining may take, in ms. */
const joiningMs = 30_000;
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
  /** A defect, which an event of another application may have met: the connection goes on. */
  readonly onFault: (error: unknown) => void;
}

export interface HubClient {
  /** Sends an event under this id; `version`: of the context that an update changes. Rejects with AppError. */
  send(id: string, name: EventName, context: readonly ContextPart[], version?: string): Promise<void>;
  /** 409: it is not followed; 500: for a defect. */
  acknowledge(id: string, status: 200 | 409 | 500): void;
  /** The context of the hub now; `undefined`: it doesn't say. */
  current(): Promise<CurrentContext | undefined>;
  /** Tries to join now. */
  hurry(): void;
  /** Ends the connection, and joins again. */
  rejoin(): void;
  /** Leaves the hub once `sent` has ended, and hears nothing more; ends within the time of a call. */
  close(sent?: Promise<void>): Promise<void>;
}

export function createHubClient(deps: HubClientDeps): HubClient {
  const { clock, random, find, onJoined, onEvent, onLost, onFault } = deps;
  let place: (HubPlace & { readonly clock: Clock }) | undefined;
  /** The address of the last connection, by which the hub knows the subscription. */
  let known: string | undefined;
  let socket: WebSocket | undefined;
  let isClosed = false;
  let attempts = 0;
  let joining: Promise<void> | undefined;
  let cancelRetry = (): void => {};
  let cancelJoining = (): void => {};
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
  const acknowledge: HubClient['acknowledge'] = (id, status) => {
    if (socket?.readyState === socketOpen) socket.send(JSON.stringify({ id, status, timestamp: isoNow(clock) }));
  };
  const received = createRecentSet<string>(maxRemembered);
  const pass = (name: EventName, notification: Notification): void => {
    try {
      onEvent(name, notification);
    } catch (error) {
      onFault(error);
      acknowledge(notification.id, 500);
    }
  };
  const receive = (open: WebSocket, at: NonNullable<typeof place>, text: string): void => {
    if (isClosed) return;
    const message = parseObject(text);
    if (message['hub.mode'] === 'subscribe')
      readCurrent(at)
        .then((current) => !isClosed && socket === open && onJoined(current))
        .catch(onFault);
    if (message['hub.mode'] === 'denied') {
      known = undefined;
      open.close(closeCode);
    }
    if (message['event'] === undefined) return;
    const notification = readEvent(message);
    // Hubs repeat events: after a lost connection, or by mistake.
    if (notification && !received.add(notification.id)) return acknowledge(notification.id, 200);
    const name = notification && findEvent(notification.event['hub.event']);
    if (notification && name !== undefined) pass(name, notification);
    else if (typeof message['id'] === 'string') acknowledge(message['id'], 200);
  };

  const subscribe = async (ended: AbortSignal): Promise<'joined' | 'refused' | 'failed'> => {
    const found = await find();
    if (!found) return 'refused';
    const at = { ...found, clock };
    const { status, endpoint } = await postSubscription(at, deps, 'subscribe', known);
    if (ended.aborted) {
      if (endpoint !== undefined) await postSubscription(at, deps, 'unsubscribe', endpoint);
      return 'failed';
    }
    const isRefused = [400, 401, 403, 404].includes(status);
    // The hub may have forgotten the subscription.
    const isForgotten = isRefused && known !== undefined;
    [place, known] = [at, endpoint];
    if (isRefused && !isForgotten) return 'refused';
    if (status >= 300 || endpoint === undefined) return 'failed';
    const open = await at.dial(endpoint);
    open.on('error', () => undefined);
    if (ended.aborted) open.terminate();
    if (ended.aborted) return 'failed';
    open.on('close', () => lose(open));
    socket = open;
    open.on('message', (data: Buffer) => receive(open, at, data.toString()));
    open.on('open', () => void (cancelPing = keepAlive(open, clock, () => (attempts = 0))));
    return 'joined';
  };
  const join = (): void => {
    cancelRetry();
    if (isClosed || socket || joining) return;
    const attempt = new AbortController();
    cancelJoining = () => attempt.abort();
    joining = limitTime(clock, joiningMs, subscribe, attempt)
      .catch((error: unknown) => {
        if (!(error instanceof AppError)) onFault(error);
        return 'failed' as const;
      })
      .then((outcome) => {
        if (outcome === 'joined' || isClosed) return;
        onLost(outcome === 'refused');
        retry();
      })
      .finally(() => (joining = undefined));
  };
  join();

  return {
    async send(id, name, context, version) {
      if (!place || !socket) throw new AppError('NETWORK');
      const versioned = version === undefined ? {} : { 'context.versionId': version };
      const event = { 'hub.topic': place.topic, 'hub.event': name, ...versioned, context };
      await postEvent(place, { id, timestamp: isoNow(clock), event });
    },
    acknowledge,
    current: async () => place && readCurrent(place),
    hurry: join,
    rejoin: () => socket?.terminate(),
    async close(sent) {
      isClosed = true;
      cancelRetry();
      cancelJoining();
      await Promise.all([sent, joining]);
      cancelPing();
      const open = socket;
      socket = undefined;
      if (place && known !== undefined)
        await postSubscription(place, deps, 'unsubscribe', known).catch(() => undefined);
      open?.close(closeCode);
    },
  };
}

/** Ends a connection on which nothing comes back. `onPong`: something did. The returned function stops that. */
function keepAlive(open: WebSocket, clock: Clock, onPong: () => void): () => void {
  let isAnswered = true;
  let cancel = (): void => {};
  open.on('pong', () => {
    isAnswered = true;
    onPong();
  });
  const ping = (): void => {
    if (!isAnswered) return open.terminate();
    isAnswered = false;
    open.ping();
    wait();
  };
  const wait = (): void => void (cancel = clock.schedule(clock.now() + pingMs, ping));
  wait();
  return () => cancel();
}

function readEvent(message: Readonly<Record<string, unknown>>): Notification | undefined {
  try {
    return readNotification(message);
  } catch (error) {
    if (error instanceof CastRefusal) return undefined;
    throw error;
  }
}
