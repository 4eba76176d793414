/** Autotexts while somebody looks after them: nothing that was written is thrown away but by the person. */
import { expect, onTestFinished, test } from 'vitest';
import type { Macro } from '../../../src/contract/macro.ts';
import type { KeptMacro } from '../../../desktop/bridge/macros.ts';
import { setBridge, setPerson } from '../../../desktop/renderer/state/bridge.ts';
import { macros } from '../../../desktop/renderer/state/wordbook/macros.ts';
import { session } from '../../../desktop/renderer/state/session.ts';
import { refusal, scriptedBridge, session as sessionOf } from './stories/scripted-bridge.ts';
import type { Script, ScriptedBridge } from './stories/scripted-bridge.ts';

const time = '2026-03-02T11:30:00.000Z';
const cyst: KeptMacro = {
  id: 'mac_1',
  name: 'simple cyst',
  text: 'Cyst of [__ mm].',
  section: null,
  language: null,
  owner: 'person',
  version: 1,
  created_at: time,
  updated_at: time,
  waits: false,
};
const { waits: _waits, ...theirs }: KeptMacro = { ...cyst, text: 'Theirs.', version: 2 };

let people = 0;
/** A service with these autotexts, and somebody new at the page. */
async function begin(
  script: Script = {},
  items: readonly KeptMacro[] = [cyst],
): Promise<{ bridge: ScriptedBridge; store: KeptMacro[] }> {
  const store = [...items];
  const bridge = scriptedBridge({
    'macros.list': () => ({ items: [...store], as_of: time }),
    'macros.save': ({ of, words }) => {
      const macro = { ...cyst, ...words, id: of?.id ?? `mac_${store.length + 1}`, version: (of?.version ?? 0) + 1 };
      store.splice(0, store.length, ...store.filter(({ id }) => id !== macro.id), macro);
      return { outcome: 'saved', item: macro };
    },
    'macros.delete': ({ id }) => {
      store.splice(0, store.length, ...store.filter((each) => each.id !== id));
      return { outcome: 'deleted' };
    },
    ...script,
  });
  setBridge(bridge);
  setPerson(`person_${++people}`);
  onTestFinished(() => setPerson(null));
  await macros.load();
  macros.open.value = cyst.id;
  return { bridge, store };
}
const sent = ({ asked }: ScriptedBridge, name: string) =>
  asked.filter((each) => each.name === name).map(({ input }) => input);

test('a change is a draft until it is saved, even while others are shown', async () => {
  const { bridge } = await begin();
  macros.edit({ text: 'Cyst.' });
  macros.open.value = null;
  macros.open.value = cyst.id;
  expect(macros.shown.value?.words.text).toBe('Cyst.');
  await macros.save();
  expect(sent(bridge, 'macros.save')).toMatchObject([{ words: { text: 'Cyst.' }, of: { id: cyst.id, version: 1 } }]);
  expect(macros.drafts.value.size).toBe(0);
  expect(macros.shown.value?.of).toMatchObject({ text: 'Cyst.', version: 2 });
});

test('a change that is undone by hand is not a change', async () => {
  await begin();
  macros.edit({ text: 'Cyst.' });
  macros.edit({ text: cyst.text });
  expect(macros.drafts.value.size).toBe(0);
});

test('text written during a save stays a change', async () => {
  const answer = Promise.withResolvers<void>();
  await begin({
    'macros.save': async ({ words }) => {
      await answer.promise;
      return { outcome: 'saved', item: { ...cyst, ...words, version: 2 } };
    },
  });
  macros.edit({ text: 'Cyst.' });
  const saving = macros.save();
  macros.edit({ text: 'Cyst. No septa.' });
  answer.resolve();
  await saving;
  expect(macros.shown.value).toMatchObject({ words: { text: 'Cyst. No septa.' }, of: { version: 2, text: 'Cyst.' } });
});

const conflict = (theirs: Macro | undefined): Script => ({
  'macros.save': ({ of, words }) =>
    of?.version === 1
      ? theirs
        ? { outcome: 'conflict', theirs }
        : { outcome: 'deleted' }
      : { outcome: 'saved', item: { ...cyst, ...words, version: 3 } },
});

test('after a conflict one keeps one’s own over the version of the other', async () => {
  const { bridge } = await begin(conflict(theirs));
  macros.edit({ text: 'Mine.' });
  await macros.save();
  expect(macros.shown.value).toMatchObject({ words: { text: 'Mine.' }, theirs: { text: 'Theirs.' } });
  await macros.settle('mine');
  expect(sent(bridge, 'macros.save').at(-1)).toMatchObject({ words: { text: 'Mine.' }, of: { version: 2 } });
});

test('or takes the other’s', async () => {
  const { bridge, store } = await begin(conflict(theirs));
  macros.edit({ text: 'Mine.' });
  await macros.save();
  store.splice(0, 1, { ...theirs, waits: false });
  await macros.settle('theirs');
  await macros.load();
  expect(macros.shown.value?.words.text).toBe('Theirs.');
  expect(sent(bridge, 'macros.save')).toHaveLength(1);
});

test('an entry deleted meanwhile is saved as a new one, or discarded', async () => {
  const { bridge, store } = await begin(conflict(undefined));
  macros.edit({ text: 'Mine.' });
  await macros.save();
  store.pop();
  expect(macros.shown.value?.theirs).toBe('deleted');
  await macros.settle('mine');
  expect(sent(bridge, 'macros.save').at(-1)).toEqual(expect.not.objectContaining({ of: expect.anything() }));
});

test('rereading a list reports what others did to entries being changed here', async () => {
  const { store } = await begin();
  macros.edit({ text: 'Mine.' });
  store.splice(0, 1, { ...theirs, waits: false });
  await macros.load();
  expect(macros.shown.value).toMatchObject({ words: { text: 'Mine.' }, theirs: { text: 'Theirs.' } });
  store.pop();
  await macros.load();
  expect(macros.shown.value).toMatchObject({ words: { text: 'Mine.' }, theirs: 'deleted' });
});

test('a deleted entry can be restored', async () => {
  const { store } = await begin();
  await macros.remove(cyst);
  expect([macros.items.value, macros.open.value]).toEqual([[], null]);
  await macros.restore();
  expect(store).toMatchObject([{ name: cyst.name, text: cyst.text }]);
  expect(macros.deleted.value).toBeNull();
});

test('a new one is thrown away only by the person; an empty one is begun once', async () => {
  await begin();
  macros.start();
  macros.start();
  expect(macros.drafts.value.size).toBe(1);
  macros.edit({ name: 'a' });
  macros.start({ text: 'Selected words.' });
  expect(macros.drafts.value.size).toBe(2);
  macros.discard();
  expect([macros.drafts.value.size, macros.open.value]).toEqual([1, null]);
});

test('a login older than autotexts is distinguished from other refusals', async () => {
  await begin({
    'macros.save': () => {
      throw refusal('INSUFFICIENT_SCOPE', 'The access token does not have the scope that this call needs.');
    },
  });
  macros.edit({ text: 'Mine.' });
  await macros.save();
  expect([macros.lacksScope.value, macros.shown.value?.words.text]).toEqual([true, 'Mine.']);
  // The app says so when somebody has logged in again.
  session.value = { ...sessionOf(), revision: 1 };
  expect(macros.lacksScope.value).toBe(false);
});

test('another person finds nothing of it; the same person finds all of it after unlocking', async () => {
  await begin();
  macros.edit({ text: 'Mine.' });
  setPerson(null);
  setPerson(`person_${people}`);
  expect(macros.shown.value?.words.text).toBe('Mine.');
  setPerson('somebody');
  expect([macros.items.value, macros.drafts.value.size, macros.open.value]).toEqual([undefined, 0, null]);
});
