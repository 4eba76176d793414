/**
 * The Subscription of a channel at its FHIR server: made, renewed before it ends, and made again if the server gave it up. It asks
 * for no content: a notification says when to poll, and the poll finds all that changed, with what a lost notification was about.
 */
import { hash as hashOf } from 'node:crypto';
import { AppError } from '../../../../../src/contract/errors.ts';
import { machineClockOf } from '../../../../../src/domain/clock.ts';
import { isPlainObject } from '../../../../../src/domain/normalise.ts';
import type { ChannelConfig, InboundDeps } from '../../channel.ts';
import { explainFailure } from '../../failures.ts';
import type { FhirClient, Resource } from '../fhir/client.ts';
import { readNotification } from './notification.ts';
import type { FhirInSettings } from './settings.ts';

export interface Subscription {
  /** Makes or renews it where that is due. Resolves to a problem for the operator; `null`: none. */
  keep(signal: AbortSignal): Promise<string | null>;
  /** Whether this hook means that something changed, and not only that the server is there. */
  hear(body: unknown): boolean;
  /** Whether the server would have said what changed: its heartbeats arrive. */
  isReliable(): boolean;
}

/** How long the Subscription of a channel that was removed lives on, in ms; it is renewed at half of that. */
const lifetime = 86_400_000;
/** Heartbeats that may be late before silence counts. */
const patience = 2.5;

/** The Subscription as it was last made. */
interface SubscriptionNote {
  readonly id: string;
  readonly until: string;
  /** Hash of what was asked for. */
  readonly request: string;
}

type Form = NonNullable<FhirInSettings['subscribe']>;

/** Throws CONFIGURATION if a setting is missing. */
export function createSubscription(
  { name, settings }: ChannelConfig<FhirInSettings>,
  form: Form,
  client: FhirClient,
  { clock, intake, log }: Pick<InboundDeps, 'clock' | 'intake' | 'log'>,
): Subscription {
  const { subscription_topic: topic, hook_url: base, hook_token: token, interval_seconds: seconds = 60 } = settings;
  if (topic === undefined || base === undefined || token === undefined) {
    throw new AppError('CONFIGURATION', {
      message: 'A Subscription needs subscription_topic, hook_url and hook_token.',
      hint: 'Set these three, or remove subscribe.',
    });
  }
  const machine = machineClockOf(clock);
  const endpoint = `${base.replace(/\/$/, '')}/api/v1/channels/${name}/hook`;
  const wanted = builders[form]({ topic, endpoint, authorization: `Bearer ${token}`, seconds });
  const request = hashOf('sha256', JSON.stringify(wanted));
  let heardAt: number | undefined;
  let events = 0;

  const isReliable = (): boolean =>
    heardAt !== undefined && machine.elapsed() - heardAt < patience * Math.max(seconds, minHeartbeat) * 1000;

  async function write(id: string | undefined, signal: AbortSignal): Promise<string | null> {
    const until = new Date(machine.now() + lifetime).toISOString();
    const resource = { ...wanted, ...(id !== undefined && { id }), status: 'requested', end: until };
    const path = id === undefined ? 'Subscription' : `Subscription/${id}`;
    // The handshake may come before the answer.
    heardAt = undefined;
    events = 0;
    const answer = await client.write(id === undefined ? 'POST' : 'PUT', client.urlOf(path), resource, signal);
    if (answer.status >= 300) {
      const isRefused = answer.status >= 400 && answer.status < 500;
      // A server may not change one that it gave up.
      if (id !== undefined && isRefused && answer.status !== 429) return write(undefined, signal);
      return `The FHIR server does not take the Subscription (${answer.status}); the channel polls instead.`;
    }
    const made = answer.id ?? id;
    if (made === undefined)
      return 'The FHIR server does not say which Subscription it made; the channel polls instead.';
    await intake.remember('subscription', { id: made, until, request } satisfies SubscriptionNote);
    log({ level: 'info', event: 'fhir_subscribed', channel: name });
    return null;
  }

  async function keep(signal: AbortSignal): Promise<string | null> {
    const made = readNote(await intake.recall('subscription'));
    if (!made) return write(undefined, signal);
    const isDue = made.request !== request || Date.parse(made.until) - machine.now() < lifetime / 2;
    if (!isDue && isReliable()) return null;
    const present = (await client.get(client.urlOf(`Subscription/${made.id}`), signal))?.resource;
    if (!present) return write(undefined, signal);
    const isWorking = present['status'] === 'active' || present['status'] === 'requested';
    if (isWorking && !isDue) return null;
    const problem = await write(made.id, signal);
    if (problem !== null || isWorking || present['status'] !== 'error') return problem;
    return 'The FHIR server could not reach the channel and gave up its Subscription, which is requested again: check hook_url.';
  }

  return {
    isReliable,
    async keep(signal) {
      try {
        return await keep(signal);
      } catch (error) {
        if (signal.aborted || !(error instanceof AppError)) throw error;
        // The poll that follows says so too if the server is away.
        return `No Subscription: ${explainFailure(error)}`;
      }
    },
    hear(body) {
      heardAt = machine.elapsed();
      const notification = readNotification(body);
      const before = events;
      events = notification?.events ?? before;
      return notification?.type !== 'heartbeat' || events > before;
    },
  };
}

function readNote(value: unknown): SubscriptionNote | undefined {
  if (!isPlainObject(value)) return undefined;
  const { id, until, request } = value;
  return typeof id === 'string' && typeof until === 'string' && typeof request === 'string'
    ? { id, until, request }
    : undefined;
}

interface SubscriptionFacts {
  readonly topic: string;
  readonly endpoint: string;
  readonly authorization: string;
  readonly seconds: number;
}

/** Seconds; more often helps nobody. */
const minHeartbeat = 30;
const reason = 'Laudio reads imaging orders as they change.';
const backport = 'http://hl7.org/fhir/uv/subscriptions-backport/StructureDefinition';

const builders: Readonly<Record<Form, (facts: SubscriptionFacts) => Resource>> = {
  r4b: ({ topic, endpoint, authorization, seconds }) => ({
    resourceType: 'Subscription',
    meta: { profile: [`${backport}/backport-subscription`] },
    reason,
    criteria: topic,
    channel: {
      extension: [{ url: `${backport}/backport-heartbeat-period`, valueUnsignedInt: Math.max(seconds, minHeartbeat) }],
      type: 'rest-hook',
      endpoint,
      payload: 'application/fhir+json',
      _payload: { extension: [{ url: `${backport}/backport-payload-content`, valueCode: 'empty' }] },
      header: [`Authorization: ${authorization}`],
    },
  }),
  r5: ({ topic, endpoint, authorization, seconds }) => ({
    resourceType: 'Subscription',
    reason,
    topic,
    channelType: { system: 'http://terminology.hl7.org/CodeSystem/subscription-channel-type', code: 'rest-hook' },
    endpoint,
    parameter: [{ name: 'Authorization', value: authorization }],
    heartbeatPeriod: Math.max(seconds, minHeartbeat),
    contentType: 'application/fhir+json',
    content: 'empty',
  }),
};
