/** Somebody sets the clock of the machine back by a day: nobody waits a day longer for it. */
import type { FastifyReply } from 'fastify';
import { expect, onTestFinished, test } from 'vitest';
import { AppError } from '../../../../src/contract/errors.ts';
import { contract } from '../../../../src/contract/index.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { clientPolicy, createAttempts, loginPolicy } from '../../../../server/auth/attempts.ts';
import { createLoneCounters } from '../../../../server/storage/counters.ts';
import { createRateLimiter } from '../../../../server/http/plugins/rate-limit.ts';
import { startApi } from '../../../support/api.ts';
import { controlledStore } from '../../http/controlled-store.ts';

const day = 24 * 3600 * 1000;
const clockOfToday = () => manualClock(Date.parse('2026-03-02T11:30:00Z'));
const setBack = (clock: ReturnType<typeof manualClock>): void => clock.set(clock.now() - day);

test.each([
  ['a client', clientPolicy, 20, 60],
  ['a person', loginPolicy, 5, 4],
] as const)('%s that guessed', async (_who, policy, failures, seconds) => {
  const clock = clockOfToday();
  const attempts = createAttempts(createLoneCounters(clock), policy);
  for (let n = 0; n < failures; n++) await attempts.count('somebody');
  expect(await attempts.wait('somebody')).toBe(seconds);
  setBack(clock);
  expect(await attempts.wait('somebody')).toBe(seconds);
  clock.advance(seconds * 1000);
  expect(await attempts.wait('somebody')).toBe(0);
  // Nor is a row forgotten before its time.
  clock.set(clock.now() + day);
  await attempts.count('somebody');
  expect(await attempts.wait('somebody')).toBeGreaterThan(0);
});

test('a client that has used up its quota', async () => {
  const clock = clockOfToday();
  const limiter = createRateLimiter({ clock, counters: createLoneCounters(clock) }, 2);
  const reply = { headers: () => reply } as unknown as FastifyReply;
  const count = () => limiter.count('somebody', reply);
  await count();
  await count();
  await expect(count()).rejects.toThrow('Too many requests');
  setBack(clock);
  await expect(count()).rejects.toThrow('Too many requests');
  clock.advance(60_000);
  await count();
});

test('a monitor that saw that nothing is accepted', async () => {
  const storage = controlledStore();
  const api = await startApi({ store: storage.between, rateLimit: 0 }, onTestFinished);
  const ready = async () => (await api.call(contract.system.endpoints.ready)).status;
  storage.fail(new AppError('STORAGE_UNAVAILABLE'));
  expect(await ready()).toBe(503);
  setBack(api.clock);
  storage.recover();
  api.clock.advance(1000);
  expect(await ready()).toBe(200);
  storage.fail(new AppError('STORAGE_UNAVAILABLE'));
  setBack(api.clock);
  api.clock.advance(5000);
  expect(await ready()).toBe(503);
});
