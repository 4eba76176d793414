/** An exam that is reported: nothing that was decided before, or pressed by mistake, opens it again or covers its report. */
import { expect, test } from 'vitest';
import { bridgeTo, outsider, sendExam, startWorkplace } from '../../support/app-host.ts';
import type { Workplace } from '../../support/app-host.ts';
import { dictated } from '../../support/api.ts';

async function set() {
  const work = await startWorkplace();
  const bridge = bridgeTo(work.visit());
  await bridge.call('session.start', { place: 'test' });
  const ris = await outsider(work.server);
  const item = await sendExam(ris);
  await bridge.call('worklist.list', { refresh: true });
  const statusOf = async () => (await ris.worklists.get({ params: { id: item } })).data;
  /** A colleague writes and signs its report. */
  const report = async () => {
    const made = await ris.records.generate({ body: { text: dictated, worklist_item_id: item } });
    const { id } = made.data;
    await ris.records.update({ params: { id }, body: { status: 'final' } });
    return id;
  };
  return { work, bridge, ris, item, statusOf, report };
}

const begin = (item_id: string) => ({ item_id, sample_rate: 16_000, language: 'en-US', template_id: null }) as const;
const goOffline = ({ network }: Workplace) => void (network.isUp = false);

test('it cannot be dictated for, nor taken except by reopening it, which alone does not change its report', async () => {
  const { bridge, item, statusOf, report } = await set();
  const id = await report();
  await bridge.call('worklist.list', { refresh: true });
  await expect(bridge.call('dictation.start', begin(item))).rejects.toMatchObject({
    code: 'INVALID_TRANSITION',
    details: { reason: 'reported' },
  });
  expect(await bridge.call('worklist.take', { id: item })).toMatchObject({ outcome: 'closed' });
  expect(await statusOf()).toMatchObject({ status: 'completed', record_id: id });

  expect(await bridge.call('worklist.take', { id: item, reopen: true })).toMatchObject({ outcome: 'taken' });
  await bridge.call('record.for_item', { id: item });
  // Open again, but its signed report is known: only an addendum changes that.
  await expect(bridge.call('dictation.start', begin(item))).rejects.toMatchObject({ details: { reason: 'reported' } });
  expect(await statusOf()).toMatchObject({ status: 'in_progress', record_id: id });
});

test('taken offline, reported by another person meanwhile: it stays reported, and the person is notified', async () => {
  const { work, bridge, item, statusOf, report } = await set();
  goOffline(work);
  expect(await bridge.call('worklist.take', { id: item })).toMatchObject({ outcome: 'queued' });
  const id = await report();
  work.network.isUp = true;
  await bridge.call('worklist.list', { refresh: true });
  await expect
    .poll(async () => (await bridge.call('changes.refused', {})).items)
    .toMatchObject([{ kind: 'worklist.status', subject: item, code: 'INVALID_TRANSITION' }]);
  expect(await statusOf()).toMatchObject({ status: 'completed', record_id: id });
});

test('a dictation recorded before another person signed is kept with an explanation, and makes no second report', async () => {
  const { work, bridge, ris, item, statusOf, report } = await set();
  const dictation = await bridge.call('dictation.start', begin(item));
  await bridge.call('dictation.take', { id: dictation.id, take: 'take_1', mode: 'append', at: null });
  const block = new Int16Array(1600).fill(1).buffer;
  await bridge.call('dictation.block', { id: dictation.id, take: 'take_1', from: 0 }, block);
  await bridge.call('dictation.pause', { id: dictation.id, take: 'take_1' });
  goOffline(work);
  const sent = { id: dictation.id, language: 'en-US', template_id: null } as const;
  expect(await bridge.call('dictation.send', sent)).toMatchObject({ state: 'queued' });
  const id = await report();
  work.network.isUp = true;
  await bridge.call('worklist.list', { refresh: true });
  const mine = async () => (await bridge.call('dictation.list', {})).items[0];
  await expect.poll(mine).toMatchObject({ state: 'failed', seconds: 0.1, error: { code: 'INVALID_TRANSITION' } });
  expect((await ris.records.list({ query: { worklist_item_id: item } })).data.items.map((record) => record.id)).toEqual(
    [id],
  );
  expect(await statusOf()).toMatchObject({ status: 'completed', record_id: id });
  await expect(bridge.call('dictation.retry', { id: dictation.id })).rejects.toMatchObject({
    details: { reason: 'reported' },
  });
});

test('a draft deleted offline and signed by another person meanwhile is not deleted', async () => {
  const { work, bridge, ris, item } = await set();
  const made = await ris.records.generate({ body: { text: dictated, worklist_item_id: item } });
  await bridge.call('record.for_item', { id: item });
  goOffline(work);
  await bridge.call('record.delete', { id: made.data.id });
  await ris.records.update({ params: { id: made.data.id }, body: { status: 'final' } });
  work.network.isUp = true;
  await bridge.call('worklist.list', { refresh: true });
  await expect
    .poll(async () => (await bridge.call('changes.refused', {})).items)
    .toMatchObject([{ kind: 'record.delete', code: 'VERSION_CONFLICT' }]);
  expect((await ris.records.get({ params: { id: made.data.id } })).data.status).toBe('final');
});
