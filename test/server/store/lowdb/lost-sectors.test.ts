/** Power that is lost while a group of commits is written: any of its sectors may be on disk, and any may not. */
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { nodeFileSystem } from '../../../../server/data-directory/private-files.ts';
import { listDataFiles, nameOf } from '../../../../server/store/lowdb/data-files.ts';
import { headerLength } from '../../../../server/store/lowdb/frame.ts';
import { continueJournal, createJournal } from '../../../../server/store/lowdb/journal.ts';
import type { JournalOptions } from '../../../../server/store/lowdb/journal.ts';
import { recover } from '../../../../server/store/lowdb/recovery.ts';
import type { Recovered } from '../../../../server/store/lowdb/recovery.ts';
import { applyChanges, createTables } from '../../../../server/store/tables.ts';
import type { Change } from '../../../../server/store/tables.ts';
import { createSealing } from '../../../../server/sealing/sealing.ts';
import { hookedFileSystem, systemError } from '../../../support/hooked-file-system.ts';

const sealing = createSealing(randomBytes(32));
const name = nameOf('journal', 0);
let directory: string;
const path = (): string => join(directory, name);

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'laudio-sectors-'));
});
afterAll(() => rm(directory, { recursive: true }));

/** The bytes of each commit, more or less, and whether the disk refuses the group when a part of it is written. */
interface Group {
  readonly sizes: readonly number[];
  readonly isRefused: boolean;
}

const group = fc.record({
  sizes: fc.array(fc.oneof(fc.nat(300), fc.nat(9000)), { minLength: 1, maxLength: 6 }),
  isRefused: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
});
const history = fc.record({ groups: fc.array(group, { minLength: 2, maxLength: 12 }), isSealed: fc.boolean() });

/** A stretch of time between two syncs. */
interface Moment {
  /** What is surely on disk, and what it shall be. */
  readonly before: Buffer;
  readonly after: Buffer;
  /** Commits that were acknowledged, and those that were ever asked for. */
  readonly acknowledged: number;
  readonly asked: number;
}

const around = (isSealed: boolean) => ({
  directory,
  fs: nodeFileSystem,
  sealing: isSealed ? sealing : undefined,
  schema: 1,
});

/** Each commit puts two documents, so that half of one would show. */
const idsOf = (commit: number): string[] => [`${commit} a`, `${commit} b`];
const changesOf = (commit: number, size: number): Change[] => {
  const changes = idsOf(commit).map((id) => ({
    collection: 'settings' as const,
    id,
    document: { id, value: 'ä'.repeat(size / 4) },
  }));
  applyChanges(createTables(), changes);
  return changes;
};

const optionsOf = (isSealed: boolean): JournalOptions => ({
  ...around(isSealed),
  place: { check: () => stat(directory) },
  sync: async () => {},
});

/** Writes all groups, and gives back every moment at which the power may have been lost. */
async function write({ groups, isSealed }: { groups: readonly Group[]; isSealed: boolean }) {
  const moments: Moment[] = [];
  let before: Buffer;
  let acknowledged = 0;
  let asked = 0;
  let isFull = false;
  const note = (): void => {
    const after = readFileSync(path());
    moments.push({ before, after, acknowledged, asked });
    before = after;
  };
  const fs = hookedFileSystem((call) => {
    if (call === 'handle.datasync') note();
    if (call !== 'handle.write' || !isFull) return;
    isFull = false;
    throw systemError('ENOSPC');
  });
  await rm(path(), { force: true });
  const journal = await createJournal({ ...optionsOf(isSealed), fs, sync: async () => note() }, 0);
  before = await readFile(path());
  let room = 0;
  for (const { sizes, isRefused } of groups) {
    asked = acknowledged + sizes.length;
    const commits = sizes.map((size, at) => changesOf(acknowledged + 1 + at, size));
    isFull = isRefused;
    const outcome = journal.append(commits, acknowledged + 1);
    if (isRefused) await expect(outcome).rejects.toMatchObject({ code: 'ENOSPC' });
    else await outcome;
    acknowledged = asked = isRefused ? acknowledged : asked;
    journal.makeRoom();
    room = Math.max(room, (await readFile(path())).length - journal.size);
  }
  return { moments, journal, commits: acknowledged, room };
}

const recovered = async (isSealed: boolean, acknowledged: number): Promise<Recovered> => {
  const files = await listDataFiles(nodeFileSystem, directory);
  return (await recover(around(isSealed), { ...files, acknowledged }))!;
};

function expectCommits({ sequence, documents }: Recovered): void {
  const ids = Array.from(documents.tables.get('settings')?.view().documents() ?? [], ({ id }) => id);
  const expected = Array.from({ length: sequence }, (_, n) => idsOf(n + 1)).flat();
  expect(ids.toSorted()).toEqual(expected.toSorted());
}

/** The file with any of the changed sectors, as long as the former or as the new one. */
function imageOf({ before, after }: Moment, sector: number, isNew: () => boolean): Buffer {
  const image = Buffer.alloc(isNew() ? after.length : before.length);
  for (let at = 0; at < image.length; at += sector) {
    const [old, fresh] = [before, after].map((bytes) => bytes.subarray(at, Math.min(at + sector, image.length)));
    (old!.equals(fresh!) || isNew() ? fresh! : old!).copy(image, at);
  }
  return image;
}

test(
  'leaves all that was acknowledged and whole commits only, whichever sectors are on disk',
  { timeout: 60_000 },
  async () => {
    let withRoom = 0;
    let cut = 0;
    const property = fc.asyncProperty(
      history,
      fc.constantFrom(512, 4096),
      fc.infiniteStream(fc.boolean()),
      fc.infiniteStream(fc.boolean()),
      async (past, sector, chances, isKnown) => {
        const { moments, journal, room } = await write(past);
        await journal.close();
        withRoom += Number(room > 0);
        for (const moment of moments) {
          await writeFile(
            path(),
            imageOf(moment, sector, () => chances.next().value),
          );
          const found = await recovered(past.isSealed, isKnown.next().value ? moment.acknowledged : 0);
          expect(found.sequence).toBeGreaterThanOrEqual(moment.acknowledged);
          expect(found.sequence).toBeLessThanOrEqual(moment.asked);
          expectCommits(found);
          if (!found.last) continue;
          cut += Number(found.last.torn > 0);
          // It goes on, and nothing of what was cut off comes back.
          const next = await continueJournal(optionsOf(past.isSealed), found.last);
          await next.append([changesOf(found.sequence + 1, 40), changesOf(found.sequence + 2, 40)], found.sequence + 1);
          await next.close();
          const again = await recovered(past.isSealed, found.sequence + 2);
          expect(again).toMatchObject({ sequence: found.sequence + 2, last: { torn: 0 } });
          expectCommits(again);
        }
      },
    );
    await fc.assert(property, { numRuns: 14 });
    expect(withRoom).toBeGreaterThan(3);
    expect(cut).toBeGreaterThan(3);
  },
);

/** Where each group begins, by what the journal says of itself. */
async function prepared(past: { groups: readonly Group[]; isSealed: boolean }) {
  const groups = past.groups.map((each) => ({ ...each, isRefused: false }));
  const { journal, commits } = await write({ ...past, groups });
  await journal.append([changesOf(commits + 1, 100)], commits + 1);
  const last = journal.size;
  const file = await readFile(path());
  await journal.close();
  return { file, end: last, commits: commits + 1, lastGroup: last - journal.group };
}

test('does not excuse what is changed, cut or emptied among what was acknowledged', { timeout: 60_000 }, async () => {
  const harm = fc.record({
    kind: fc.constantFrom('flip', 'cut', 'zeros', 'moved'),
    place: fc.double({ min: 0, max: 0.999, noNaN: true }),
    length: fc.integer({ min: 1, max: 5000 }),
  });
  const property = fc.asyncProperty(history, fc.array(harm, { maxLength: 12 }), async (past, harms) => {
    const { file, end, commits, lastGroup } = await prepared(past);
    const expectSound = async (bytes: Buffer, acknowledged: number): Promise<void> => {
      await writeFile(path(), bytes);
      const found = await recovered(past.isSealed, acknowledged);
      expect(found.sequence).toBe(commits);
      expectCommits(found);
    };
    await expectSound(file, commits);
    for (const { kind, place, length } of harms) {
      const at = headerLength + Math.floor(place * (end - headerLength));
      let harmed = Buffer.from(file);
      if (kind === 'flip') harmed[at]! ^= 1 << (length % 8);
      if (kind === 'zeros') harmed.fill(0, at, Math.min(at + length, end));
      if (kind === 'cut') harmed = harmed.subarray(0, at);
      if (kind === 'moved') harmed = Buffer.concat([harmed.subarray(0, at), Buffer.alloc(length), harmed.subarray(at)]);
      if (harmed.equals(file)) continue;
      await writeFile(path(), harmed);
      const isWhole = kind === 'moved' && at === end;
      if (!isWhole) await expect(recovered(past.isSealed, commits)).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
      // Where nothing tells how far the journal reached, what was written after it does.
      if (kind === 'flip' && at < lastGroup)
        await expect(recovered(past.isSealed, 0)).rejects.toMatchObject({ code: 'DATA_DAMAGED' });
      expect(await readFile(path())).toEqual(harmed);
      // Beyond its end there is only room, whatever that has.
      const beyond = Buffer.concat([file.subarray(0, end), randomBytes(length), Buffer.alloc(length)]);
      await expectSound(beyond, commits);
    }
  });
  await fc.assert(property, { numRuns: 15 });
});
