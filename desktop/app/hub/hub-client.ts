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
import type { JoinFault } from '../../bridge/hub.ts';
import { findFault, limitTime, maxReason, parseObject, postEvent, postSubscription, readCurrent } from './hub-calls.ts';
import type { Application, HubAddress, HubProblem } from './hub-calls.ts';

/** Proxies end a connection that is silent for a minute. */
const pingMs = 20_000;
const backoff = { base: 500, factor: 2, max: 30_000 } as const;
/** How long joining may take, in ms. */
const joiningMs = 30_000;
/** How long a hub may take to confirm a subscription, in ms. */
const confirmingMs = 10_000;
/** A subscription is renewed after this part of its lease, and at least once a day. */
const renewedAfter = 0.8;
const maxRenewalMs = 86_400_000;
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
  /** Rejects while the service does not answer. A fault: there is no hub for this person now. */
  readonly find: () => Promise<HubPlace | JoinFault>;
  /** It is joined, with the context of the hub; `undefined`: the hub doesn't say. */
  readonly onJoined: (current: CurrentContext | undefined) => void;
  readonly onEvent: (name: EventName, notification: Notification) => void;
  /** Joining failed, or the connection ended. `undefined`: it was cut. */
  readonly onLost: (problem: HubProblem | undefined) => void;
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
  let cancelWaits = (): void => {};
  let denial: HubProblem | undefined;

  const retry = (): void => {
    if (isClosed) return;
    attempts += 1;
    cancelRetry = clock.schedule(clock.now() + backoffDelay(attempts, { ...backoff, random }), join);
  };
  const lose = (from: WebSocket): void => {
    if (socket !== from) return;
    socket = undefined;
    cancelWaits();
    if (!isClosed) onLost(denial);
    denial = undefined;
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
  const takeContext = (open: WebSocket, at: NonNullable<typeof place>): void => {
    readCurrent(at)
      .then((current) => !isClosed && socket === open && onJoined(current))
      .catch(onFault);
  };
  const receive = (open: WebSocket, lease: Lease, at: NonNullable<typeof place>, text: string): void => {
    if (isClosed) return;
    const message = parseObject(text);
    // A renewal is confirmed too.
    if (message['hub.mode'] === 'subscribe' && lease.confirm(Number(message['hub.lease_seconds'])))
      takeContext(open, at);
    if (message['hub.mode'] === 'denied') {
      const { 'hub.reason': reason } = message;
      denial = { why: 'forbidden', ...(typeof reason === 'string' && { message: reason.slice(0, maxReason) }) };
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

  /** Ends the connection where the hub does not confirm the subscription, or does not renew it: it is joined again. */
  const holdLease = (open: WebSocket, at: NonNullable<typeof place>, endpoint: string): Lease => {
    let isConfirmed = false;
    let cancel = clock.schedule(clock.now() + confirmingMs, () => open.terminate());
    const renew = (ms: number): void => {
      cancel = clock.schedule(clock.now() + ms, () => {
        renew(ms);
        postSubscription(at, deps, 'subscribe', endpoint)
          .then(({ status }) => status >= 300 && open.terminate())
          .catch(() => open.terminate());
      });
    };
    return {
      confirm(seconds) {
        cancel();
        if (seconds > 0) renew(Math.min(seconds * 1000 * renewedAfter, maxRenewalMs));
        const isFirst = !isConfirmed;
        isConfirmed = true;
        return isFirst;
      },
      end: () => cancel(),
    };
  };
  const subscribe = async (ended: AbortSignal): Promise<'joined' | HubProblem> => {
    const found = await find();
    if (typeof found === 'string') return { why: found };
    const at = { ...found, clock };
    const { status, endpoint, message } = await postSubscription(at, deps, 'subscribe', known);
    if (ended.aborted) {
      if (endpoint !== undefined) await postSubscription(at, deps, 'unsubscribe', endpoint);
      return late;
    }
    // The hub may have forgotten the subscription.
    const isForgotten = status >= 400 && known !== undefined;
    [place, known] = [at, endpoint];
    if (status >= 300)
      return isForgotten ? late : { why: findFault(status), ...(message !== undefined && { message }) };
    if (endpoint === undefined || !isAsSafe(endpoint, at.address)) return late;
    const open = await at.dial(endpoint);
    open.on('error', () => undefined);
    if (ended.aborted) open.terminate();
    if (ended.aborted) return late;
    open.on('close', () => lose(open));
    socket = open;
    const lease = holdLease(open, at, endpoint);
    cancelWaits = lease.end;
    open.on('message', (data: Buffer) => receive(open, lease, at, data.toString()));
    open.on('open', () => {
      const stopPings = keepAlive(open, clock, () => (attempts = 0));
      cancelWaits = () => (lease.end(), stopPings());
    });
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
        return error instanceof AppError && loginErrors.has(error.code) ? ({ why: 'unauthorized' } as const) : late;
      })
      .then((outcome) => {
        if (outcome === 'joined' || isClosed) return;
        onLost(outcome);
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
      cancelWaits();
      const open = socket;
      socket = undefined;
      if (place && known !== undefined)
        await postSubscription(place, deps, 'unsubscribe', known).catch(() => undefined);
      open?.close(closeCode);
    },
  };
}

/** The lease of a subscription. */
interface Lease {
  /** The hub has confirmed it for so many seconds; `NaN`: it doesn't say. Returns whether this is the first time. */
  confirm(seconds: number): boolean;
  end(): void;
}

const late: HubProblem = { why: 'unreachable' };
const loginErrors: ReadonlySet<string> = new Set(['LOGIN_REQUIRED', 'UNAUTHORIZED']);

/** Whether the address of a WebSocket is encrypted where that of its hub is. */
const isAsSafe = (endpoint: string, hub: string): boolean =>
  endpoint.startsWith('wss://') || (endpoint.startsWith('ws://') && hub.startsWith('http://'));

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
