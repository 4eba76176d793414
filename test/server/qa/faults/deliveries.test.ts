/** Faults of receivers of webhooks: nothing is sent, and the delivery is tried again as ever. */
import { expect, test } from 'vitest';
import { createReceiver } from '../../delivery/webhooks/receiver.ts';
import { startedService } from '../../delivery/webhooks/service.ts';

const retryMs = 7000;

async function startedWith(client = 'test_tc_ris', timeoutMs = 5000) {
  const receiver = await createReceiver();
  const service = await startedService({ timeoutMs });
  await service.client(client, { url: receiver.url });
  return { receiver, ...service };
}

test.each([
  ['down', null, 'The connection was refused.'],
  ['timeout', null, 'There was no answer in time.'],
  ['503', 503, null],
] as const)('%s: the attempt fails, and the next one is taken', async (webhook, http_status, error) => {
  const patience = webhook === 'timeout' ? 500 : 5000;
  const { receiver, faults, announce, advance, deliveries } = await startedWith('test_tc_ris', patience);
  faults.add({ name: 'receiver', webhook, times: 1 });
  await announce();
  expect(await deliveries()).toMatchObject([{ status: 'pending', attempts: [{ http_status, error }] }]);
  expect(receiver.requests).toHaveLength(0);
  await advance(retryMs);
  expect(await deliveries()).toMatchObject([{ status: 'delivered', attempts: [{}, { http_status: 204 }] }]);
  expect(receiver.requests).toHaveLength(1);
  expect(faults.log()).toMatchObject([
    { of: 'delivery', event: 'worklist.document.completed', client_id: 'test_tc_ris', effects: [`webhook=${webhook}`] },
  ]);
});

test('only those of an event, an address or a client', async () => {
  const { receiver, faults, announce, deliveries } = await startedWith();
  faults.add({ webhook: 'down', event: 'medical_record.job.failed' });
  faults.add({ webhook: 'down', url: 'https://*' });
  faults.add({ webhook: 'down', client_id: 'test_tc_other' });
  await announce();
  expect(await deliveries()).toMatchObject([{ status: 'delivered' }]);
  faults.add({ webhook: 'down', url: receiver.url.replace(/hook$/, '*') });
  await announce();
  expect((await deliveries()).map(({ status }) => status)).toEqual(['delivered', 'pending']);
});

test('those of a real client only where the fault says so', async () => {
  const { faults, announce, deliveries } = await startedWith('lc_ris');
  faults.add({ webhook: 'down' });
  await announce();
  expect(await deliveries()).toMatchObject([{ status: 'delivered' }]);
  faults.add({ webhook: 'down', all_clients: true });
  await announce();
  expect((await deliveries())[1]).toMatchObject({ status: 'pending' });
});

test('a silent receiver whose fault is removed is not waited for', async () => {
  const { faults, store, announcer, deliveries } = await startedWith();
  faults.add({ name: 'silent', webhook: 'timeout' });
  await store.transact((tx) => announcer.announce(tx, { space: 'main', type: 'webhook.test', data: {} }));
  while (faults.list()[0]!.struck === 0) await new Promise((resolve) => setImmediate(resolve));
  faults.remove('silent');
  await announcer.idle();
  expect(await deliveries()).toMatchObject([{ attempts: [{ error: 'The connection was refused.' }] }]);
});
