/** Dictations that were put away: they can be brought back for a while, and then are gone. */
import { cp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { manualClock } from '../../../../src/domain/clock.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { openDesk, rate, samples, startOfTest } from './open-dictations.ts';

test('a discarded dictation can be restored for ten minutes', async () => {
  const clock = manualClock(startOfTest);
  const desk = await openDesk({ clock });
  const { id } = await desk.dictate('wli_1', samples(7, 4));
  await desk.call['dictation.discard']({ id });
  expect(await desk.get(id)).toBeUndefined();
  expect(await desk.file(`dictations/${id}.wav`)).toBeUndefined();
  clock.advance(599_999);
  expect(await desk.call['dictation.restore']({ id })).toMatchObject({ id, state: 'paused', seconds: 4 / rate });
  expect(await desk.heard(id)).toEqual([7, 7, 7, 7]);
  await desk.call['dictation.discard']({ id });
  clock.advance(600_000);
  await expect(desk.call['dictation.restore']({ id })).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('a discarded dictation is gone once the app was closed or restarted', async () => {
  const desk = await openDesk();
  const { id } = await desk.dictate('wli_1', samples(7, 4));
  await desk.call['dictation.discard']({ id });
  expect(await readdir(join(desk.directory, 'discarded'))).toEqual([id]);
  const copy = await temporaryDirectory();
  await cp(join(desk.directory, 'discarded'), join(copy, 'discarded'), { recursive: true });
  await desk.close();
  expect(await readdir(join(desk.directory, 'discarded'))).toEqual([]);
  await openDesk({ directory: copy });
  expect(await readdir(join(copy, 'discarded'))).toEqual([]);
});
