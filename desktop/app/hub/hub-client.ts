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
import { limitTime, parseObject, postEvent, postSubscription, readCurrent, readReason, silent } from './hub-calls.ts';
import { holdLease, keepAlive } from './hub-connection.ts';
import type { Lease } from './hub-connection.ts';
import type { Application, HubAddress, HubProblem } from './hub-calls.ts';

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
  const { clock, random, find, onJoined, onLost, onFault } = deps;
  let place: (HubPlace & { readonly clock: Clock }) | undefined;
  /** The address of the last connection, by which the hub knows the subscription. */
  let known: string | undefined;
  let socket: WebSocket | undefined;
  let isClosed = false;
  let attempts = 0;
  let joining: Promise<unknown> | undefined;
  let cancelRetry = (): void => {};
  let cancelJoining = (): void => {};
  let cancelWaits = (): void => {};
  let denial: HubProblem | undefined;

  const fail = (problem: HubProblem | undefined): void => {
    if (isClosed) return;
    onLost(problem);
    attempts += 1;
    cancelRetry = clock.schedule(clock.now() + backoffDelay(attempts, { ...backoff, random }), join);
  };
  const lose = (from: WebSocket): void => {
    if (socket !== from) return;
    socket = undefined;
    cancelWaits();
    fail(denial);
    denial = undefined;
  };
  const acknowledge: HubClient['acknowledge'] = (id, status) => {
    if (socket?.readyState === socketOpen) socket.send(JSON.stringify({ id, status, timestamp: isoNow(clock) }));
  };
  const takeEvent = createIntake(deps, acknowledge);
  const takeContext = async (open: WebSocket, at: NonNullable<typeof place>): Promise<void> => {
    const current = await readCurrent(at);
    if (!isClosed && socket === open) onJoined(current);
  };
  const receive = (open: WebSocket, lease: Lease, at: NonNullable<typeof place>, text: string): void => {
    if (isClosed) return;
    const message = parseObject(text);
    // A renewal is confirmed too.
    if (message['hub.mode'] === 'subscribe' && lease.confirm(Number(message['hub.lease_seconds'])))
      takeContext(open, at).catch(onFault);
    if (message['hub.mode'] === 'denied') {
      denial = { why: 'forbidden', ...readReason(message['hub.reason']) };
      known = undefined;
      open.close(closeCode);
    }
    if (message['event'] !== undefined) takeEvent(message);
  };

  const subscribe = async (ended: AbortSignal): Promise<'joined' | HubProblem> => {
    const found = await find();
    if (typeof found === 'string') return { why: found };
    const at = { ...found, clock };
    const answer = await postSubscription(at, deps, 'subscribe', known);
    const endpoint = 'endpoint' in answer ? answer.endpoint : undefined;
    if (ended.aborted) {
      if (endpoint !== undefined) await postSubscription(at, deps, 'unsubscribe', endpoint);
      return silent;
    }
    // The hub may have forgotten the subscription.
    const isForgotten = known !== undefined;
    [place, known] = [at, endpoint];
    if (!('endpoint' in answer)) return isForgotten ? silent : answer;
    const open = await at.dial(answer.endpoint);
    open.on('error', () => undefined);
    if (ended.aborted) open.terminate();
    if (ended.aborted) return silent;
    open.on('close', () => lose(open));
    socket = open;
    const lease = holdLease(
      open,
      clock,
      async () => 'endpoint' in (await postSubscription(at, deps, 'subscribe', endpoint)),
    );
    const stopPings = keepAlive(open, clock, () => (attempts = 0));
    cancelWaits = () => (lease.end(), stopPings());
    open.on('message', (data: Buffer) => receive(open, lease, at, data.toString()));
    return 'joined';
  };
  const join = (): void => {
    cancelRetry();
    if (isClosed || socket || joining) return;
    const attempt = new AbortController();
    cancelJoining = () => attempt.abort();
    joining = limitTime(clock, joiningMs, subscribe, attempt)
      .catch((error: unknown) => findProblem(error, onFault))
      .then((outcome) => outcome === 'joined' || fail(outcome))
      .finally(() => (joining = undefined));
  };
  join();

  return {
    async send(id, name, context, version) {
      if (!place || !socket) throw new AppError('NETWORK');
      await postEvent(place, id, {
        'hub.event': name,
        context,
        ...(version !== undefined && { 'context.versionId': version }),
      });
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

/** Takes each event once: hubs repeat them after a lost connection, or by mistake. */
function createIntake(
  { onEvent, onFault }: Pick<HubClientDeps, 'onEvent' | 'onFault'>,
  acknowledge: HubClient['acknowledge'],
): (message: Readonly<Record<string, unknown>>) => void {
  const received = createRecentSet<string>(maxRemembered);
  const pass = (name: EventName, notification: Notification): void => {
    try {
      onEvent(name, notification);
    } catch (error) {
      onFault(error);
      acknowledge(notification.id, 500);
    }
  };
  return (message) => {
    const notification = readEvent(message);
    if (notification && !received.add(notification.id)) return acknowledge(notification.id, 200);
    const name = notification && findEvent(notification.event['hub.event']);
    if (notification && name !== undefined) pass(name, notification);
    else if (typeof message['id'] === 'string') acknowledge(message['id'], 200);
  };
}

function findProblem(error: unknown, onFault: (error: unknown) => void): HubProblem {
  if (!(error instanceof AppError)) onFault(error);
  else if (error.code === 'LOGIN_REQUIRED' || error.code === 'UNAUTHORIZED') return { why: 'unauthorized' };
  return silent;
}

function readEvent(message: Readonly<Record<string, unknown>>): Notification | undefined {
  try {
    return readNotification(message);
  } catch (error) {
    if (error instanceof CastRefusal) return undefined;
    throw error;
  }
}
