/** The store on a disk that fills up, has a limit, or may only be read: reads stay up, and nothing is half there. */
import { spawnSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { openLowdbStore } from '../support/lowdb-store.ts';
import { manualClock } from '../../src/domain/clock.ts';
import { noSmallDisk, smallDisk } from '../support/small-disk.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { audit, commit } from './store-ledger.ts';
import { runWriter } from './store-process.ts';

const missing = noSmallDisk();
if (missing !== undefined) {
  const reason = `The store on disks that are full is NOT tested on this machine: ${missing}.`;
  process.stderr.write(`\n${'!'.repeat(reason.length)}\n${reason}\n${'!'.repeat(reason.length)}\n\n`);
  test('the store on a disk that is full: NOT TESTED', (context) => context.skip(reason));
} else {
  describe('a small disk', () => {
    test.each([
      { kib: 64, journalLimit: 1 << 20, rounds: 1 },
      { kib: 1024, journalLimit: 1 << 14, rounds: 6 },
      { kib: 1024, journalLimit: 1 << 17, rounds: 6 },
    ])('of $kib KiB fills up and is freed, with a snapshot every $journalLimit bytes', async (trial) => {
      const { journalLimit } = trial;
      const disk = await smallDisk(trial.kib * 1024);
      const { directory } = disk;
      const clock = manualClock(Date.parse('2026-03-02T11:30:00Z'));
      const logged: string[] = [];
      const open = () =>
        openLowdbStore({ directory, journalLimit, clock, log: ({ event }) => void logged.push(event) });
      let store = await open();
      let kept = 0;
      let refused = 0;
      /** Goes on until the disk is full, or for so many commits. */
      const write = async (commits: number): Promise<boolean> => {
        for (let n = 0; n < commits; n++) {
          try {
            await commit(store, 0, `${kept}.${refused}`);
            kept++;
          } catch (error) {
            expect(error).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
            refused++;
            return false;
          }
        }
        return true;
      };

      for (let round = 0; round < trial.rounds; round++) {
        await disk.fill(28 * 1024);
        while (await write(10)) await disk.fill(4096);
        expect((await audit(store, 1)).length).toBe(kept);
        // What is refused stays refused, whether it is asked for once or often.
        await disk.fill();
        for (let n = 0; n < 3; n++) {
          clock.advance(1000);
          await write(1);
        }
        expect((await audit(store, 1)).length).toBe(kept);
        if (round % 2 === 1) {
          // A start needs a little room, for its lock.
          await disk.free();
          await store.close();
          store = await open();
          expect((await audit(store, 1)).length).toBe(kept);
        }
        await disk.free();
        clock.advance(1000);
        expect(await write(1), `after round ${round}: ${logged.join(', ')}`).toBe(true);
      }
      expect(refused).toBeGreaterThanOrEqual(trial.rounds);
      await store.close();
      store = await open();
      expect((await audit(store, 1)).length).toBe(kept);
      await store.close();
    });

    test('that may only be read is refused at the start, and left as it is', async () => {
      const { directory } = await smallDisk(64 * 1024);
      const store = await openLowdbStore({ directory });
      await commit(store, 0, 'a');
      await store.close();
      const remount = (how: string) => spawnSync('mount', ['-o', `remount,${how}`, directory]).status;
      expect(remount('ro')).toBe(0);
      await expect(openLowdbStore({ directory })).rejects.toMatchObject({
        code: 'CONFIGURATION',
        message: expect.stringContaining('(EROFS)'),
      });
      expect(remount('rw')).toBe(0);
      const again = await openLowdbStore({ directory });
      expect((await audit(again, 1)).length).toBe(1);
      await again.close();
    });
  });
}

describe.runIf(process.platform !== 'win32')('a limit to the size of files (ulimit -f)', () => {
  /** In blocks of 512 bytes. */
  test.each([9, 30, 47])('of %d blocks refuses what is beyond, whole', async (blocks) => {
    const directory = await temporaryDirectory();
    const limited = ['sh', '-c', `ulimit -f ${blocks} && exec "$@"`, 'sh'];
    const run = await runWriter(
      { directory, name: 'a', writers: 1, commits: 100, journalLimit: 1 << 20, patience: 2 },
      { before: limited },
    );
    expect(run).toMatchObject({ code: 1, signal: null, stderr: expect.stringContaining('STORAGE_UNAVAILABLE') });
    expect(run.refused).toHaveLength(3);
    const store = await openLowdbStore({ directory });
    const { length, kept } = await audit(store, 1);
    expect(length).toBe(run.kept.size);
    expect(kept).toEqual(new Map([...run.kept].toReversed()));
    await store.close();
  });
});
