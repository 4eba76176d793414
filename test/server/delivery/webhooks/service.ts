/** An announcer over a memory store and a clock that stands still. */
import { onTestFinished } from 'vitest';
import type { EventType } from '../../../../src/contract/events.ts';
import { eventTypeNames } from '../../../../src/contract/events.ts';
import { isoNow, manualClock } from '../../../../src/domain/clock.ts';
import type { ManualClock } from '../../../../src/domain/clock.ts';
import { createWebhookSecret } from '../../../../src/node/http/webhook-signature.ts';
import { createFaults } from '../../../../server/qa/faults/faults.ts';
import type { Faults } from '../../../../server/qa/faults/faults.ts';
import { createValidation } from '../../../../server/runtime/validation.ts';
import { createLoneMember } from '../../../../server/storage/members.ts';
import { createIds } from '../../../../server/storage/ids.ts';
import type { Ids } from '../../../../server/storage/ids.ts';
import { createMemoryStore } from '../../../../server/storage/memory/memory-documents.ts';
import type { Store } from '../../../../server/storage/store.ts';
import { createAnnouncer } from '../../../../server/delivery/webhooks/announcer.ts';
import type { AnnouncerOptions } from '../../../../server/delivery/webhooks/announcer.ts';
import type { StoredDelivery, StoredWebhook } from '../../../../server/delivery/webhooks/outbox.ts';
import { createTargets } from '../../../../server/delivery/webhooks/target.ts';

export const startOfTest = Date.parse('2026-03-02T12:00:00.000Z');

export interface Service {
  readonly store: Store;
  readonly clock: ManualClock;
  readonly ids: Ids;
  readonly announcer: ReturnType<typeof createAnnouncer>;
  readonly faults: Faults;
  readonly log: Record<string, unknown>[];
  /** A client with a webhook, in the space `main` unless told otherwise. */
  client(id: string, webhook?: Partial<StoredWebhook>): Promise<StoredWebhook>;
  /** Announces in a transaction of its own, commits, wakes, and waits until nothing is being sent. */
  announce(event?: { space?: string; type?: EventType; data?: Record<string, unknown> }): Promise<void>;
  /** Moves the clock, and waits until nothing is being sent. */
  advance(ms: number): Promise<void>;
  /** Oldest first. */
  deliveries(): Promise<readonly StoredDelivery[]>;
}

export function createService(
  options: Partial<AnnouncerOptions> = {},
  before?: Pick<Service, 'store' | 'clock' | 'ids'>,
): Service {
  const clock = before?.clock ?? manualClock(startOfTest);
  const store = before?.store ?? createMemoryStore();
  const ids = before?.ids ?? createIds(clock);
  const log: Record<string, unknown>[] = [];
  const faults = createFaults({ clock, log: () => {}, compile: createValidation() });
  const announcer = createAnnouncer(
    {
      store,
      members: createLoneMember('member'),
      clock,
      ids,
      log: (entry) => log.push(entry),
      faults,
      renderNotified: async () => undefined,
    },
    { targets: createTargets(), random: () => 0.5, ...options },
  );
  return {
    store,
    clock,
    ids,
    announcer,
    faults,
    log,
    client: (id, changes) => putClient({ store, clock }, id, changes),
    async announce({ space = 'main', type = 'worklist.document.completed', data = { record_id: 'rec_1' } } = {}) {
      await store.transact((tx) => announcer.announce(tx, { space, type, data }));
      await announcer.idle();
    },
    async advance(ms) {
      clock.advance(ms);
      await announcer.idle();
    },
    deliveries: async () => (await store.find('deliveries', {})).toReversed(),
  };
}

/** Started, and stopped at the end of the test. `before`: the one whose store and clock it takes over. */
export async function startedService(
  options?: Partial<AnnouncerOptions>,
  before?: Pick<Service, 'store' | 'clock' | 'ids'>,
): Promise<Service> {
  const service = createService(options, before);
  onTestFinished(service.announcer.stop);
  await service.announcer.start();
  return service;
}

/** `null` for a client without a webhook. */
export async function putClient(
  { store, clock }: { store: Store; clock: ManualClock },
  id: string,
  changes: Partial<StoredWebhook> | null = {},
): Promise<StoredWebhook> {
  const created_at = isoNow(clock);
  const webhook: StoredWebhook = {
    id,
    client_id: id,
    space: 'main',
    url: 'http://127.0.0.1:9/',
    events: eventTypeNames,
    enabled: true,
    secrets: [{ secret: createWebhookSecret(), until: null }],
    created_at,
    updated_at: created_at,
    ...changes,
  };
  await store.transact(async (tx) => {
    tx.put('clients', {
      id,
      name: id,
      kind: 'server',
      redirect_uris: [],
      scopes: [],
      space: webhook.space,
      test_mode: true,
      created_at,
      secret_hash: '',
    });
    if (changes) tx.put('webhooks', webhook);
  });
  return webhook;
}
