/** The connections of a hub's subscriptions: what is sent, until when an answer is awaited, and how a subscription ends. */
import { isoNow } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { findEvent, parseEvent } from '../../src/protocols/fhircast/events.ts';
import type { EventName } from '../../src/protocols/fhircast/events.ts';
import type { Notification } from '../../src/protocols/fhircast/messages.ts';
import { syncError } from '../../src/protocols/fhircast/sync-error.ts';
import { deriveOpenings } from '../../src/protocols/fhircast/topic.ts';
import { createRepeating } from './repeating.ts';
import { readAcknowledgement } from './subscription.ts';
import type { Subscription } from './subscription.ts';

/** How long an application has to acknowledge an event, in ms. */
const acknowledgeMs = 10_000;
/** Idle proxies end a connection after a minute. */
const heartbeatSeconds = 10;
const heartbeatPeriod = { key: 'period', decimal: String(heartbeatSeconds) };
/** How long a connection may take to close, in ms. */
const closingMs = 1000;
/** Bytes that an application may leave unread before it is given up. */
const maxUnread = 8 * 1024 * 1024;
/** `WebSocket.OPEN`; the library itself loads with the first connection. */
const socketOpen = 1;
export const closeCodes = { normal: 1000, away: 1001, policy: 1008 } as const;

export interface Connections {
  add(subscription: Subscription): void;
  find(endpoint: string): Subscription | undefined;
  all(): Iterable<Subscription>;
  /** Confirms a subscription: for how long, and for which events. */
  confirm(subscription: Subscription): void;
  /** The lease begins now. */
  beginLease(subscription: Subscription): void;
  /** Sends an event to all that read it, or what follows from it (2.5). */
  deliver(notification: Notification, except?: Subscription): void;
  /** Sends the openings that a subscription has missed, the current one last. */
  catchUp(subscription: Subscription, missed: readonly Notification[]): void;
  /** Takes an answer of an application. */
  receive(subscription: Subscription, text: string): void;
  /** The connection is gone. */
  lose(subscription: Subscription, code: number): void;
  /** Ends a subscription and says why; its endpoint is never used again. */
  end(subscription: Subscription, reason: string, code?: number): void;
}

export interface ConnectionDeps {
  readonly clock: Clock;
  readonly uuid: () => string;
}

export function createConnections({ clock, uuid }: ConnectionDeps): Connections {
  const subscriptions = new Map<string, Subscription>();

  const after = (ms: number, task: () => void): (() => void) => clock.schedule(clock.now() + ms, task);
  const stamp = () => ({ id: uuid(), timestamp: isoNow(clock) });

  const send = (subscription: Subscription, message: object): void => {
    const { socket } = subscription;
    if (socket?.readyState !== socketOpen) return;
    if (socket.bufferedAmount > maxUnread) fail(subscription, 'It reads nothing any more.');
    else socket.send(JSON.stringify(message));
  };

  const notify = (subscription: Subscription, notification: Notification): void => {
    const { waiting } = subscription;
    const { id, event } = notification;
    const eventName = event['hub.event'];
    send(subscription, notification);
    if (subscription.socket === undefined || waiting.has(id)) return;
    const stop = after(acknowledgeMs, () => {
      const reason = 'It did not answer in time.';
      end(subscription, reason, closeCodes.policy);
      report(subscription, { eventId: id, eventName, reason });
    });
    waiting.set(id, { name: eventName, stop });
  };

  const deliver = (notification: Notification, except?: Subscription): void => {
    const topic = notification.event['hub.topic'];
    for (const subscription of subscriptions.values())
      if (subscription !== except && subscription.topic === topic && subscription.socket)
        pass(subscription, notification, true);
  };

  /** `derives`: whether the openings that the event implies are sent where the event itself isn't read. */
  const pass = (subscription: Subscription, notification: Notification, derives: boolean): void => {
    const name = findEvent(notification.event['hub.event']);
    const reads = (each: EventName): boolean => subscription.names.includes(each);
    if (name !== undefined && reads(name)) notify(subscription, notification);
    else if (derives) for (const derived of deriveOpenings(notification, reads, uuid)) notify(subscription, derived);
  };

  /** Reports to the other applications that one did not follow. */
  const report = (
    { topic, subscriber }: Subscription,
    failure: { readonly eventId: string; readonly eventName: string; readonly reason: string },
  ): void => deliver(syncError({ ...failure, topic, subscriber }, stamp()));

  const fail = (subscription: Subscription, reason: string): void => {
    end(subscription, reason, closeCodes.policy);
    report(subscription, { eventId: uuid(), eventName: 'SyncError', reason });
  };

  const stopWaiting = ({ waiting }: Subscription): void => {
    for (const { stop } of waiting.values()) stop();
    waiting.clear();
  };

  const end: Connections['end'] = (subscription, reason, code = closeCodes.normal) => {
    const { endpoint, topic, names, socket } = subscription;
    if (!subscriptions.delete(endpoint)) return;
    subscription.endLease();
    subscription.unfollow();
    stopWaiting(subscription);
    subscription.socket = undefined;
    if (socket?.readyState === socketOpen) {
      const denial = { 'hub.mode': 'denied', 'hub.topic': topic, 'hub.events': names.join(','), 'hub.reason': reason };
      socket.send(JSON.stringify(denial));
      socket.close(code);
      socket.once(
        'close',
        after(closingMs, () => socket.terminate()),
      );
    }
    if (subscriptions.size === 0) heartbeat.stop();
  };

  const heartbeat = createRepeating(clock, heartbeatSeconds * 1000, () => {
    for (const subscription of subscriptions.values()) {
      if (subscription.socket?.readyState === socketOpen) subscription.socket.ping();
      const event = { 'hub.topic': subscription.topic, 'hub.event': 'heartbeat', context: [heartbeatPeriod] };
      if (subscription.names.includes('heartbeat')) send(subscription, { ...stamp(), event });
    }
  });

  const beginLease: Connections['beginLease'] = (subscription) => {
    subscription.endLease();
    subscription.endLease = after(subscription.lease * 1000, () => end(subscription, 'The lease has ended.'));
  };

  return {
    add(subscription) {
      subscriptions.set(subscription.endpoint, subscription);
      heartbeat.start();
    },
    find: (endpoint) => subscriptions.get(endpoint),
    all: () => subscriptions.values(),
    beginLease,
    confirm(subscription) {
      const { topic, names, lease } = subscription;
      const confirmed = { 'hub.mode': 'subscribe', 'hub.topic': topic, 'hub.events': names.join(',') };
      beginLease(subscription);
      send(subscription, { ...confirmed, 'hub.lease_seconds': lease });
    },
    deliver,
    catchUp(subscription, missed) {
      for (const [at, notification] of missed.entries()) pass(subscription, notification, at === missed.length - 1);
    },
    receive(subscription, text) {
      const answer = readAcknowledgement(text);
      const awaited = answer && subscription.waiting.get(answer.id);
      if (!answer || !awaited) return;
      awaited.stop();
      subscription.waiting.delete(answer.id);
      const name = findEvent(awaited.name);
      const action = name && parseEvent(name).action;
      // 3.2.1: what is shared about a context that all have open makes no SyncError.
      if (!answer.isRefusal || action === 'update' || action === 'select') return;
      const reason = `It answered with status ${answer.status}.`;
      report(subscription, { eventId: answer.id, eventName: awaited.name, reason });
    },
    lose(subscription, code) {
      subscription.socket = undefined;
      stopWaiting(subscription);
      if (code === closeCodes.normal || code === closeCodes.away) return;
      report(subscription, { eventId: uuid(), eventName: 'SyncError', reason: 'Its connection was lost.' });
    },
    end,
  };
}
