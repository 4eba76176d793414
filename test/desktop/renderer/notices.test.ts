import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { dismiss, holdNotices, notices, notify } from '../../../desktop/renderer/state/notices.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => {
  holdNotices(false);
  for (const { id } of notices.value) dismiss(id);
  vi.useRealTimers();
});

const texts = () => notices.value.map(({ text }) => text);

test('news disappears automatically; a fault and an offer stay longer', () => {
  notify({ tone: 'done', text: 'Saved' });
  notify({ tone: 'done', text: 'Discarded', action: { label: 'Undo', run: () => undefined, about: null } });
  notify({ tone: 'error', text: 'Refused' });
  vi.advanceTimersByTime(6000);
  expect(texts()).toEqual(['Discarded', 'Refused']);
  vi.advanceTimersByTime(600_000);
  expect(texts()).toEqual(['Refused']);
});

test('nothing goes while it is read', () => {
  notify({ tone: 'info', text: 'Read me' });
  holdNotices(true);
  vi.advanceTimersByTime(60_000);
  expect(texts()).toEqual(['Read me']);
  holdNotices(false);
  expect(texts()).toEqual([]);
});

test('an equal notice is renewed, not repeated', () => {
  const first = notify({ tone: 'info', text: 'Signed already' });
  vi.advanceTimersByTime(4000);
  expect(notify({ tone: 'info', text: 'Signed already' })).toBe(first);
  vi.advanceTimersByTime(4000);
  expect(texts()).toEqual(['Signed already']);
  vi.advanceTimersByTime(1000);
  expect(texts()).toEqual([]);
});

test('never more than four', () => {
  for (const text of ['1', '2', '3', '4', '5']) notify({ tone: 'info', text });
  expect(texts()).toEqual(['2', '3', '4', '5']);
});

test('equal notices about two exams each keep their undo', () => {
  const undone: string[] = [];
  const release = (about: string) =>
    notify({ tone: 'done', text: 'Released', action: { label: 'Undo', run: () => undone.push(about), about } });
  const [first] = [release('wli_1'), release('wli_2'), release('wli_2')];
  expect(texts()).toEqual(['Released', 'Released']);
  notices.value.find(({ id }) => id === first)?.action?.run();
  expect(undone).toEqual(['wli_1']);
});
