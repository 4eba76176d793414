/** Autotexts in the app: as the service has them, as they were read last, and changed while the service is out of reach. */
import { expect, test, vi } from 'vitest';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { MacroWords } from '../../../desktop/bridge/macros.ts';
import type { Client } from '../../../src/client/client.ts';
import { bridgeTo, outsider, startWorkplace } from '../../support/app-host.ts';
import type { Workplace } from '../../support/app-host.ts';

const words: MacroWords = {
  name: 'Simple cyst',
  text: 'Cyst of [__ mm] in the [side: right|left] kidney.',
  section: 'findings',
  language: 'en-US',
  owner: 'person',
};

interface Scene {
  readonly place: Workplace;
  readonly bridge: Bridge;
  /** The same person at another computer. */
  readonly other: Client;
}

async function begin(): Promise<Scene> {
  const place = await startWorkplace();
  const bridge = bridgeTo(place.visit());
  await bridge.call('session.start', { place: 'test' });
  return { place, bridge, other: await outsider(place.server) };
}

const list = async (bridge: Bridge) => (await bridge.call('macros.list', {})).items;
const make = async (bridge: Bridge, change: Partial<MacroWords> = {}) => {
  const { macro } = await bridge.call('macros.save', { ...words, ...change });
  return macro!;
};
const isSent = (bridge: Bridge) =>
  vi.waitFor(async () => expect((await bridge.call('session.state', {})).waiting).toBe(0), { timeout: 20_000 });

test('what is saved is on the service, and what others save is listed', async () => {
  const { bridge, other } = await begin();
  const macro = await make(bridge);
  expect(macro).toMatchObject({ ...words, version: 1, waits: false });
  await other.macros.create({ body: { name: 'normal chest', text: 'Lungs are clear.', owner: 'space' } });
  expect((await list(bridge)).map(({ name, owner }) => [name, owner])).toEqual([
    ['normal chest', 'space'],
    ['Simple cyst', 'person'],
  ]);
  const saved = await bridge.call('macros.save', { ...words, text: 'Cyst.', of: { id: macro.id, version: 1 } });
  expect(saved).toMatchObject({ outcome: 'saved', macro: { text: 'Cyst.', version: 2 } });
  expect((await other.macros.get({ params: { id: macro.id } })).data).toMatchObject({ text: 'Cyst.', version: 2 });
  expect(await bridge.call('macros.delete', { id: macro.id, version: 2 })).toEqual({ outcome: 'deleted' });
  expect((await list(bridge)).map(({ name }) => name)).toEqual(['normal chest']);
});

test('more than a page of them is listed, each once', async () => {
  const { bridge, other } = await begin();
  const items = Array.from({ length: 450 }, (_, n) => ({ name: `text ${n}`, text: 'Clear.' }));
  await other.macros.import({ body: { items } });
  const names = (await list(bridge)).map(({ name }) => name);
  expect([names.length, new Set(names).size]).toEqual([450, 450]);
});

test('a text that somebody else changed, or deleted, is not overwritten, and nothing of it is lost', async () => {
  const { bridge, other } = await begin();
  const { id } = await make(bridge);
  const params = { id };
  await other.macros.update({ params, body: { text: 'Theirs.' } });
  const edit = { ...words, text: 'Mine.', of: { id, version: 1 } };
  const theirs = { text: 'Theirs.', version: 2 };
  expect(await bridge.call('macros.save', edit)).toMatchObject({ outcome: 'conflict', theirs });
  expect(await bridge.call('macros.delete', { id, version: 1 })).toMatchObject({ outcome: 'conflict', theirs });
  expect((await other.macros.get({ params })).data).toMatchObject(theirs);
  await other.macros.delete({ params });
  expect(await bridge.call('macros.save', { ...edit, of: { id, version: 2 } })).toEqual({ outcome: 'deleted' });
  expect(await bridge.call('macros.delete', { id, version: 2 })).toEqual({ outcome: 'deleted' });
});

test('a second one of the same name is refused with the words of the service', async () => {
  const { bridge } = await begin();
  const { id } = await make(bridge);
  await expect(make(bridge, { name: 'simple CYST' })).rejects.toMatchObject({
    code: 'IDENTIFIER_CONFLICT',
    details: { id },
  });
});

test('without the service the list is as it was read last, also after a start; changes are sent when it is back', async () => {
  const { place, bridge, other } = await begin();
  const kept = await make(bridge);
  const gone = await make(bridge, { name: 'old text' });
  await list(bridge);
  place.network.isUp = false;
  const saving = { ...words, text: 'Cyst.', of: { id: kept.id, version: 1 } };
  expect(await bridge.call('macros.save', saving)).toMatchObject({
    outcome: 'queued',
    macro: { id: kept.id, text: 'Cyst.', waits: true },
  });
  expect(await bridge.call('macros.save', { ...words, name: 'new text' })).toMatchObject({ outcome: 'queued' });
  expect(await bridge.call('macros.delete', { id: gone.id, version: 1 })).toEqual({ outcome: 'queued' });
  const waiting = [
    ['Simple cyst', 'Cyst.', true],
    ['new text', words.text, true],
  ];
  const shown = async (from: Bridge) => (await list(from)).map(({ name, text, waits }) => [name, text, waits]);
  expect(await shown(bridge)).toEqual(waiting);
  const again = bridgeTo((await place.restart()).visit());
  expect(await shown(again)).toEqual(waiting);

  place.network.isUp = true;
  await list(again);
  await isSent(again);
  expect(await shown(again)).toEqual([
    ['new text', words.text, false],
    ['Simple cyst', 'Cyst.', false],
  ]);
  const { data } = await other.macros.list();
  expect(data.items.map(({ name, text, version }) => [name, text, version])).toEqual([
    ['new text', words.text, 1],
    ['Simple cyst', 'Cyst.', 2],
  ]);
});

test('a change that the service refuses later is told, with its words', async () => {
  const { place, bridge, other } = await begin();
  const { id } = await make(bridge);
  place.network.isUp = false;
  await bridge.call('macros.save', { ...words, text: 'Mine.', of: { id, version: 1 } });
  await other.macros.update({ params: { id }, body: { text: 'Theirs.' } });
  place.network.isUp = true;
  await list(bridge);
  await isSent(bridge);
  expect((await bridge.call('changes.refused', {})).items).toMatchObject([
    { kind: 'macro.update', subject: id, code: 'VERSION_CONFLICT', mine: { title: words.name, text: 'Mine.' } },
  ]);
  expect(await list(bridge)).toMatchObject([{ text: 'Theirs.', waits: false }]);
});
