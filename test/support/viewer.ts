/** An application at a hub, as a viewer is: it subscribes, connects, hears events, acknowledges them, and sends its own. */
import { onTestFinished } from 'vitest';
import { WebSocket } from 'ws';
import type { Notification, Resource } from '../../src/protocols/fhircast/messages.ts';
import type { Clock } from '../../src/domain/clock.ts';

export interface Said extends Partial<Notification> {
  readonly 'hub.mode'?: string;
  readonly 'hub.events'?: string;
  readonly 'hub.lease_seconds'?: number;
  readonly 'hub.reason'?: string;
}

export interface Viewer {
  readonly endpoint: string;
  /** Everything that it was sent, in order. */
  readonly said: readonly Said[];
  /** Resolves once something that it was sent meets the condition; what was sent before counts. */
  hears(condition: (said: Said) => boolean): Promise<Said>;
  hearsEvent(id: string): Promise<Notification>;
  /** How it answers events; `null`: not at all. */
  answer: ((said: Said) => object) | null;
  /** The code with which its connection was closed. */
  readonly closed: Promise<number>;
  /** Resolves once the hub has read everything that it sent. */
  settled(): Promise<void>;
}

export interface Person {
  readonly token: string;
  readonly topic: string;
}

/** A server that listens, and its time. */
export interface HubServer {
  readonly server: { readonly url: string };
  readonly clock: Pick<Clock, 'now'>;
}

/** The calls of a hub for one person. */
export function castAt(api: HubServer, { token, topic }: Person) {
  let sent = 0;
  const ask = async (method: string, path: string, body?: string, type?: string) => {
    const headers = { authorization: `Bearer ${token}`, ...(type && { 'content-type': type }) };
    const answer = await fetch(`${api.server.url}/fhircast${path}`, {
      method,
      headers,
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    return {
      status: answer.status,
      json: (text === '' ? {} : JSON.parse(text)) as Record<string, unknown>,
      headers: answer.headers,
    };
  };
  const form = (fields: Readonly<Record<string, string>>) =>
    ask(
      'POST',
      '',
      new URLSearchParams({ 'hub.channel.type': 'websocket', 'hub.topic': topic, ...fields }).toString(),
      'application/x-www-form-urlencoded',
    );
  return {
    ask,
    form,
    current: () => ask('GET', `/${topic}`),
    async send(name: string, context: readonly object[], more: { id?: string; version?: string; at?: number } = {}) {
      const id = more.id ?? `event-${topic}-${(sent += 1)}`;
      const event = {
        'hub.topic': topic,
        'hub.event': name,
        ...(more.version !== undefined && { 'context.versionId': more.version }),
        context,
      };
      const timestamp = new Date(more.at ?? api.clock.now()).toISOString();
      const answer = await ask('POST', '', JSON.stringify({ id, timestamp, event }), 'application/json');
      return { ...answer, id };
    },
    async join(events: string, fields: Readonly<Record<string, string>> = {}): Promise<Viewer> {
      const { status, json } = await form({ 'hub.mode': 'subscribe', 'hub.events': events, ...fields });
      if (status !== 202) throw new Error(JSON.stringify(json));
      const viewer = connect(String(json['hub.channel.endpoint']));
      await viewer.hears((said) => said['hub.mode'] === 'subscribe');
      return viewer;
    },
  };
}

export function connect(endpoint: string): Viewer {
  const socket = new WebSocket(endpoint);
  const said: Said[] = [];
  const waiting = new Set<() => void>();
  const closed = Promise.withResolvers<number>();
  const viewer: Viewer = {
    endpoint,
    said,
    answer: ({ id }) => ({ id, status: 200 }),
    closed: closed.promise,
    hears(condition) {
      const { promise, resolve } = Promise.withResolvers<Said>();
      const look = (): void => {
        const found = said.find(condition);
        if (found) resolve(found);
      };
      waiting.add(look);
      look();
      return promise;
    },
    hearsEvent: (id) => viewer.hears((each) => each.id === id) as Promise<Notification>,
    settled() {
      const { promise, resolve } = Promise.withResolvers<void>();
      socket.once('pong', () => resolve());
      socket.ping();
      return promise;
    },
  };
  socket.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as Said;
    said.push(message);
    if (message.event && viewer.answer) socket.send(JSON.stringify(viewer.answer(message)));
    for (const look of waiting) look();
  });
  socket.on('error', () => closed.resolve(0));
  socket.on('close', (code) => closed.resolve(code));
  onTestFinished(() => socket.terminate());
  return viewer;
}

const part = (key: string, resource: Resource) => ({ key, resource });
export const patient = (id: string) => part('patient', { resourceType: 'Patient', id });
export const study = (id: string) => part('study', { resourceType: 'ImagingStudy', id });
export const reportOf = (id: string) => part('report', { resourceType: 'DiagnosticReport', id, status: 'unknown' });
/** A measurement made in the viewer, as a change of the content of a report. */
export const putting = (report: string, ...ids: readonly string[]) => [
  { key: 'report', reference: { reference: `DiagnosticReport/${report}` } },
  part('updates', {
    resourceType: 'Bundle',
    entry: ids.map((id) => ({ request: { method: 'PUT' }, resource: { resourceType: 'Observation', id } })),
  }),
];
