/**
 * Announces reports to a Subscription of a store on the disk or in PostgreSQL, and notifies it, with nothing else of a server: small,
 * so that it starts soon after it was killed. It waits for a line with the store, the endpoint and the reports to announce, says its
 * id as a member, then each report whose announcement is committed.
 */
import { once } from 'node:events';
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { createAnnouncer } from '../../server/delivery/webhooks/announcer.ts';
import { createTargets } from '../../server/delivery/webhooks/target.ts';
import { createIds, newestId } from '../../server/storage/ids.ts';
import { createLoneMember } from '../../server/storage/members.ts';
import { systemClock } from '../../src/node/clock.ts';
import { openProcess } from '../support/postgres-process.ts';
import { openStore } from './open-store.ts';

/** `store`: a directory, or the address of a schema. */
export interface Work {
  readonly store: string;
  readonly endpoint: string;
  readonly reports: readonly string[];
}

const space = 'local';
const client_id = 'hospital';
const [line] = (await once(createInterface(process.stdin), 'line')) as [string];
const { store: place, endpoint, reports } = JSON.parse(line) as Work;
const { store, members } = place.startsWith('postgres:')
  ? await openProcess(place)
  : {
      store: await openStore({ directory: place, journalLimit: 64 * 1024 }),
      members: createLoneMember('member'),
    };
const clock = systemClock;
const ids = createIds(clock, { after: await newestId(store) });
const at = new Date().toISOString();
await store.transact(async (tx) => {
  if (await tx.get('clients', client_id)) return;
  const id = 'sub_00000000000000000000000001';
  tx.put('clients', {
    id: client_id,
    name: 'Hospital',
    kind: 'server',
    redirect_uris: [],
    scopes: ['medical_records:read'],
    space,
    test_mode: false,
    secret_hash: null,
    created_at: at,
  });
  tx.put('subscriptions', {
    id,
    client_id,
    space,
    base_url: 'http://127.0.0.1',
    status: 'requested',
    reason: 'Reports',
    endpoint,
    content: 'id-only',
    heartbeat_seconds: null,
    ends_at: null,
    headers: [],
    error: null,
    events: 0,
    created_at: at,
    updated_at: at,
  });
});
const announcer = createAnnouncer(
  {
    store,
    members,
    clock,
    ids,
    log: () => {},
    faults: { delivery: () => undefined },
    renderNotified: async () => undefined,
  },
  { targets: createTargets({ allow: ['127.0.0.1'] }), random: Math.random },
);
writeSync(1, `${members.id}\n`);
await announcer.start();
for (const record_id of reports) {
  const data = { record_id };
  await store.transact((tx) => announcer.announce(tx, { space, type: 'worklist.document.completed', data }));
  writeSync(1, `${record_id}\n`);
}
