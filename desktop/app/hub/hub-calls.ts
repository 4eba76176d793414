/** The HTTP calls of a FHIRcast hub. */
import type { Transport } from '../../../src/client/transport.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { isoNow } from '../../../src/domain/clock.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import type { EventName } from '../../../src/protocols/fhircast/events.ts';
import { isContextPart, listObjects } from '../../../src/protocols/fhircast/messages.ts';
import type { CastEvent, CurrentContext, Notification } from '../../../src/protocols/fhircast/messages.ts';
import type { JoinFault } from '../../bridge/hub.ts';

const maxAnswerBytes = 8 * 1024 * 1024;
/** How long the hub may take to answer a call, in ms. */
const patienceMs = 10_000;
/** Characters of what a hub says about a refusal. */
const maxReason = 300;
const form = 'application/x-www-form-urlencoded';

export interface HubAddress {
  readonly address: string;
  readonly topic: string;
  readonly token: () => Promise<string>;
  readonly transport: Transport;
}
/** Why the hub was not joined; `message`: in the words of the hub. */
export interface HubProblem {
  readonly why: JoinFault;
  readonly message?: string;
}

type Hub = HubAddress & { readonly clock: Clock };

export interface Application {
  readonly subscriber: string;
  readonly events: readonly EventName[];
}

/** The result of the work. AppError NETWORK once it takes longer than `ms`, or `ended` is aborted. */
export async function limitTime<T>(
  clock: Clock,
  ms: number,
  work: (ended: AbortSignal) => Promise<T>,
  ended: AbortController = new AbortController(),
): Promise<T> {
  const late = Promise.withResolvers<never>();
  ended.signal.addEventListener('abort', () => late.reject(new AppError('NETWORK')));
  const stop = clock.schedule(clock.now() + ms, () => ended.abort());
  return Promise.race([work(ended.signal), late.promise]).finally(stop);
}

const ask = (
  { address, transport, token, clock }: Hub,
  path: string,
  body?: { readonly text: string; readonly type: string },
): Promise<{ readonly status: number; readonly text: string }> =>
  limitTime(clock, patienceMs, async (signal) => {
    const answer = await transport({
      method: body ? 'POST' : 'GET',
      url: `${address}${path}`,
      headers: {
        accept: 'application/json',
        authorization: `Bearer ${await token()}`,
        ...(body && { 'content-type': body.type }),
      },
      ...(body && { body: body.text }),
      signal,
    });
    return { status: answer.status, text: await answer.text(maxAnswerBytes) };
  });

/** Subscribes, or changes the subscription that has the endpoint. `endpoint`: the address of its WebSocket. */
export async function postSubscription(
  at: Hub,
  { subscriber, events }: Application,
  mode: 'subscribe' | 'unsubscribe',
  known?: string,
): Promise<{ readonly endpoint: string } | HubProblem> {
  const fields = {
    'hub.channel.type': 'websocket',
    'hub.mode': mode,
    'hub.topic': at.topic,
    'hub.events': events.join(','),
    'subscriber.name': subscriber,
    ...(known !== undefined && { 'hub.channel.endpoint': known }),
  };
  const { status, text } = await ask(at, '', { text: new URLSearchParams(fields).toString(), type: form });
  const { 'hub.channel.endpoint': endpoint, issue } = parseObject(text);
  const [{ diagnostics } = {}] = listObjects(issue);
  if (status >= 300) return { why: findFault(status), ...readReason(diagnostics) };
  return typeof endpoint === 'string' && isAsSafe(endpoint, at.address) ? { endpoint } : silent;
}

/** Nothing answers there, or nothing that is a hub. */
export const silent: HubProblem = { why: 'unreachable' };

/** Whether the address of a WebSocket is encrypted where that of its hub is. */
const isAsSafe = (endpoint: string, hub: string): boolean =>
  endpoint.startsWith('wss://') || (endpoint.startsWith('ws://') && hub.startsWith('http://'));

export const readReason = (reason: unknown): Pick<HubProblem, 'message'> =>
  typeof reason === 'string' ? { message: reason.slice(0, maxReason) } : {};

/** The fault for the status with which a hub refuses a subscription. */
function findFault(status: number): JoinFault {
  if (status === 401) return 'unauthorized';
  if (status === 403) return 'forbidden';
  return status === 400 || status === 404 ? 'no_topic' : 'unreachable';
}

/** AppError where the hub does not take it. */
export async function postEvent(at: Hub, id: string, event: Omit<CastEvent, 'hub.topic'>): Promise<void> {
  const notification: Notification = {
    timestamp: isoNow(at.clock),
    id,
    event: { 'hub.topic': at.topic, ...event },
  };
  const { status } = await ask(at, '', { text: JSON.stringify(notification), type: 'application/json' });
  if (status >= 300) throw new AppError('BAD_ANSWER');
}

/** `undefined`: the hub doesn't say. */
export async function readCurrent(at: Hub): Promise<CurrentContext | undefined> {
  try {
    const { status, text } = await ask(at, `/${encodeURIComponent(at.topic)}`);
    const current = parseObject(text) as unknown as Partial<CurrentContext>;
    const { 'context.type': type, context } = current;
    const isContext = typeof type === 'string' && Array.isArray(context) && context.every(isContextPart);
    return status === 200 && isContext ? (current as CurrentContext) : undefined;
  } catch (error) {
    if (error instanceof AppError) return undefined;
    throw error;
  }
}

/** An empty object where the text is none. */
export function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  } catch {
    return {};
  }
}
