import { expect, test } from 'vitest';
import { createFairPlaces } from '../../../../server/runtime/queue/fair-places.ts';

const never = new AbortController().signal;

test('lanes take turns for the places, and one lane has no more than its own', async () => {
  const places = createFairPlaces({ perLane: 1, total: 2 });
  const entered: string[] = [];
  const leave = new Map<string, () => void>();
  const enter = (name: string) =>
    places.enter(name[0]!, never).then((left) => {
      entered.push(name);
      leave.set(name, left);
    });
  const all = ['a1', 'a2', 'a3', 'b1', 'c1'].map(enter);
  await Promise.all([all[0], all[3]]);
  expect(entered).toEqual(['a1', 'b1']);
  leave.get('b1')!();
  await all[4];
  leave.get('a1')!();
  await all[1];
  // A place that was given back is given back once.
  leave.get('a1')!();
  leave.get('c1')!();
  leave.get('a2')!();
  await all[2];
  expect(entered).toEqual(['a1', 'b1', 'c1', 'a2', 'a3']);
});

test('a waiter that gives up rejects at once and delays nobody', async () => {
  const places = createFairPlaces({ perLane: 1, total: 1 });
  const leave = await places.enter('a', never);
  const impatient = new AbortController();
  const gone = places.enter('a', impatient.signal);
  const next = places.enter('a', never);
  impatient.abort(new Error('gone'));
  await expect(gone).rejects.toThrow('gone');
  await expect(places.enter('b', impatient.signal)).rejects.toThrow('gone');
  leave();
  expect(await next).toBeTypeOf('function');
});
