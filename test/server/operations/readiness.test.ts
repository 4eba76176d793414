/** A server is ready without audio that another service keeps, and says so before a balancer gives up. */
import { expect, test } from 'vitest';
import { AppError } from '../../../src/contract/errors.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { createReadiness } from '../../../server/operations/readiness.ts';

const store = { probe: async () => {}, setbacks: () => 0 } as never;
const down = new AppError('STORAGE_UNAVAILABLE');

test('shared audio that refuses, or stays silent, is degraded; audio of the data directory is no readiness', async () => {
  const clock = manualClock(0);
  let probe = (): Promise<void> => Promise.reject(down);
  const blobs = { probe: () => probe() };
  await expect(createReadiness({ store, blobs, clock }, false)()).rejects.toBe(down);
  const check = createReadiness({ store, blobs, clock }, true);
  expect(await check()).toEqual(['blobs']);
  probe = async () => {};
  clock.advance(5000);
  expect(await check()).toEqual([]);
  const silence = Promise.withResolvers<void>();
  probe = () => silence.promise;
  clock.advance(5000);
  const silent = check();
  clock.advance(1000);
  expect(await silent).toEqual(['blobs']);
  // No second probe waits beside the first.
  probe = () => Promise.reject(new Error('asked twice'));
  clock.advance(5000);
  const still = check();
  silence.resolve();
  expect(await still).toEqual([]);
});
