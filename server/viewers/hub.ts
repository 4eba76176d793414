/**
 * The hub of FHIRcast 3.0.0: the applications of one workplace (report, viewer, RIS) subscribe to the topic of their person over a
 * WebSocket, and hear which exam is looked at, and what the others measured in it. Topics are kept in memory: after a restart an application
 * opens its context again. Of several processes one has a topic with its subscriptions, and the others pass on what concerns it.
 */
import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import { allowsCast } from '../../src/contract/scopes.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import { eventNames, findEvent } from '../../src/protocols/fhircast/events.ts';
import { CastRefusal, readNotification } from '../../src/protocols/fhircast/messages.ts';
import type { CurrentContext } from '../../src/protocols/fhircast/messages.ts';
import { createPlaceKey, topicForCaller } from '../../src/protocols/fhircast/place.ts';
import { createTopic } from '../../src/protocols/fhircast/topic.ts';
import type { Topic } from '../../src/protocols/fhircast/topic.ts';
import { closeCodes, createConnections } from './connections.ts';
import type { ConnectionDeps, Connections } from './connections.ts';
import { readLease, readNames, readsAll } from './subscription.ts';
import type { CastCaller, CastForm, Subscription } from './subscription.ts';

const maxSubscriptions = 100;
const maxTopics = 1000;
/** Characters of an application's name. */
const maxName = 100;

type FollowToken = (isAllowed: (scopes: readonly Scope[]) => boolean, over: () => void) => () => void;

export interface HubDeps extends ConnectionDeps {
  /** The time by which tokens end, ms since 1970; the clock for waits may be another one. */
  readonly now: () => number;
}

export interface Hub {
  readonly configuration: Readonly<Record<string, unknown>>;
  /** Subscribes, changes a subscription, or ends one; gives its endpoint. `follow` is the authenticator's, for the token of the call. */
  subscribe(caller: CastCaller, form: CastForm, follow: FollowToken): string;
  /** Takes a change of context, and delivers it. */
  publish(caller: CastCaller, body: unknown): void;
  current(caller: CastCaller, topic: string): CurrentContext;
  has(endpoint: string): boolean;
  /** Ends the subscriptions of a topic that another process has now, and forgets what is looked at. `place`: the key of the topic. */
  drop(place: string): void;
  /** Joins the connection to its subscription. */
  connect(endpoint: string, socket: WebSocket): void;
  close(): void;
}

export function createHub({ now, ...deps }: HubDeps): Hub {
  const { uuid } = deps;
  const topics = new Map<string, Topic>();
  const connections = createConnections(deps);

  const findTopic = (caller: CastCaller, name: string | undefined): Topic => {
    if (name === undefined || name === '') throw new CastRefusal(400, 'hub.topic is missing.');
    if (name !== topicForCaller(caller)) throw new CastRefusal(403, 'The topic is not that of this access token.');
    const known = topics.get(name);
    if (known) return known;
    if (topics.size >= maxTopics) forgetIdleTopic(topics, connections);
    const topic = createTopic({ name, uuid });
    topics.set(name, topic);
    return topic;
  };

  const findSubscription = (topic: Topic, address: string | undefined): Subscription | undefined => {
    if (address === undefined || address === '') return undefined;
    const found = connections.find(address.trim().split('/').pop() ?? '');
    if (found?.topic !== topic.name) throw new CastRefusal(404, 'hub.channel.endpoint is none of this topic.');
    return found;
  };

  const add = (topic: Topic, chosen: Pick<Subscription, 'names' | 'lease' | 'subscriber'>): Subscription => {
    const others = Array.from(connections.all()).filter((each) => each.topic === topic.name);
    if (others.length >= maxSubscriptions)
      throw new CastRefusal(429, `A topic has at most ${maxSubscriptions} subscriptions. End some of them.`);
    const subscription: Subscription = {
      ...chosen,
      endpoint: `${createPlaceKey(topic.name)}.${randomBytes(24).toString('base64url')}`,
      topic: topic.name,
      socket: undefined,
      waiting: new Map(),
      endLease: () => undefined,
      unfollow: () => undefined,
    };
    connections.add(subscription);
    return subscription;
  };

  return {
    configuration: {
      eventsSupported: eventNames,
      websocketSupport: true,
      fhircastVersion: '3.0.0',
      fhirVersion: 'R4',
      getCurrentSupport: true,
      capabilities: { supportsGetCurrentContext: true, supportsNonCurrentContextUpdates: false },
    },
    subscribe(caller, form, follow) {
      if (form['hub.channel.type'] !== 'websocket') throw new CastRefusal(400, 'hub.channel.type must be websocket.');
      const mode = form['hub.mode'];
      if (mode !== 'subscribe' && mode !== 'unsubscribe')
        throw new CastRefusal(400, 'hub.mode must be subscribe or unsubscribe.');
      const topic = findTopic(caller, form['hub.topic']);
      const known = findSubscription(topic, form['hub.channel.endpoint']);
      if (mode === 'unsubscribe') {
        if (!known) throw new CastRefusal(400, 'hub.channel.endpoint is missing.');
        // The answer goes out before the connection ends.
        setImmediate(() => connections.end(known, 'Unsubscribed.'));
        return known.endpoint;
      }
      const chosen = {
        names: readNames(caller, form['hub.events']),
        lease: readLease(form['hub.lease_seconds'], caller.expires_at - now()),
        subscriber: form['subscriber.name']?.slice(0, maxName) || known?.subscriber || 'An application',
      };
      const subscription = known ? Object.assign(known, chosen) : add(topic, chosen);
      subscription.unfollow();
      subscription.unfollow = follow(
        (scopes) => readsAll(scopes, subscription.names),
        () => connections.end(subscription, 'The access token has ended.'),
      );
      if (subscription.socket) connections.confirm(subscription);
      else connections.beginLease(subscription);
      return subscription.endpoint;
    },
    publish(caller, body) {
      const notification = readNotification(body);
      const { 'hub.topic': topicName, 'hub.event': eventName } = notification.event;
      const topic = findTopic(caller, topicName);
      const name = findEvent(eventName);
      if (name === undefined) throw new CastRefusal(400, `The hub has no event ${eventName}.`);
      if (!allowsCast(caller.scopes, name, 'write'))
        throw new CastRefusal(403, `The access token lacks the scope fhircast/${name}.write.`);
      const taken = topic.take(notification);
      if (taken) connections.deliver(taken);
    },
    current(caller, topic) {
      return findTopic(caller, topic).current((name) => allowsCast(caller.scopes, name, 'read'));
    },
    has: (endpoint) => connections.find(endpoint) !== undefined,
    connect(endpoint, socket) {
      const subscription = connections.find(endpoint);
      // An error without a listener would end the process; `close` follows it.
      socket.on('error', () => undefined);
      if (!subscription) return socket.close(closeCodes.policy);
      subscription.socket?.close(closeCodes.normal);
      subscription.socket = socket;
      socket.on('message', (data: Buffer) => connections.receive(subscription, data.toString()));
      socket.on('close', (code) => {
        if (subscription.socket === socket) connections.lose(subscription, code);
      });
      connections.confirm(subscription);
      connections.catchUp(subscription, topics.get(subscription.topic)?.missed() ?? []);
    },
    drop(place) {
      const topic = Array.from(topics.keys()).find((name) => createPlaceKey(name) === place);
      if (topic === undefined) return;
      topics.delete(topic);
      for (const subscription of Array.from(connections.all()))
        if (subscription.topic === topic) connections.end(subscription, 'Subscribe again.', closeCodes.away);
    },
    close() {
      for (const subscription of Array.from(connections.all())) {
        const { socket } = subscription;
        connections.end(subscription, 'The hub stops.', closeCodes.away);
        socket?.terminate();
      }
    },
  };
}

/** Forgets the oldest topic to which nobody has subscribed. CastRefusal where there is none. */
function forgetIdleTopic(topics: Map<string, Topic>, connections: Connections): void {
  const used = new Set(Array.from(connections.all(), ({ topic }) => topic));
  for (const name of topics.keys()) if (!used.has(name)) return void topics.delete(name);
  throw new CastRefusal(429, 'The hub has too many topics in use.');
}
