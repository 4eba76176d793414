/** The Subscription of a FHIR client: as R4 and R4B have it by the Subscriptions R5 Backport guide, as R5 has it, and as it is stored. */
import { validationFailed } from '../../../src/contract/errors.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import { reportTopic } from '../../../src/contract/fhir-subscription.ts';
import { defaultVersion } from '../../../src/contract/fhir-types.ts';
import type { FhirVersion } from '../../../src/contract/fhir-types.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';
import { parseInstant } from '../../../src/domain/iso-time.ts';
import type { Documents } from '../../storage/collections.ts';
import { toFhirId } from './find-reports.ts';
import { readContentVersion } from './versions.ts';

export type StoredSubscription = Documents['subscriptions'];
type SubscriptionRequest = Pick<
  StoredSubscription,
  'reason' | 'endpoint' | 'content' | 'heartbeat_seconds' | 'ends_at'
> & {
  readonly fhir_version: FhirVersion;
  /** `undefined`: none are given. */
  readonly headers: string[] | undefined;
  readonly isOff: boolean;
};

export const backport = 'http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition';
const heartbeatPeriod = `${backport}/backport-heartbeat-period`;
const payloadContent = `${backport}/backport-payload-content`;
const channelTypes = 'http://terminology.hl7.org/CodeSystem/subscription-channel-type';
const contents = ['empty', 'id-only', 'full-resource'] as const;
const contentType = 'application/fhir+json';
/** Seconds. */
const heartbeats = { min: 30, max: 86_400 };
const maxHeaders = 10;
/** A header, printable. */
const headerForm = /^([!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}): ?([\x21-\x7e](?:[\x20-\x7e]{0,3999}[\x21-\x7e])?)$/;
/** Headers of the connection and of the body are those of the sender. */
const ownHeaders = /^(?:host|connection|keep-alive|te|trailer|upgrade|expect|transfer-encoding|content-.*|proxy-.*)$/i;

type JsonObject = Readonly<Record<string, unknown>>;
type Part = 'topic' | 'filter' | 'channel' | 'endpoint' | 'contentType' | 'content' | 'heartbeat' | 'headers';

/** A form of the resource: the name and the value of each part, and how a stored one is shown. */
interface Form {
  read(root: JsonObject): Readonly<Record<Part, readonly [name: string, value: unknown]>>;
  show(subscription: StoredSubscription): JsonObject;
}

const backportForm: Form = {
  read({ criteria, _criteria, channel: given }) {
    const channel = isPlainObject(given) ? given : {};
    return {
      topic: ['criteria', criteria],
      filter: ['_criteria', _criteria],
      channel: ['channel.type', channel['type']],
      endpoint: ['channel.endpoint', channel['endpoint']],
      contentType: ['channel.payload', channel['payload']],
      content: ['channel._payload', findExtension(channel['_payload'], payloadContent)?.['valueCode']],
      heartbeat: ['channel.extension', findExtension(channel, heartbeatPeriod)?.['valueUnsignedInt']],
      headers: ['channel.header', channel['header']],
    };
  },
  show: ({ heartbeat_seconds: heartbeat, endpoint, content, ...state }) => ({
    criteria: reportTopic,
    ...(state.error !== null && { error: explainError(state) }),
    channel: {
      ...(heartbeat !== null && { extension: [{ url: heartbeatPeriod, valueUnsignedInt: heartbeat }] }),
      type: 'rest-hook',
      endpoint,
      payload: contentType,
      _payload: { extension: [{ url: payloadContent, valueCode: content }] },
    },
  }),
};

const forms: Readonly<Record<FhirVersion, Form>> = {
  '4.0': backportForm,
  '4.3': backportForm,
  '5.0': {
    read: ({ topic, filterBy, channelType, parameter, ...root }) => ({
      topic: ['topic', topic],
      filter: ['filterBy', Array.isArray(filterBy) && filterBy.length === 0 ? undefined : filterBy],
      channel: [
        'channelType',
        isPlainObject(channelType) && (channelType['system'] ?? channelTypes) === channelTypes && channelType['code'],
      ],
      endpoint: ['endpoint', root['endpoint']],
      contentType: ['contentType', root['contentType']],
      content: ['content', root['content']],
      heartbeat: ['heartbeatPeriod', root['heartbeatPeriod']],
      headers: ['parameter', Array.isArray(parameter) ? parameter.map(toHeader) : parameter],
    }),
    show: ({ heartbeat_seconds: heartbeat, endpoint, content }) => ({
      topic: reportTopic,
      channelType: { system: channelTypes, code: 'rest-hook' },
      endpoint,
      ...(heartbeat !== null && { heartbeatPeriod: heartbeat }),
      contentType,
      content,
      maxCount: 1,
    }),
  },
};

const toHeader = (parameter: unknown): unknown =>
  isPlainObject(parameter) ? `${String(parameter['name'])}: ${String(parameter['value'])}` : parameter;

/** The version that the resource itself names, or whose members it has. */
function guessVersion(root: JsonObject): FhirVersion {
  const version: FhirVersion = 'topic' in root || 'channelType' in root ? '5.0' : defaultVersion;
  const [, payload] = forms[version].read(root).contentType;
  return (typeof payload === 'string' ? readContentVersion(payload) : undefined) ?? version;
}

/**
 * Throws VALIDATION_FAILED with all faults. `named`: version in the media type of the body. `now`: ms since 1970. The host of the
 * endpoint is not checked.
 */
export function readSubscription(resource: unknown, named: FhirVersion | undefined, now: number): SubscriptionRequest {
  const faults: FieldError[] = [];
  const refuse = (field: string, message: string): void => void faults.push({ field, message, code: 'INVALID_VALUE' });
  const root = isPlainObject(resource) && resource['resourceType'] === 'Subscription' ? resource : undefined;
  if (!root) throw validationFailed([{ field: '', message: 'the body must be a Subscription', code: 'INVALID_VALUE' }]);
  const version = named ?? guessVersion(root);
  const parts = forms[version].read(root);
  const check = (part: Part, isGood: (value: unknown) => boolean, rule: string): void => {
    const [name, value] = parts[part];
    if (!isGood(value)) refuse(name, `${name} ${rule}`);
  };
  const { status, reason = '', end } = root;
  check('topic', (value) => value === reportTopic, `must be the topic ${reportTopic}`);
  check('filter', (value) => value === undefined, 'must be absent: the topic has no filters');
  if (typeof reason !== 'string' || reason.length > 1000) refuse('reason', 'reason must be a text of 1000 characters');
  check('channel', (value) => value === 'rest-hook', 'must be rest-hook');
  check('endpoint', (value) => typeof value === 'string' && value.length <= 2048, 'must be an address');
  check('contentType', isJson, `must be ${contentType}`);
  check(
    'content',
    (value = 'empty') => contents.some((each) => each === value),
    `must be one of ${contents.join(', ')}`,
  );
  check('heartbeat', isPeriod, `must be the seconds between heartbeats, up to ${heartbeats.max}`);
  check('headers', areHeaders, `must be up to ${maxHeaders} headers NAME: VALUE`);
  const ends = typeof end === 'string' ? parseInstant(end) : null;
  if (end !== undefined && (ends === null || ends <= now)) refuse('end', 'end must be a time in the future');
  if (faults.length > 0) throw validationFailed(faults);
  const valueOf = (part: Part): unknown => parts[part][1];
  const period = valueOf('heartbeat') as number | undefined;
  return {
    fhir_version: version,
    reason: reason as string,
    endpoint: valueOf('endpoint') as string,
    content: (valueOf('content') ?? 'empty') as SubscriptionRequest['content'],
    heartbeat_seconds: period === undefined ? null : Math.max(heartbeats.min, period),
    ends_at: ends === null ? null : new Date(ends).toISOString(),
    headers: valueOf('headers') as string[] | undefined,
    isOff: status === 'off',
  };
}

function findExtension(of: unknown, url: string): JsonObject | undefined {
  const all = isPlainObject(of) && Array.isArray(of['extension']) ? (of['extension'] as unknown[]) : [];
  return all.filter(isPlainObject).find((each) => each['url'] === url);
}

const isJson = (type: unknown): boolean =>
  type === undefined || (typeof type === 'string' && /^application\/(?:fhir\+)?json(?:;|$)/.test(type));

const isPeriod = (period: unknown): boolean =>
  period === undefined || (Number.isInteger(period) && Number(period) > 0 && Number(period) <= heartbeats.max);

const areHeaders = (headers: unknown): boolean =>
  headers === undefined ||
  (Array.isArray(headers) &&
    headers.length <= maxHeaders &&
    headers.every((each) => {
      const name = typeof each === 'string' ? headerForm.exec(each)?.[1] : undefined;
      return name !== undefined && !ownHeaders.test(name);
    }));

/** Throws if a stored header is no header. */
export const toHeaders = (headers: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    headers.map((header) => {
      const at = header.indexOf(':');
      return [header.slice(0, at), header.slice(at + 1).trim()];
    }),
  );

export const versionOf = ({ fhir_version: version = defaultVersion }: StoredSubscription): FhirVersion => version;

/** The fault, and the next step. */
export function explainError({
  status,
  error,
  next_handshake_at: next = null,
}: Pick<StoredSubscription, 'status' | 'error' | 'next_handshake_at'>): string | undefined {
  if (error === null) return undefined;
  if (status === 'error') return `${error} Nothing more is sent until a PUT requests the Subscription again.`;
  return next === null ? error : `${error} It is tried again at ${next}.`;
}

export const showSubscription = (subscription: StoredSubscription, version: FhirVersion) => ({
  resourceType: 'Subscription',
  id: toFhirId(subscription.id),
  meta: {
    lastUpdated: subscription.updated_at,
    ...(version !== '5.0' && { profile: [`${backport}/backport-subscription`] }),
  },
  status: subscription.status,
  ...(subscription.ends_at !== null && { end: subscription.ends_at }),
  reason: subscription.reason.trim() || 'Reports',
  ...forms[version].show(subscription),
});
