/** What others leave of the machine. */
import { expect, test } from 'vitest';
import { createFreeProcessors } from '../../../server/runtime/free-processors.ts';

function machine() {
  const state = { at: 0, busy: 0, own: 0, looks: 0 };
  const free = createFreeProcessors({
    processors: 4,
    now: () => state.at,
    times: () => {
      state.looks++;
      return { busy: state.busy, own: state.own };
    },
  });
  const pass = (ms: number, { own, others }: { own: number; others: number }): number => {
    state.at += ms;
    state.own += own * ms;
    state.busy += (own + others) * ms;
    return free();
  };
  return { state, free, pass };
}

test('all processors are free before anything is known, and those that this process uses itself', () => {
  const { free, pass } = machine();
  expect(free()).toBe(4);
  expect(pass(2000, { own: 3, others: 0 })).toBe(4);
});

test('places that others use are not free', () => {
  const { free, pass } = machine();
  free();
  expect(pass(2000, { own: 1, others: 2.5 })).toBeCloseTo(1.5);
  expect(pass(2000, { own: 1, others: 0.5 })).toBeCloseTo(3.5);
});

test('the system is asked once a second at most', () => {
  const { state, free, pass } = machine();
  free();
  for (let n = 0; n < 10; n++) pass(50, { own: 1, others: 1 });
  expect(state.looks).toBe(1);
  pass(600, { own: 1, others: 1 });
  expect(state.looks).toBe(2);
});

test('the machine says how much of it is free', () => {
  const free = createFreeProcessors({ now: () => performance.now() });
  expect(free()).toBeGreaterThan(0);
});
