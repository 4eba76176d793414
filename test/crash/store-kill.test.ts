/** A process that writes is killed again and again, at moments by chance: what it acknowledged is there, and only whole commits are. */
import { readdir } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chance, moment, rounds, seed } from './chance.ts';
import { openStore } from './open-store.ts';
import { audit } from './store-ledger.ts';
import { onTemporary, runWriter } from './store-process.ts';

const writers = 6;
/** So small that there is nearly always one being written. */
const journalLimit = 64 * 1024;

/** When a round ends: some commits later and a moment after, when a snapshot has begun, or while the store is opened. */
const moments = ['commit', 'snapshot', 'opening'] as const;

const count = rounds(3);
const title = `${count} processes killed while they write`;

test.each(['plain', 'sealed'])(`${title} (%s, seed ${seed})`, { timeout: 180_000 + count * 5000 }, async (form) => {
  const sealed = form === 'sealed';
  const directory = await temporaryDirectory();
  /** All that was ever acknowledged. */
  const kept = new Map<number, string>();
  let duringSnapshots = 0;
  for (let round = 0; round < count; round++) {
    const when = moments[round % moments.length]!;
    const after = Math.floor(chance(seed, round, 'commits') * 150);
    const most = when === 'opening' ? 40 : 8;
    let heardOf = 0;
    let unwatch = () => {};
    const run = await runWriter(
      { directory, name: String(round), writers, journalLimit, sealed },
      {
        heard(line, kill) {
          const killSoon = () => void moment(most, round).then(kill);
          if (when === 'opening' && line === 'opening') killSoon();
          if (when === 'opening' || !line.startsWith('kept') || heardOf++ !== after) return;
          if (when === 'commit') killSoon();
          else unwatch = onTemporary(directory, killSoon);
        },
      },
    );
    unwatch();
    expect(run, `round ${round}`).toMatchObject({ signal: 'SIGKILL', stderr: '', refused: [] });
    // Its own audit passed, or it would have ended otherwise; here is what it cannot know.
    const found = run.lines.find((line) => line.startsWith('found'));
    if (found)
      expect(Number(found.split(' ')[1]), `round ${round}`).toBeGreaterThanOrEqual(Math.max(0, ...kept.keys()));
    for (const [number, attempt] of run.kept) {
      expect(kept.has(number), `round ${round}: commit ${number} acknowledged twice`).toBe(false);
      kept.set(number, attempt);
    }
    duringSnapshots += Number((await readdir(directory)).some((name) => /^\.(?!lock).*\.tmp$/.test(name)));
  }

  const store = await openStore({ directory, sealed });
  const { length, kept: found } = await audit(store, writers);
  expect(length).toBeGreaterThanOrEqual(Math.max(...kept.keys()));
  for (const [number, attempt] of found) {
    // One that was made but not acknowledged may be there as well, though never instead of one that was.
    if (kept.has(number)) expect(attempt, `commit ${number}`).toBe(kept.get(number));
  }
  await store.close();
  expect((await readdir(directory)).filter((name) => name.endsWith('.tmp') || name === 'lock')).toEqual([]);
  if (count >= 100) expect(duringSnapshots).toBeGreaterThan(count / 20);
  process.stderr.write(
    `killed ${count} times, ${duringSnapshots} of them during a snapshot; ${length} commits (seed ${seed})\n`,
  );
});
