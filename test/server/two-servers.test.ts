/** Two servers over one store: what one of them does the other one doesn't do again, and continues once that one has gone. */
import { expect, onTestFinished, test } from 'vitest';
import { contract } from '../../src/contract/index.ts';
import { builtInTestClient } from '../../server/index.ts';
import type { Store } from '../../server/storage/store.ts';
import { AppError } from '../../src/contract/errors.ts';
import { dictated, succeeded } from '../support/api.ts';
import type { Api } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startHttpServer } from '../support/http-server.ts';
import { startTwo } from '../support/two-servers.ts';
import { createReceiver } from './delivery/webhooks/receiver.ts';

const { records, jobs, webhooks, channels } = contract;
const { client_id } = builtInTestClient;

const countRecords = async (api: Api): Promise<number> =>
  succeeded(await api.call(records.endpoints.list, { query: {} })).items.length;

test('each job is done once, by one of them', async () => {
  const { servers, engine } = await startTwo();
  const queued = await Promise.all(Array.from({ length: 8 }, (_, nth) => servers[nth % 2 ? 0 : 1].enqueue()));
  for (const { id } of queued) expect(await servers[0].ended(id)).toMatchObject({ status: 'completed', attempts: 1 });
  expect(engine.calls.filter(({ step }) => step === 'compose')).toHaveLength(8);
  expect(await countRecords(servers[1])).toBe(8);
});

test('a start interrupts no job of others; the job of a member that has gone is done by another one', async () => {
  const { servers, start, engine, hub, store } = await startTwo();
  engine.hold();
  const { id } = await servers[0].enqueue();
  await engine.called(1);
  await start();
  const holder = (await store.get('jobs', id))?.holder ?? '';
  expect(succeeded(await servers[0].call(jobs.endpoints.get, { params: { id } }))).toMatchObject({
    status: 'in_progress',
    attempts: 1,
  });
  await hub.lose(holder);
  await engine.called(2);
  expect((await store.get('jobs', id))?.holder).not.toBe(holder);
  // The member that slept goes on as well, and stores nothing.
  engine.release();
  expect(await servers[0].ended(id)).toMatchObject({ status: 'completed', attempts: 2 });
  expect(await countRecords(servers[0])).toBe(1);
});

test('each event is sent once, and those of a member that has gone by another one', async () => {
  const { servers, hub } = await startTwo();
  const receiver = await createReceiver();
  succeeded(await servers[0].call(webhooks.endpoints.put, { params: { client_id }, body: { url: receiver.url } }), 201);
  const send = async (count: number): Promise<void> => {
    for (let nth = 0; nth < count; nth++) {
      const body = { type: 'webhook.test' } as const;
      succeeded(await servers[nth % 2 ? 0 : 1].call(webhooks.endpoints.test, { params: { client_id }, body }), 202);
    }
  };
  const ids = () => receiver.requests.map(({ headers }) => headers['webhook-id']);
  const areDelivered = async (count: number): Promise<void> => {
    const query = { limit: 100 };
    const { items } = succeeded(await servers[0].call(webhooks.endpoints.deliveries, { params: { client_id }, query }));
    expect(items.filter(({ status }) => status === 'delivered')).toHaveLength(count);
  };
  await send(30);
  await eventually(() => areDelivered(30));
  expect([ids().length, new Set(ids()).size]).toEqual([30, 30]);
  await hub.lose(hub.holderOf(`webhook ${client_id}`) ?? '');
  await send(4);
  await eventually(() => areDelivered(34));
  expect([ids().length, new Set(ids()).size]).toEqual([34, 34]);
});

test('each report is sent once, and both say that the channel is open; by the other one if one sleeps', async () => {
  const { servers, hub } = await startTwo();
  const receiver = await startHttpServer(() => ({ status: 201 }));
  onTestFinished(receiver.close);
  const settings = { url: `${receiver.url}/in`, format: 'txt' };
  const body = { name: 'ris', kind: 'http-out', space: client_id, settings };
  const { id } = succeeded(await servers[0].call(channels.endpoints.add, { body }), 201);
  const stateAt = async (api: Api) =>
    succeeded(await api.call(channels.endpoints.get, { params: { channel: id } })).state.status;
  for (const api of servers) await eventually(async () => expect(await stateAt(api)).toBe('open'));
  const sign = async (api: Api): Promise<void> => {
    const { id: record } = await api.generate({ text: dictated, worklist_item_id: await api.exam() });
    succeeded(await api.call(records.endpoints.update, { params: { id: record }, body: { status: 'final' } }));
  };
  for (let nth = 0; nth < 10; nth++) await sign(servers[nth % 2 ? 0 : 1]);
  const isEmpty = async () =>
    expect(succeeded(await servers[0].call(channels.endpoints.get, { params: { channel: id } })).counts).toEqual({
      waiting: 0,
      refused: 0,
    });
  await eventually(isEmpty);
  expect(receiver.asked).toHaveLength(10);
  await hub.lose(hub.holderOf(`channel ${id}`) ?? '');
  for (let nth = 0; nth < 6; nth++) await sign(servers[nth % 2 ? 0 : 1]);
  await eventually(isEmpty);
  expect(receiver.asked).toHaveLength(16);
});

test('a member whose store fails when the first channel appears opens it later', async () => {
  const { servers, start, hub, clock } = await startTwo();
  let fails = false;
  const store = (real: Store): Store => ({
    ...real,
    async find(collection, conditions) {
      if (collection !== 'channels' || !fails) return real.find(collection, conditions);
      fails = false;
      throw new AppError('STORAGE_UNAVAILABLE');
    },
  });
  const late = await start({ store });
  fails = true;
  const hasLogged = (event: string) =>
    eventually(async () => expect(late.logged.map((line) => line.event)).toContain(event));
  const settings = { url: 'http://127.0.0.1:9/in', format: 'txt' };
  const body = { name: 'ris', kind: 'http-out', space: client_id, settings };
  const { id } = succeeded(await servers[0].call(channels.endpoints.add, { body }), 201);
  await hasLogged('channels_not_loaded');
  for (const nth of [0, 1]) {
    await eventually(async () => expect(hub.holderOf(`channel ${id}`)).toBeDefined());
    if (nth === 0) clock.advance(5000);
    await hub.lose(hub.holderOf(`channel ${id}`) ?? '');
  }
  await hasLogged('channel_open');
});

test('a signature is completed once', async () => {
  const { servers, store, clock, hub } = await startTwo();
  const { id } = await servers[0].generate({ text: dictated, worklist_item_id: await servers[0].exam() });
  const body = { status: 'final', grace_seconds: 60 } as const;
  succeeded(await servers[1].call(records.endpoints.update, { params: { id }, body }));
  await hub.lose(hub.holderOf('signatures') ?? '');
  clock.advance(60_000);
  await eventually(async () =>
    expect(succeeded(await servers[0].call(records.endpoints.get, { params: { id } })).status).toBe('final'),
  );
  expect(await store.find('versions', { is: { signature: id } })).toHaveLength(1);
});

test('the audit trail is one, without a gap, though no commit waits for its number', async () => {
  const { servers, hub, store } = await startTwo();
  const { audit } = contract;
  const ids = await Promise.all(
    Array.from({ length: 6 }, async (_, nth) => (await servers[nth % 2 ? 0 : 1].generate({ text: dictated })).id),
  );
  const change = (title: string) =>
    Promise.all(
      ids.map((id, nth) =>
        servers[nth % 2 ? 0 : 1].call(records.endpoints.update, { params: { id }, body: { title } }),
      ),
    );
  await change('One');
  await hub.lose(hub.holderOf('chain') ?? '');
  await change('Other');
  for (const api of servers) {
    const { items } = succeeded(await api.call(audit.endpoints.list, { query: { limit: 200 } }));
    expect(items.filter(({ action }) => action === 'records.update').flatMap((entry) => entry.ids)).toHaveLength(12);
    expect(succeeded(await api.call(audit.endpoints.verify, { query: {} })).sound).toBe(true);
  }
  expect(await store.count('audit_facts')).toBe(0);
});

test('what concerns one process is refused in one line', async () => {
  const { servers, start } = await startTwo();
  const { inspector, maintenance } = contract;
  for (const answer of [
    await servers[0].call(inspector.endpoints.list, { query: {} }),
    await servers[0].call(maintenance.endpoints.snapshots),
  ])
    expect(answer).toMatchObject({ status: 403, error: { message: expect.stringContaining('Several processes') } });
  await expect(start({ seed: 'demo' })).rejects.toMatchObject({ code: 'CONFIGURATION' });
  const home = (await servers[0].send({ url: '/' })).text;
  expect([home.includes('href="/portal"'), home.includes('href="/inspector"')]).toEqual([false, false]);
});
