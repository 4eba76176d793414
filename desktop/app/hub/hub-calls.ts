/** The HTTP calls of a FHIRcast hub. */
import type { IncomingAnswer, Transport } from '../../../src/client/transport.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { EventName } from '../../../src/protocols/fhircast/events.ts';
import { isContextPart } from '../../../src/protocols/fhircast/messages.ts';
import type { CurrentContext, Notification } from '../../../src/protocols/fhircast/messages.ts';

const maxAnswerBytes = 8 * 1024 * 1024;
const form = 'application/x-www-form-urlencoded';

export interface HubAddress {
  readonly address: string;
  readonly topic: string;
  readonly token: () => Promise<string>;
  readonly transport: Transport;
}

export interface Application {
  readonly subscriber: string;
  readonly events: readonly EventName[];
}

async function ask(
  { address, transport, token }: HubAddress,
  path: string,
  body?: { readonly text: string; readonly type: string },
): Promise<IncomingAnswer> {
  return transport({
    method: body ? 'POST' : 'GET',
    url: `${address}${path}`,
    headers: {
      accept: 'application/json',
      authorization: `Bearer ${await token()}`,
      ...(body && { 'content-type': body.type }),
    },
    ...(body && { body: body.text }),
  });
}

/** Subscribes, or changes the subscription that has the endpoint. `endpoint`: the address of its WebSocket. */
export async function postSubscription(
  at: HubAddress,
  { subscriber, events }: Application,
  mode: 'subscribe' | 'unsubscribe',
  known?: string,
): Promise<{ readonly status: number; readonly endpoint: string | undefined }> {
  const fields = {
    'hub.channel.type': 'websocket',
    'hub.mode': mode,
    'hub.topic': at.topic,
    'hub.events': events.join(','),
    'subscriber.name': subscriber,
    ...(known !== undefined && { 'hub.channel.endpoint': known }),
  };
  const answer = await ask(at, '', { text: new URLSearchParams(fields).toString(), type: form });
  const { 'hub.channel.endpoint': endpoint } = parseObject(await answer.text(maxAnswerBytes));
  return { status: answer.status, endpoint: typeof endpoint === 'string' ? endpoint : undefined };
}

/** AppError where the hub does not take it. */
export async function postEvent(at: HubAddress, notification: Notification): Promise<void> {
  const answer = await ask(at, '', { text: JSON.stringify(notification), type: 'application/json' });
  await answer.text(maxAnswerBytes);
  if (answer.status >= 300) throw new AppError('BAD_ANSWER');
}

/** `undefined`: the hub doesn't say. */
export async function readCurrent(at: HubAddress): Promise<CurrentContext | undefined> {
  try {
    const answer = await ask(at, `/${encodeURIComponent(at.topic)}`);
    const current = parseObject(await answer.text(maxAnswerBytes)) as unknown as Partial<CurrentContext>;
    const { 'context.type': type, context } = current;
    const isContext = typeof type === 'string' && Array.isArray(context) && context.every(isContextPart);
    return answer.status === 200 && isContext ? (current as CurrentContext) : undefined;
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
