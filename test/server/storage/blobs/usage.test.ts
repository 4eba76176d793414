/** The size of audio that a service keeps: counted afresh while that is quick, hourly where it is slow, and known while it is down. */
import { expect, test } from 'vitest';
import { createUsageMeter } from '../../../../server/storage/blobs/usage.ts';
import { manualClock } from '../../../../src/domain/clock.ts';

test('slow counts are reused for an hour, and failed ones change nothing', async () => {
  const clock = manualClock(0);
  let files = 0;
  let takes = 10;
  let isDown = true;
  const usage = async () => {
    clock.advance(takes);
    if (isDown) throw new Error('down');
    return { files: ++files, bytes: 0 };
  };
  const measure = createUsageMeter({ usage }, clock);
  const count = async () => (await measure())?.files;
  expect(await count()).toBeUndefined();
  isDown = false;
  expect([await count(), await count()]).toEqual([1, 2]);
  takes = 60_000;
  expect([await count(), await count()]).toEqual([3, 3]);
  clock.advance(3_600_000);
  // The next count is not waited for.
  expect([await count(), files]).toEqual([3, 4]);
  isDown = true;
  clock.advance(3_600_000);
  expect([await count(), await count()]).toEqual([4, 4]);
  const silent = createUsageMeter({ usage: () => new Promise(() => {}) }, clock)();
  clock.advance(1000);
  expect(await silent).toBeUndefined();
});
