/** A page that follows the viewer: which exam it shows, and what it says to the app. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { setBridge, setPerson } from '../../../desktop/renderer/state/bridge.ts';
import { followHub } from '../../../desktop/renderer/state/hub.ts';
import { showMicrophone } from '../../../desktop/renderer/state/recorder/live-microphone.ts';
import { go, openItem, openItemId } from '../../../desktop/renderer/state/route.ts';
import { settings as shownSettings } from '../../../desktop/renderer/state/settings.ts';
import { isWhole, items } from '../../../desktop/renderer/state/worklist/worklist.ts';
import { showAllWords } from './all-words.ts';
import { exams, never, scriptedBridge, settings } from './stories/scripted-bridge.ts';
import type { ScriptedBridge } from './stories/scripted-bridge.ts';

const list = exams(Date.parse('2026-03-02T15:00:00Z'), 4);
const [first, second, third, unread] = list.map(({ id, accession_number }) => ({ id, accession: accession_number! }));

let ending: AbortController;
let endMicrophone: () => void;
let isFocused: boolean;

/** A page at the first exam. The last one is not in its list until that was read again, which waits for `read`. */
function start(script: Parameters<typeof scriptedBridge>[0] = {}) {
  const read = Promise.withResolvers<void>();
  const state = { link: 'joined', fault: null, others: true, apart: null, revision: 0 } as const;
  const bridge = scriptedBridge({
    'hub.join': () => state,
    'hub.show': () => state,
    'hub.answer': () => ({ is_first: true }),
    async 'worklist.list'() {
      await read.promise;
      return { items: list, as_of: '2026-03-02T15:00:00Z', revision: 1 };
    },
    ...script,
  });
  setBridge(bridge);
  setPerson('ana');
  items.value = new Map(list.slice(0, 3).map((item) => [item.id, item]));
  isWhole.value = true;
  shownSettings.value = settings({ follow_viewer: true });
  openItem(first!.id);
  ending = new AbortController();
  followHub(ending.signal);
  return { bridge, read };
}

beforeEach(async () => {
  await showAllWords('en-US');
  isFocused = true;
  endMicrophone = () => undefined;
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', { hasFocus: () => isFocused });
});
afterEach(() => {
  ending.abort();
  endMicrophone();
  vi.unstubAllGlobals();
});

const settle = () => new Promise(setImmediate);
const inputs = ({ asked }: ScriptedBridge, name: string) =>
  asked.flatMap((call) => (call.name === name ? [call.input] : []));
const opens = (bridge: ScriptedBridge, { id, accession }: { id: string; accession: string }) =>
  bridge.tell('cast', { kind: 'opened', id, exam: { accession } });

test('a microphone that became live while the exam was looked for keeps the report', async () => {
  const { bridge, read } = start();
  opens(bridge, unread!);
  await settle();
  endMicrophone = showMicrophone();
  read.resolve();
  await settle();
  expect(openItemId.value).toBe(first!.id);
  expect(inputs(bridge, 'hub.answer')).toMatchObject([{ id: unread!.id, refusal: 'dictating' }]);
});

test('the exam is changed without a wait for the app', async () => {
  const { bridge } = start({ 'hub.answer': () => never() });
  opens(bridge, second!);
  await settle();
  expect(openItemId.value).toBe(second!.id);
  expect(inputs(bridge, 'hub.answer')).toEqual([{ id: second!.id, item_id: second!.id }]);
});

test('an exam that is found late does not replace a newer one, and a close of the one before does not either', async () => {
  const { bridge, read } = start();
  opens(bridge, unread!);
  bridge.tell('cast', { kind: 'closed', id: 'close', item_id: first!.id });
  await settle();
  expect(openItemId.value).toBe(first!.id);
  opens(bridge, third!);
  await settle();
  read.resolve();
  await settle();
  expect(openItemId.value).toBe(third!.id);
  expect(inputs(bridge, 'hub.answer')).toContainEqual({ id: 'close', item_id: third!.id });
});

test('an exam that the viewer closes is left, but nothing is closed under a live microphone', async () => {
  const { bridge } = start();
  endMicrophone = showMicrophone();
  bridge.tell('cast', { kind: 'closed', id: 'close', item_id: first!.id });
  await settle();
  bridge.tell('cast', { kind: 'logged_out', id: 'logout' });
  await settle();
  expect(openItemId.value).toBe(first!.id);
  endMicrophone();
  bridge.tell('cast', { kind: 'closed', id: 'again', item_id: first!.id });
  await settle();
  expect(openItemId.value).toBe(null);
  expect(inputs(bridge, 'hub.answer')).toMatchObject([
    { id: 'close', refusal: 'dictating' },
    { id: 'logout', refusal: 'dictating' },
    { id: 'again', item_id: null },
  ]);
});

test('the viewer is shown another exam by the page that has the focus, or gets it, and not by a gap or a setting', async () => {
  const { bridge } = start();
  expect(inputs(bridge, 'hub.join')).toEqual([{ item_id: first!.id }]);
  isFocused = false;
  openItem(second!.id);
  bridge.gap();
  shownSettings.value = settings({ follow_viewer: true, theme: 'dark' });
  expect(inputs(bridge, 'hub.show')).toEqual([]);
  isFocused = true;
  window.dispatchEvent(new Event('focus'));
  go({ pane: 'document' });
  openItem(third!.id);
  expect(inputs(bridge, 'hub.show')).toEqual([{ item_id: second!.id }, { item_id: third!.id }]);
  // It followed the viewer here, which need not follow back.
  opens(bridge, second!);
  await settle();
  expect(openItemId.value).toBe(second!.id);
  expect(inputs(bridge, 'hub.show')).toHaveLength(2);
  expect(inputs(bridge, 'hub.join')).toHaveLength(2);
});
