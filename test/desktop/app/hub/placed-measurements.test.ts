/** Measurements in words that are not saved yet reach the report by whatever way it is made, and are kept until then. */
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { openPlacedMeasurements } from '../../../../desktop/app/hub/placed-measurements.ts';
import type { BroughtText } from '../../../../src/contract/inserted-text.ts';
import type { Logged } from '../../../support/app-host.ts';
import { bridgeTo, outsider, sendExam, startWorkplace } from '../../../support/app-host.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';

const measured = (value: number, section = 'findings', id = 'obs-1'): BroughtText => ({
  section,
  text: `${value} mm`,
  viewer: { id, values: [{ value, unit: 'mm' }] },
});
const findings = (text: string) => [{ key: 'findings', title: 'Findings', text }];

async function start() {
  const work = await startWorkplace();
  const bridge = bridgeTo(work.visit());
  await bridge.call('session.start', { place: 'test' });
  await bridge.call('settings.set', { ...(await bridge.call('settings.get', {})), grace_seconds: 0 });
  const ris = await outsider(work.server);
  const item_id = await sendExam(ris, { patient_name: 'ANÔNIMO^PACIENTE' });
  await bridge.call('worklist.list', { refresh: true });
  const place = (brought: BroughtText) => bridge.call('hub.placed', { item_id, brought });
  const write = (text: string) =>
    bridge.call('record.write', { item_id, sections: findings(text), language: 'en-US', template_id: null });
  const present = async () => (await bridge.call('record.for_item', { id: item_id })).items[0]!;
  const placed = async () => (await bridge.call('hub.measurements', { item_id })).placed;
  /** The values of the Observations of the report. */
  const observations = async (app = bridge) => {
    const [record] = (await app.call('record.for_item', { id: item_id })).items;
    if (!record) return [];
    const { body } = await ris.records.export({ params: { id: record.id }, query: { format: 'fhir' } });
    const { contained } = (await json(body)) as {
      contained: { resourceType: string; valueQuantity?: { value: number } }[];
    };
    return contained.flatMap(({ resourceType, valueQuantity }) =>
      resourceType === 'Observation' ? valueQuantity!.value : [],
    );
  };
  return { work, bridge, ris, item_id, place, write, present, placed, observations };
}

test('a report that is typed and signed without another save has its measurement', async () => {
  const { bridge, place, write, present, placed, observations } = await start();
  await place(measured(5.2));
  await write('Nodule of 5.2 mm, cyst of 15.2 mm.');
  const { id, version } = await present();
  await bridge.call('record.sign', { id, version });
  expect(await observations()).toEqual([5.2]);
  expect(await placed()).toEqual([]);
});

test('offline it is sent with the words, once', async () => {
  const { work, bridge, place, write, observations } = await start();
  work.network.isUp = false;
  await place(measured(5.2));
  expect(await write('Nodule of 5.2 mm.')).toEqual({ outcome: 'queued' });
  work.network.isUp = true;
  await bridge.call('worklist.list', { refresh: true });
  await expect.poll(() => observations()).toEqual([5.2]);
});

test('a save that does not succeed leaves the measurement for the next one, after a restart too', async () => {
  const { work, bridge, ris, item_id, place, write, present, placed, observations } = await start();
  await write('Nodule.');
  const { id, version, title, sections } = await present();
  await ris.records.update({ params: { id }, body: { sections: findings('Theirs.') } });
  await place(measured(5.2));
  const base = { title, sections };
  const own = sections.map((each) => (each.key === 'findings' ? { ...each, text: 'Nodule of 5.2 mm.' } : each));
  const saved = await bridge.call('record.save', { id, version, base, title, sections: own });
  expect(saved.outcome).toBe('conflict');
  expect(await placed()).toEqual([measured(5.2)]);
  const again = bridgeTo((await work.restart()).visit());
  expect((await again.call('hub.measurements', { item_id })).placed).toEqual([measured(5.2)]);
  const { version: n } = saved.theirs!;
  await again.call('record.save', { id, version: n, title, sections: own });
  expect((await again.call('hub.measurements', { item_id })).placed).toEqual([]);
  expect(await observations(again)).toEqual([5.2]);
});

test('a measurement in an addendum that is being written stays with it', async () => {
  const { bridge, place, write, present, placed } = await start();
  await write('Nodule of 5.2 mm.');
  const { id, version } = await present();
  await bridge.call('record.sign', { id, version });
  await place(measured(5.2, 'addendum'));
  expect(await placed()).toHaveLength(1);
  await bridge.call('record.addendum', { id, title: 'Addendum', text: 'It has 5.2 mm.' });
  expect(await placed()).toEqual([]);
});

test('a corrected measurement stays when the former one is saved, and a full disk stops no save', async () => {
  const directory = await temporaryDirectory();
  const logged: Logged[] = [];
  const open = () => openPlacedMeasurements({ directory, sealing: undefined, log: (entry) => void logged.push(entry) });
  const placed = await open();
  await placed.put('wli_1', measured(5));
  const found = placed.find('wli_1', findings('Nodule of 5 mm.'));
  await placed.put('wli_1', measured(6));
  await placed.settle('wli_1', found);
  expect((await open()).list('wli_1')).toEqual([measured(6)]);
  expect(placed.find('wli_1', findings('Cyst 6 mm. Nodule 6 mm.'))).toEqual([]);
  const [last] = placed.find('wli_1', findings('Cyst 6 mm. Nodule 6 mm.'), findings('Cyst 6 mm. Nodule.'));
  expect(last).toEqual(measured(6));
  await rm(join(directory, 'measurements.json'));
  await mkdir(join(directory, 'measurements.json'));
  await placed.settle('wli_1', [last!]);
  expect(placed.list('wli_1')).toEqual([]);
  expect(logged).toMatchObject([{ event: 'measurements_not_written' }]);
});
