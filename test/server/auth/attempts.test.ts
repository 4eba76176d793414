/** Attempts that are counted before their secret is compared, and taken back if it was not. */
import { expect, test } from 'vitest';
import { addressPolicy, createAttempts, loginPolicy, namePolicy } from '../../../server/auth/attempts.ts';
import { createLogin } from '../../../server/auth/login.ts';
import { createLoneCounters } from '../../../server/storage/counters.ts';
import type { Counters } from '../../../server/storage/counters.ts';
import { manualClock } from '../../../src/domain/clock.ts';

const start = () => {
  const clock = manualClock(0);
  const counters = createLoneCounters(clock);
  return { clock, counters, attempts: createAttempts(counters, loginPolicy) };
};

test('an attempt that is taken back lets nobody wait longer', async () => {
  const { clock, attempts } = start();
  for (let n = 0; n < 5; n++) await attempts.count('ana');
  clock.advance(4000);
  const { waitSeconds, undo } = await attempts.begin('ana');
  expect(waitSeconds).toBe(0);
  clock.advance(1000);
  await undo();
  expect(await attempts.wait('ana')).toBe(0);
  // The failures before count on, for as long as they would have.
  await attempts.count('ana');
  expect(await attempts.wait('ana')).toBe(8);
});

test('it takes no failure of others with it', async () => {
  const { clock, attempts } = start();
  for (let n = 0; n < 4; n++) await attempts.count('ana');
  clock.advance(2000);
  const { undo } = await attempts.begin('ana');
  await attempts.count('ana');
  await undo();
  expect(await attempts.wait('ana')).toBe(4);
  await attempts.recordSuccess('ana');
  await undo();
  for (let n = 0; n < 4; n++) await attempts.count('ana');
  expect(await attempts.wait('ana')).toBe(2);
});

test('guesses that arrive at once count, those that are refused do not', async () => {
  const { attempts } = start();
  const begun = await Promise.all(Array.from({ length: 20 }, () => attempts.begin('ana')));
  expect(begun.filter(({ waitSeconds }) => waitSeconds === 0)).toHaveLength(3);
  await attempts.count('ana');
  expect(await attempts.wait('ana')).toBe(2);
});

test('a login that one of its counters refuses is counted by none', async () => {
  const { counters } = start();
  let reads = 0;
  const raced: Counters = {
    ...counters,
    async read(key) {
      // Between the look and the count, others guess at the same name from the same address.
      if (++reads === 4) for (let n = 0; n < 5; n++) await createAttempts(counters, loginPolicy).count(login);
      return counters.read(key);
    },
  };
  const name = JSON.stringify(['lab', 'ana']);
  const login = `${name} 192.0.2.1`;
  const check = createLogin({
    store: { find: async () => [] },
    counters: raced,
    hashing: { decoy: () => 'hash', verify: () => Promise.reject(new Error('Nothing may be compared.')) },
    noteLogin() {},
  } as never);
  const from = { address: '192.0.2.1' } as never;
  expect(await check({ space: 'lab', username: 'ana', password: 'secret', from })).toEqual({ waitSeconds: 4 });
  expect(reads).toBeGreaterThanOrEqual(6);
  const count = async (policy: typeof namePolicy, key: string): Promise<number> => {
    let n = 0;
    const probe = {
      ...counters,
      read: async (counter: string) => ({ n: (n = (await counters.read(counter)).n), left: 0 }),
    };
    await createAttempts(probe, policy).wait(key);
    return n;
  };
  expect([
    await count(namePolicy, name),
    await count(addressPolicy, '192.0.2.1'),
    await count(loginPolicy, login),
  ]).toEqual([0, 0, 5]);
});
