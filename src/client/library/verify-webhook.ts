/** `verifyWebhook` of the package: for receivers of webhooks, in Node and in tests. */
import { eventTypeNames } from '../../contract/events.ts';
import type { WebhookEvent } from '../../contract/events.ts';
import { AppError } from '../../contract/errors.ts';
import { refuseUnknown } from './options.ts';
import {
  timestampTolerance,
  verifyWebhook as verifySigned,
  webhookHeaders,
} from '../../node/http/webhook-signature.ts';
import type { WebhookRefusal } from '../../node/http/webhook-signature.ts';

/** Headers as Node, a framework or `fetch` has them; names in any case. */
export type WebhookHeaders =
  | Readonly<Record<string, string | readonly string[] | undefined>>
  | { get(name: string): string | null };

export interface VerifyOptions {
  /** The present, as Date or in ms since 1970, for servers with a simulated clock. Default: the machine's time. */
  readonly now?: Date | number;
}

/** A verified event. Attempts to deliver it have the same `id`: a receiver acts on each id once. */
export interface VerifiedEvent extends WebhookEvent {
  readonly id: string;
}

const reasons: Readonly<Record<WebhookRefusal | 'body', string>> = {
  headers: 'The headers webhook-id, webhook-timestamp and webhook-signature are missing or invalid.',
  timestamp: `The event was not signed within the last ${timestampTolerance / 60} minutes.`,
  signature: 'The event was not signed with this secret, or its body was changed.',
  body: 'The signed body is not an event.',
};

/**
 * Verifies the signature and the age of a received webhook (Standard Webhooks), and returns its event. Throws
 * UNAUTHORIZED, with `details.reason`, if the request is not from the server: answer it with 401.
 *
 * ```ts
 * const { id, type, data } = verifyWebhook(body, request.headers, process.env.WEBHOOK_SECRET);
 * ```
 *
 * `body`: the bytes as they came, not parsed. `secret`: `whsec_…`, or several of them during a rotation.
 */
export function verifyWebhook(
  body: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyOptions = {},
): VerifiedEvent {
  refuseUnknown('verifyWebhook', options, ['now']);
  if (typeof body !== 'string' && !(body instanceof Uint8Array)) {
    throw new AppError('USAGE', {
      message: 'verifyWebhook takes the body as it came, as text or bytes.',
      hint: 'Read the raw body of the request: parsed and written again, its signature does not match.',
    });
  }
  const { now = Date.now() } = options;
  const secrets = [secret].flat();
  // A program without types passes an unset variable, or the text of an instant.
  if (!secrets.every((each) => typeof each === 'string'))
    throw new AppError('USAGE', { message: 'verifyWebhook takes the secret of the webhook, whsec_…, or several.' });
  if (Object(headers) !== headers)
    throw new AppError('USAGE', { message: 'verifyWebhook takes the headers of the request, as an object.' });
  if (typeof now !== 'number' && !(now instanceof Date))
    throw new AppError('USAGE', { message: 'now of verifyWebhook is a Date, or ms since 1970.' });
  const verdict = verifySigned({ headers: readHeaders(headers), body, now: Number(now) }, secrets);
  if (!verdict.ok) throw refuse(verdict.reason);
  const event = parseEvent(body);
  if (!event) throw refuse('body');
  return { ...event, id: verdict.id };
}

const refuse = (reason: WebhookRefusal | 'body'): AppError =>
  new AppError('UNAUTHORIZED', { message: reasons[reason], details: { reason } });

/** The three headers of the signature. A list with one value, as some gateways pass on, counts as the value. */
function readHeaders(headers: WebhookHeaders): Record<string, string | undefined> {
  const isMap = (given: WebhookHeaders): given is { get(name: string): string | null } =>
    typeof given['get'] === 'function';
  const all = isMap(headers) ? [] : Object.entries(headers);
  const find = (name: string): string | undefined => {
    if (isMap(headers)) return headers.get(name) ?? undefined;
    const values = all.filter(([other]) => other.toLowerCase() === name).flatMap(([, value]) => value ?? []);
    return values.length === 1 ? values[0] : undefined;
  };
  return Object.fromEntries(Object.values(webhookHeaders).map((name) => [name, find(name)]));
}

function parseEvent(body: string | Uint8Array): WebhookEvent | undefined {
  try {
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
    const event = JSON.parse(text) as WebhookEvent | null;
    return event !== null && eventTypeNames.includes(event.type) ? event : undefined;
  } catch {
    return undefined;
  }
}
