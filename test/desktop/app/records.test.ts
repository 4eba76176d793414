/** Documents that others change while a page looks at them. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openRecordCache } from '../../../desktop/app/records/record-cache.ts';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { EventData } from '../../../desktop/bridge/events.ts';
import type { Client } from '../../../src/client/client.ts';
import { bridgeTo, outsider, sendExam, startWorkplace } from '../../support/app-host.ts';
import type { Workplace } from '../../support/app-host.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { eventually } from '../../support/eventually.ts';

const text = 'Test Patient. Findings: lungs are clear. Impression: normal examination.';

interface Scene {
  readonly place: Workplace;
  readonly bridge: Bridge;
  readonly ris: Client;
  readonly item: string;
  readonly id: string;
  readonly told: EventData<'record'>[];
}

/** A report that the page has open, and another application on the same service. */
async function begin(): Promise<Scene> {
  const place = await startWorkplace();
  const bridge = bridgeTo(place.visit());
  await bridge.call('session.start', { place: 'test' });
  await bridge.call('settings.set', { ...(await bridge.call('settings.get', {})), grace_seconds: 0 });
  const ris = await outsider(place.server);
  const item = await sendExam(ris);
  const told: EventData<'record'>[] = [];
  bridge.on('record', (event) => void told.push(event));
  // The service is followed once it tells of something.
  await eventually(async () => {
    await ris.records.generate({ body: { text } });
    expect(told.length).toBeGreaterThan(0);
  });
  const { data } = await ris.records.generate({ body: { text, worklist_item_id: item } });
  await eventually(() => expect(told.at(-1)).toMatchObject({ id: data.id }));
  await bridge.call('record.for_item', { id: item });
  return { place, bridge, ris, item, id: data.id, told };
}

const edit = (ris: Client, id: string, title: string) => ris.records.update({ params: { id }, body: { title } });

test('a change made elsewhere is announced and available at once', async () => {
  const { bridge, ris, item, id, told, place } = await begin();
  await edit(ris, id, 'Theirs');
  await eventually(() => expect(told.at(-1)).toEqual({ id, item_id: item, version: 2, deleted: false }));
  place.network.isUp = false;
  expect(await bridge.call('record.get', { id })).toMatchObject({ version: 2, title: 'Theirs' });
});

test('one’s own change is announced once', async () => {
  const { bridge, ris, id, told } = await begin();
  const { title, sections } = await bridge.call('record.get', { id });
  await bridge.call('record.save', { id, version: 1, title: `${title}.`, sections });
  // What comes after it has been followed as well.
  const { data: last } = await ris.records.generate({ body: { text } });
  await eventually(() => expect(told.at(-1)).toMatchObject({ id: last.id }));
  expect(told.filter((event) => event.id === id && event.version === 2)).toHaveLength(1);
});

test('a document deleted elsewhere is announced and gone', async () => {
  const { bridge, ris, id, item, told } = await begin();
  await ris.records.delete({ params: { id } });
  await eventually(() => expect(told.at(-1)).toEqual({ id, item_id: item, version: 1, deleted: true }));
  await expect(bridge.call('record.get', { id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  expect(await bridge.call('record.for_item', { id: item })).toEqual({ items: [], waiting: [], written: null });
});

test('changes made while the service was unreachable are announced when it is back', async () => {
  const { bridge, ris, id, told, place } = await begin();
  place.network.isUp = false;
  await bridge.call('worklist.list', { refresh: true });
  await edit(ris, id, 'Theirs');
  place.network.isUp = true;
  await eventually(async () => {
    await bridge.call('worklist.list', { refresh: true });
    expect(told.at(-1)).toMatchObject({ id, version: 2 });
  });
  expect(await bridge.call('record.get', { id })).toMatchObject({ title: 'Theirs' });
});

test('a document deleted while the service was unreachable is gone when it is back', async () => {
  const { bridge, ris, id, item, told, place } = await begin();
  place.network.isUp = false;
  await bridge.call('worklist.list', { refresh: true });
  await ris.records.delete({ params: { id } });
  place.network.isUp = true;
  await eventually(async () => {
    await bridge.call('worklist.list', { refresh: true });
    expect(told.at(-1)).toEqual({ id, item_id: item, version: 1, deleted: true });
  });
  place.network.isUp = false;
  expect(await bridge.call('record.for_item', { id: item })).toEqual({ items: [], waiting: [], written: null });
});

test('a document that was read before it was removed is not kept after that', async () => {
  const directory = await temporaryDirectory();
  const cache = await openRecordCache(directory, () => undefined);
  const { bridge, id } = await begin();
  const record = await bridge.call('record.get', { id });
  const putting = cache.put(record);
  await Promise.all([putting, cache.remove(id), cache.put({ ...record, version: 2 })]);
  expect(cache.get(id)).toBeUndefined();
  expect(await readdir(directory)).toEqual([]);
});

test('a decision about a finding is announced and available offline; the open ones are asked about at the signature', async () => {
  const { bridge, ris, item, id, told, place } = await begin();
  const open = [
    { key: 'findings', title: 'Findings', text: 'Nodule in the right lobe.' },
    { key: 'impression', title: 'Impression', text: 'Nodule in the left lobe.' },
  ];
  const { data } = await ris.records.update({ params: { id }, body: { sections: open } });
  await eventually(() => expect(told.at(-1)).toMatchObject({ id, version: 2 }));
  const finding = data.findings_to_review!.find(({ kind }) => kind === 'side_differs_between_sections')!.id;
  expect(await bridge.call('record.background', { id, version: 2 })).toMatchObject({
    template: expect.arrayContaining([expect.objectContaining({ key: 'findings' })]),
    provenance: { words: expect.arrayContaining([expect.objectContaining({ origin: 'edited' })]) },
  });
  const signing = bridge.call('record.sign', { id, version: 2 });
  await expect(signing).rejects.toMatchObject({ code: 'OPEN_FINDINGS' });

  await ris.reviews.decide({ params: { id, finding }, body: { status: 'dismissed' } });
  await eventually(() =>
    expect(told.at(-1)).toEqual({ id, item_id: item, version: 2, deleted: false, reviewed: true }),
  );
  const statusOf = async () =>
    (await bridge.call('record.get', { id })).findings_to_review!.find((each) => each.id === finding)!.status;
  place.network.isUp = false;
  expect(await statusOf()).toBe('dismissed');
  place.network.isUp = true;
  await bridge.call('record.decide', { id, finding, status: 'open' });
  expect(await statusOf()).toBe('open');
  const signed = await bridge.call('record.sign', { id, version: 2, acknowledged: [finding] });
  expect(signed).toMatchObject({ outcome: 'saved', record: { status: 'final' } });
});
