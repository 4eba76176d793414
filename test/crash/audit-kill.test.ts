/** A process whose entries move to segments is killed again and again: no entry that was acknowledged is lost, none is there twice. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { listEntries } from '../../server/operations/audit/read-trail.ts';
import { createSegmenter } from '../../server/operations/audit/segmenter.ts';
import { verifyTrail } from '../../server/operations/audit/verify-trail.ts';
import { createIds } from '../../server/storage/ids.ts';
import { systemClock } from '../../src/node/clock.ts';
import { small } from '../server/operations/audit/trails.ts';
import { temporaryDirectory } from '../support/temporary-directory.ts';
import { chance, moment, rounds, seed } from './chance.ts';
import { openAuditPlace } from './open-store.ts';

const writer = fileURLToPath(new URL('audit-writer.ts', import.meta.url));

/** Runs a writer until it has entered so many and a moment longer; gives the number of the last acknowledged entry. */
async function killedAfter(directory: string, sealed: boolean, entries: number, round: number): Promise<number> {
  const child = spawn(process.execPath, [writer, JSON.stringify({ directory, sealed })], { env: process.env });
  const ended = once(child, 'close') as Promise<[number | null, NodeJS.Signals | null]>;
  const stderr = text(child.stderr);
  let kept = 0;
  let heard = 0;
  for await (const line of createInterface(child.stdout)) {
    const [what, number] = line.split(' ');
    expect(what, line).not.toBe('logged');
    if (what !== 'kept') continue;
    kept = Number(number);
    if (++heard === entries) void moment(30, round).then(() => child.kill('SIGKILL'));
  }
  expect([await stderr, (await ended)[1]]).toEqual(['', 'SIGKILL']);
  return kept;
}

const count = rounds(2);

test.each(['plain', 'sealed'])(
  `${count} processes killed while entries move (%s, seed ${seed})`,
  { timeout: 60_000 + count * 5000 },
  async (form) => {
    const sealed = form === 'sealed';
    const directory = await temporaryDirectory();
    let segments = 0;
    for (let round = 0; round < count; round++) {
      const entries = 24 + Math.floor(chance(seed, round, form) * 40);
      const acknowledged = await killedAfter(directory, sealed, entries, round);
      const { store, blobs } = await openAuditPlace({ directory, sealed });
      const verdict = await verifyTrail({ store, blobs });
      expect(verdict, `round ${round}`).toMatchObject({ sound: true });
      expect(verdict.entries).toBeGreaterThanOrEqual(acknowledged);
      const { items } = await listEntries({ store, blobs }, { limit: 1_000_000 });
      expect(items.map(({ number }) => number)).toEqual(
        Array.from({ length: verdict.entries }, (_, nth) => verdict.entries - nth),
      );
      // What the killed one left undone, the next one does.
      const deps = { store, blobs, ids: createIds(systemClock), clock: systemClock, log: () => {} };
      const segmenter = createSegmenter(deps, small);
      await segmenter.run();
      await segmenter.close();
      expect(await verifyTrail({ store, blobs })).toEqual(verdict);
      segments = await store.count('audit_segments');
      await store.close();
    }
    expect(segments).toBeGreaterThan(count * 2);
  },
);
