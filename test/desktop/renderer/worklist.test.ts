import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { showLanguage } from '../../../desktop/renderer/i18n/index.ts';
import { setBridge, setPerson } from '../../../desktop/renderer/state/bridge.ts';
import { dismiss, notices } from '../../../desktop/renderer/state/notices.ts';
import { go } from '../../../desktop/renderer/state/route.ts';
import { session as sessionState } from '../../../desktop/renderer/state/session.ts';
import {
  asOf,
  cursorId,
  followWorklist,
  isWhole,
  items,
  listView,
  moveCursor,
  openAtCursor,
  setFilters,
  takeExam,
} from '../../../desktop/renderer/state/worklist/worklist.ts';
import { route } from '../../../desktop/renderer/state/route.ts';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { exams, refusal, scriptedBridge, session } from './stories/scripted-bridge.ts';

const now = Date.parse('2026-03-02T15:00:00Z');
let list: WorklistItem[];
let ending: AbortController;

async function follow(script: Parameters<typeof scriptedBridge>[0] = {}) {
  const bridge = scriptedBridge({
    'worklist.list': ({ ids }) => ({
      items: ids === undefined ? list : list.filter(({ id }) => ids.includes(id)),
      as_of: '2026-03-02T15:00:00Z',
    }),
    ...script,
  });
  setBridge(bridge);
  setPerson('ana');
  ending = new AbortController();
  await followWorklist(ending.signal);
  await vi.advanceTimersByTimeAsync(0);
  return bridge;
}

const change = (id: string, to: Partial<WorklistItem>) => {
  list = list.map((item) => (item.id === id ? { ...item, ...to, version: item.version + 1 } : item));
};

beforeEach(async () => {
  vi.useFakeTimers();
  await showLanguage('en-US');
  sessionState.value = session();
  list = exams(now).map((item) => ({ ...item, status: 'new', assigned_to: null }));
});
afterEach(() => {
  ending.abort();
  go({ itemId: null, pane: 'list', sheet: null });
  for (const { id } of notices.value) dismiss(id);
  vi.useRealTimers();
});

test('the first screen stays as it is until the whole list is there', async () => {
  const whole = Promise.withResolvers<void>();
  const answer = (some: WorklistItem[]) => ({ items: some, as_of: '2026-03-02T15:00:00Z' });
  const following = follow({
    'worklist.list': async ({ first }) => {
      if (first !== undefined) return answer(list.slice(0, 3));
      await whole.promise;
      return answer(list);
    },
  });
  await vi.advanceTimersByTimeAsync(0);
  expect([items.value?.size, isWhole.value]).toEqual([3, false]);
  whole.resolve();
  await following;
  expect([items.value?.size, isWhole.value]).toEqual([list.length, true]);
});

test('an empty first screen says nothing: only the whole list shows that it is empty', async () => {
  const seen: (number | undefined)[] = [];
  await follow({
    'worklist.list': ({ first }) => {
      seen.push(items.value?.size);
      return { items: first === undefined ? list : [], as_of: '2026-03-02T15:00:00Z' };
    },
  });
  expect(seen.slice(0, 2)).toEqual([undefined, undefined]);
  expect(items.value?.size).toBe(list.length);
});

describe('events', () => {
  test('many at once are fetched together, and only those', async () => {
    const bridge = await follow();
    const before = bridge.asked.length;
    change('wli_3', { status: 'completed' });
    change('wli_5', { status: 'cancelled' });
    for (const id of ['wli_3', 'wli_5', 'wli_3'])
      bridge.tell('item', { id, status: 'new', version: 2, change: 'status' });
    await vi.advanceTimersByTimeAsync(500);
    expect(bridge.asked.slice(before)).toEqual([{ name: 'worklist.list', input: { ids: ['wli_3', 'wli_5'] } }]);
    expect(items.value?.get('wli_3')?.status).toBe('completed');
    expect(listView.value.counts.open).toBe(21);
  });

  test('known exams are not requested again', async () => {
    const bridge = await follow();
    const before = bridge.asked.length;
    bridge.tell('item', { id: 'wli_3', status: 'new', version: 1, change: 'status' });
    await vi.advanceTimersByTimeAsync(500);
    expect(bridge.asked).toHaveLength(before);
  });

  test('one that is gone leaves the list', async () => {
    const bridge = await follow();
    list = list.filter(({ id }) => id !== 'wli_3');
    bridge.tell('item', { id: 'wli_3', status: 'cancelled', version: 2, change: 'status' });
    await vi.advanceTimersByTimeAsync(500);
    expect(items.value?.has('wli_3')).toBe(false);
  });

  test('after a gap everything is read again', async () => {
    const bridge = await follow();
    change('wli_9', { status: 'completed' });
    bridge.gap();
    await vi.advanceTimersByTimeAsync(0);
    expect(items.value?.get('wli_9')?.status).toBe('completed');
  });
});

describe('the exam that is open', () => {
  test('another person takes it: the person is notified, once', async () => {
    const bridge = await follow();
    go({ itemId: 'wli_4', pane: 'exam' });
    change('wli_4', { status: 'in_progress', assigned_to: 'Dr. Nunes' });
    bridge.tell('item', { id: 'wli_4', status: 'in_progress', version: 2, change: 'status' });
    await vi.advanceTimersByTimeAsync(500);
    bridge.gap();
    await vi.advanceTimersByTimeAsync(0);
    expect(notices.value.map(({ text }) => text)).toEqual(['Dr. Nunes took this exam']);
  });

  test('taken by oneself: no notice', async () => {
    await follow({
      'worklist.take': () => {
        change('wli_4', { status: 'in_progress', assigned_to: 'Dra. Helena Prado' });
        return { outcome: 'taken', item: list.find(({ id }) => id === 'wli_4')!, holder: null };
      },
    });
    go({ itemId: 'wli_4', pane: 'exam' });
    await takeExam('wli_4');
    expect(listView.value.counts.mine).toBe(1);
    expect(notices.value).toEqual([]);
  });
});

test('without the service the list as last seen stays, with its age', async () => {
  let online = true;
  const bridge = await follow({
    'worklist.list': () => {
      if (!online) throw refusal('NETWORK', 'The server could not be reached.');
      return { items: list, as_of: '2026-03-02T14:00:00Z' };
    },
  });
  online = false;
  bridge.gap();
  await vi.advanceTimersByTimeAsync(0);
  expect(items.value?.size).toBe(23);
  expect(asOf.value).toBe('2026-03-02T14:00:00Z');
  expect(notices.value).toEqual([]);
});

test('the cursor goes from exam to exam and stops at the ends', async () => {
  await follow();
  const order = listView.value.items.map(({ id }) => id);
  moveCursor(1);
  expect(cursorId.value).toBe(order[0]);
  moveCursor(-1);
  expect(cursorId.value).toBe(order[0]);
  moveCursor(Infinity);
  expect(cursorId.value).toBe(order.at(-1));
  openAtCursor();
  expect(route.value.itemId).toBe(order.at(-1));
});

test('an exam that the filters hide does not hold the cursor', async () => {
  await follow();
  moveCursor(Infinity);
  setFilters({ modality: ['MG'] });
  moveCursor(1);
  expect(cursorId.value).toBe(listView.value.items[0]?.id);
});
