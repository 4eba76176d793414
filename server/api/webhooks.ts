/** The operator's calls for webhooks of partner applications. */
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { eventTypeNames } from '../../src/contract/events.ts';
import type { Webhook, webhooks } from '../../src/contract/webhook.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createWebhookSecret, webhookKey } from '../../src/node/http/webhook-signature.ts';
import type { Call } from '../http/call.ts';
import { readPage } from '../http/paging.ts';
import type { DeliveryDeps } from '../delivery/deps.ts';
import type { Reader } from '../storage/store.ts';
import { markFailed, reschedule, toDelivery, writeDelivery } from '../delivery/webhooks/outbox.ts';
import { getClient } from './clients.ts';
import type { StoredDelivery, StoredWebhook } from '../delivery/webhooks/outbox.ts';
import { createTestEvent } from '../delivery/webhooks/test-event.ts';
import type { Targets } from '../delivery/webhooks/target.ts';

export interface WebhookRouteOptions {
  /** Checks URLs; the announcer uses the same object before it connects. */
  readonly targets: Targets;
  /** Random bytes for secrets; default: from the system. */
  readonly random?: (bytes: number) => Buffer;
}

/** How long the previous secrets still sign after a rotation, in ms. */
const rotationPeriod = 24 * 3600 * 1000;

const toWebhook = ({ id: _id, space: _space, secrets: _secrets, ...webhook }: StoredWebhook): Webhook => webhook;

async function getWebhook(reader: Reader, clientId: string): Promise<StoredWebhook> {
  await getClient(reader, clientId);
  const webhook = await reader.get('webhooks', clientId);
  if (webhook) return webhook;
  throw new AppError('NOT_FOUND', {
    message: 'This client has no webhook.',
    hint: 'Register one: PUT /api/v1/admin/clients/{client_id}/webhook with the url of its receiver.',
  });
}

/** A disabled webhook gets no deliveries, not even requested ones. */
async function getEnabledWebhook(reader: Reader, clientId: string): Promise<StoredWebhook> {
  const webhook = await getWebhook(reader, clientId);
  if (webhook.enabled) return webhook;
  throw validationFailed([
    { field: 'enabled', message: 'The webhook is off; turn it on first.', code: 'INVALID_VALUE' },
  ]);
}

async function getDelivery(reader: Reader, clientId: string, id: string): Promise<StoredDelivery> {
  const delivery = await reader.get('deliveries', id);
  if (delivery?.client_id === clientId) return delivery;
  throw new AppError('NOT_FOUND', { message: 'There is no such delivery.' });
}

/** Returns a valid secret; otherwise VALIDATION_FAILED, without the secret. */
function checkSecret(secret: string): string {
  try {
    webhookKey(secret);
    return secret;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    throw validationFailed([{ field: 'secret', message: error.message, code: 'INVALID_FORMAT' }]);
  }
}

/** The new secret signs from now on, the previous ones for another day. */
function rotateSecrets(secrets: StoredWebhook['secrets'], secret: string, clock: Clock): StoredWebhook['secrets'] {
  const end = new Date(clock.now() + rotationPeriod).toISOString();
  const live = secrets.filter(
    (old) => old.secret !== secret && (old.until === null || Date.parse(old.until) > clock.now()),
  );
  return [{ secret, until: null }, ...live.map((old) => ({ secret: old.secret, until: old.until ?? end }))];
}

export function webhookRoutes(
  { store, clock, ids }: Pick<DeliveryDeps, 'store' | 'clock' | 'ids'>,
  { targets, random }: WebhookRouteOptions,
): Handlers<typeof webhooks, Call> {
  return {
    async get({ params }) {
      return { status: 200, data: toWebhook(await getWebhook(store, params.client_id)) };
    },

    async put({ params, body }, call) {
      await getClient(store, params.client_id);
      await targets.addresses(targets.parse(body.url));
      const secret = body.secret === undefined ? createWebhookSecret(random) : checkSecret(body.secret);
      return call.commit(async (tx) => {
        const { id, space } = await getClient(tx, params.client_id);
        const before = await tx.get('webhooks', id);
        const now = isoNow(clock);
        const isSecretNew = !before || body.rotate_secret === true || body.secret !== undefined;
        const webhook: StoredWebhook = {
          id,
          client_id: id,
          space,
          url: body.url,
          events: body.events ?? before?.events ?? eventTypeNames,
          enabled: body.enabled ?? before?.enabled ?? true,
          secrets: isSecretNew ? rotateSecrets(before?.secrets ?? [], secret, clock) : before.secrets,
          created_at: before?.created_at ?? now,
          updated_at: now,
        };
        tx.put('webhooks', webhook);
        return {
          status: before ? (200 as const) : (201 as const),
          data: { ...toWebhook(webhook), ...(isSecretNew && { secret }) },
        };
      });
    },

    delete: ({ params }, call) =>
      call.commit(async (tx) => {
        const { client_id } = await getWebhook(tx, params.client_id);
        tx.remove('webhooks', client_id);
        const pending = await tx.find('deliveries', { is: { client: client_id, status: 'pending' } });
        for (const delivery of pending) tx.put('deliveries', markFailed(delivery));
        return { status: 200, data: { client_id, deleted: true } } as const;
      }),

    test: ({ params, body }, call) =>
      call.commit(async (tx) => {
        const { client_id, space } = await getEnabledWebhook(tx, params.client_id);
        const event = createTestEvent(client_id, body.type, isoNow(clock));
        tx.publish('announced', { space, event });
        return { status: 202 as const, data: toDelivery(writeDelivery(tx, ids, client_id, event)) };
      }),

    async deliveries({ params, query }) {
      const { id } = await getClient(store, params.client_id);
      const conditions = { is: { client: id } };
      return { status: 200, data: await readPage(store, 'deliveries', id, conditions, query, toDelivery) };
    },

    async delivery({ params }) {
      const { id } = await getClient(store, params.client_id);
      return { status: 200, data: toDelivery(await getDelivery(store, id, params.id)) };
    },

    resend: ({ params }, call) =>
      call.commit(async (tx) => {
        const { client_id } = await getEnabledWebhook(tx, params.client_id);
        const again = reschedule(await getDelivery(tx, client_id, params.id), isoNow(clock));
        tx.put('deliveries', again);
        return { status: 202 as const, data: toDelivery(again) };
      }),
  };
}
