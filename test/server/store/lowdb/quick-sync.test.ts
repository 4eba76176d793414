import type { FileHandle } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { nodeFileSystem } from '../../../../server/data-directory/private-files.ts';
import { createQuickSync } from '../../../../server/store/lowdb/quick-sync.ts';
import { manualClock } from '../../../../src/domain/clock.ts';

const handle = {} as FileHandle;

/** A disk that takes so long, in ms, for each sync. */
function syncing({ takes = 0, isBusy = false, fails = false } = {}) {
  const clock = manualClock(0);
  const disk = { takes, isBusy, fails, now: 0, inThread: 0 };
  const sync = createQuickSync(
    {
      ...nodeFileSystem,
      syncData: async () => void disk.inThread++,
      syncDataNow() {
        disk.now++;
        clock.advance(disk.takes);
        if (disk.fails) throw new Error('EIO');
      },
    },
    clock,
    () => disk.isBusy,
  );
  const times = async (count: number, { bytes = 500, isAlone = false } = {}): Promise<void> => {
    for (let i = 0; i < count; i++) await sync(handle, { bytes, isAlone });
  };
  return { disk, times };
}

test('a disk that is quick is waited for, but for the first syncs after the start', async () => {
  const { disk, times } = syncing({ takes: 0.1 });
  await times(1000);
  expect(disk.inThread).toBe(32);
  expect(disk.now).toBe(968);
});

test.each([0.5, 2, 10, 1000])(
  'whose syncs take %s ms keeps others waiting no longer than a quick one, on average',
  async (takes) => {
    const { disk, times } = syncing({ takes });
    await times(20_000);
    expect(disk.now).toBeGreaterThan(0);
    // The first one comes after 32 others.
    expect((takes * (disk.now - 1)) / disk.inThread).toBeLessThan(0.01);
  },
);

test('one that is quick again after a while is waited for again', async () => {
  const { disk, times } = syncing({ takes: 5 });
  await times(33);
  expect(disk.now).toBe(1);
  disk.takes = 0.1;
  await times(20 * 32 + 100);
  expect(disk.now).toBe(101);
});

test('one late sync of a quick disk leaves few to a thread, and a disk that has become slow is found out', async () => {
  const { disk, times } = syncing({ takes: 0.1 });
  await times(32);
  disk.takes = 1;
  await times(1);
  disk.takes = 0.1;
  await times(4 + 10);
  expect(disk).toMatchObject({ now: 11, inThread: 32 + 4 });
  disk.takes = 1;
  await times(5000);
  expect(disk.now - 11).toBeLessThan(5000 / 100);
});

test('a late sync among many quick ones costs nothing, and a very late one what it exceeds them by', async () => {
  const { disk, times } = syncing({ takes: 0.1 });
  await times(32 + 1000);
  for (const [takes, inThread] of [
    [6, 0],
    [20, 48],
  ] as const) {
    disk.inThread = 0;
    disk.takes = takes;
    await times(1);
    disk.takes = 0.1;
    await times(1000);
    expect(disk.inThread).toBe(inThread);
  }
});

test('a lone commit waits up to 1 ms for the disk, and leaves a slower one to a thread', async () => {
  const { disk, times } = syncing({ takes: 1 });
  await times(32 + 1000, { isAlone: true });
  expect(disk).toMatchObject({ now: 1000, inThread: 32 });
  disk.takes = 1.1;
  await times(20_000, { isAlone: true });
  expect((1.1 * (disk.now - 1001)) / disk.inThread).toBeLessThan(0.01);
});

test('while the disk is busy, and with much to write, nobody else is kept waiting', async () => {
  const { disk, times } = syncing({ takes: 0.1 });
  await times(32);
  disk.isBusy = true;
  await times(10);
  disk.isBusy = false;
  await times(10, { bytes: 65 * 1024 });
  expect(disk.now).toBe(0);
  await times(1);
  expect(disk.now).toBe(1);
});

test('a sync at once that fails is one that failed', async () => {
  const { times } = syncing({ takes: 0.1, fails: true });
  await times(32);
  await expect(times(1)).rejects.toThrow('EIO');
});
