import { expect, test } from 'vitest';
import { createBell } from '../../src/domain/bell.ts';

test('a ring wakes all present waiters, and no later ones', async () => {
  const bell = createBell();
  const woken: string[] = [];
  const wait = (name: string) => bell.rung().then(() => woken.push(name));
  const both = [wait('one'), wait('other')];
  bell.ring();
  const later = wait('later');
  await Promise.all(both);
  expect(woken).toEqual(['one', 'other']);
  bell.ring();
  await later;
  expect(woken.at(-1)).toBe('later');
});

test('a waiter that stops is woken at once, and does not ring for others', async () => {
  const bell = createBell();
  const over = new AbortController();
  const woken: string[] = [];
  const one = bell.rung(over.signal).then(() => woken.push('one'));
  const other = bell.rung().then(() => woken.push('other'));
  over.abort();
  await one;
  await bell.rung(over.signal);
  expect(woken).toEqual(['one']);
  bell.ring();
  await other;
});
