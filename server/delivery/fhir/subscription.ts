/** Subscriptions of FHIR clients, in the form of R4 with topics by the Subscriptions R5 Backport guide. */
import { validationFailed } from '../../../src/contract/errors.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import { reportTopic } from '../../../src/contract/fhir-subscription.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { parseInstant } from '../../../src/domain/iso-time.ts';
import type { Documents } from '../../storage/collections.ts';
import { toFhirId } from './find-reports.ts';

export type StoredSubscription = Documents['subscriptions'];
type SubscriptionRequest = Pick<
  StoredSubscription,
  'reason' | 'endpoint' | 'content' | 'heartbeat_seconds' | 'ends_at'
> & {
  /** `undefined`: none are given. */
  readonly headers: string[] | undefined;
  readonly isOff: boolean;
};

export const backport = 'http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition';
const heartbeatPeriod = `${backport}/backport-heartbeat-period`;
const payloadContent = `${backport}/backport-payload-content`;
const contents = ['empty', 'id-only', 'full-resource'] as const;
/** Seconds. */
const heartbeats = { min: 30, max: 86_400 };
const maxHeaders = 10;
/** A header, printable. */
const headerForm = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}): ?([\x21-\x7e](?:[\x20-\x7e]{0,3999}[\x21-\x7e])?)$/;
/** Headers of the connection and of the body are those of the sender. */
const ownHeaders = /^(?:host|connection|keep-alive|te|trailer|upgrade|expect|transfer-encoding|content-.*|proxy-.*)$/i;

/** Throws VALIDATION_FAILED with all faults. `now`: ms since 1970. The host of the endpoint is not checked. */
export function readSubscription(resource: unknown, now: number): SubscriptionRequest {
  const faults: FieldError[] = [];
  const refuse = (field: string, message: string): void => void faults.push({ field, message, code: 'INVALID_VALUE' });
  const root = isPlainObject(resource) && resource['resourceType'] === 'Subscription' ? resource : undefined;
  if (!root) throw validationFailed([{ field: '', message: 'the body must be a Subscription', code: 'INVALID_VALUE' }]);
  const { criteria, _criteria, status, reason = '', end } = root;
  const channel = isPlainObject(root['channel']) ? root['channel'] : {};
  if (criteria !== reportTopic) refuse('criteria', `criteria must be the topic ${reportTopic}`);
  if (_criteria !== undefined) refuse('_criteria', 'the topic has no filters');
  if (typeof reason !== 'string' || reason.length > 1000) refuse('reason', 'reason must be a text of 1000 characters');
  if (channel['type'] !== 'rest-hook') refuse('channel.type', 'channel.type must be rest-hook');
  const endpoint = channel['endpoint'];
  if (typeof endpoint !== 'string' || endpoint.length > 2048) refuse('channel.endpoint', 'channel.endpoint is missing');
  const { payload } = channel;
  if (payload !== undefined && payload !== 'application/fhir+json' && payload !== 'application/json')
    refuse('channel.payload', 'channel.payload must be application/fhir+json');
  const said = findExtension(channel['_payload'], payloadContent)?.['valueCode'] ?? 'empty';
  const content = contents.find((each) => each === said);
  if (!content) refuse('channel._payload', `the content of the payload must be one of ${contents.join(', ')}`);
  const period = findExtension(channel, heartbeatPeriod)?.['valueUnsignedInt'] ?? null;
  if (period !== null && !(Number.isInteger(period) && Number(period) > 0 && Number(period) <= heartbeats.max))
    refuse('channel.extension', `the heartbeat period must be seconds up to ${heartbeats.max}`);
  const headers = channel['header'];
  if (headers !== undefined && !areHeaders(headers))
    refuse('channel.header', `channel.header must be up to ${maxHeaders} texts NAME: VALUE`);
  const ends = typeof end === 'string' ? parseInstant(end) : null;
  if (end !== undefined && (ends === null || ends <= now)) refuse('end', 'end must be a time in the future');
  if (faults.length > 0) throw validationFailed(faults);
  return {
    reason: reason as string,
    endpoint: endpoint as string,
    content: content ?? 'empty',
    heartbeat_seconds: period === null ? null : Math.max(heartbeats.min, Number(period)),
    ends_at: ends === null ? null : new Date(ends).toISOString(),
    headers: headers as string[] | undefined,
    isOff: status === 'off',
  };
}

function findExtension(of: unknown, url: string): Readonly<Record<string, unknown>> | undefined {
  const all = isPlainObject(of) && Array.isArray(of['extension']) ? (of['extension'] as unknown[]) : [];
  return all.filter(isPlainObject).find((each) => each['url'] === url);
}

const areHeaders = (headers: unknown): boolean =>
  Array.isArray(headers) &&
  headers.length <= maxHeaders &&
  headers.every((each) => {
    const name = typeof each === 'string' ? headerForm.exec(each)?.[1] : undefined;
    return name !== undefined && !ownHeaders.test(name);
  });

/** Throws if a stored header is no header. */
export const toHeaders = (headers: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    headers.map((header) => {
      const at = header.indexOf(':');
      return [header.slice(0, at), header.slice(at + 1).trim()];
    }),
  );

export const showSubscription = (subscription: StoredSubscription) => ({
  resourceType: 'Subscription',
  id: toFhirId(subscription.id),
  meta: { lastUpdated: subscription.updated_at, profile: [`${backport}/backport-subscription`] },
  status: subscription.status,
  ...(subscription.ends_at !== null && { end: subscription.ends_at }),
  reason: subscription.reason.trim() || 'Reports',
  criteria: reportTopic,
  ...(subscription.error !== null && { error: subscription.error }),
  channel: {
    ...(subscription.heartbeat_seconds !== null && {
      extension: [{ url: heartbeatPeriod, valueUnsignedInt: subscription.heartbeat_seconds }],
    }),
    type: 'rest-hook',
    endpoint: subscription.endpoint,
    payload: 'application/fhir+json',
    _payload: { extension: [{ url: payloadContent, valueCode: subscription.content }] },
  },
});
