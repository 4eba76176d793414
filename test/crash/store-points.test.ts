/** The store robbed of its power, killed, or told by the disk that it failed, at each system call that it makes. */
import { createHash } from 'node:crypto';
import { cp, mkdir, mkdtemp, readFile, readdir, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { explored, sampled } from '../support/explored.ts';
import { createDisk, fates } from './lost-power.ts';
import type { Disk } from './lost-power.ts';
import { withStore } from './open-store.ts';
import { audit, commit } from './store-ledger.ts';
import { runWriter } from './store-process.ts';
import type { Orders } from './store-writer.ts';
import { readCalls, straceEnvironment, straceInject, straceTo } from './system-calls.ts';
import type { SystemCall } from './system-calls.ts';

/** One writer, so that what is acknowledged can be told from what is under way; a snapshot every few commits. */
const work = { writers: 1, journalLimit: 12_000 };
/** What is there already, so that a start has something to read. */
const former = { ...work, name: 'former', commits: 3 };
const traced = { ...work, name: 'traced', commits: 16 };

let parent: string;
let calls: readonly SystemCall[];
/** Where they were made. */
let place: string;
let number = 0;

/** A directory as it was before the calls were made. */
async function fresh(): Promise<string> {
  const directory = join(parent, String(++number));
  await cp(join(parent, 'start'), directory, { recursive: true });
  return directory;
}

async function contentsOf(directory: string): Promise<Disk> {
  const names = await readdir(directory);
  return new Map(await Promise.all(names.map(async (name) => [name, await readFile(join(directory, name))] as const)));
}

/** Opens what is in the directory, whose history has to be whole, and to go on from there. */
async function recovered(directory: string): Promise<Awaited<ReturnType<typeof audit>>> {
  const found = await withStore({ directory }, async (store) => {
    const present = await audit(store, work.writers);
    await commit(store, 0, 'afterwards');
    return present;
  });
  const { length } = await withStore({ directory }, (store) => audit(store, work.writers));
  expect(length, 'after one more commit and one more start').toBe(found.length + 1);
  return found;
}

async function traceCalls(): Promise<void> {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'laudio-test-')));
  expect(await runWriter({ ...former, directory: join(parent, 'start') })).toMatchObject({ code: 0, stderr: '' });
  // Its last commit is then taken for one that a process was killed in.
  await rm(join(parent, 'start', 'acknowledged'));
  const log = join(parent, 'calls');
  place = await fresh();
  const run = await runWriter({ ...traced, directory: place }, { before: straceTo(log), env: straceEnvironment });
  expect(run).toMatchObject({ code: 0, stderr: '', refused: [] });
  calls = await readCalls(log);
  const snapshots = calls.filter(
    ({ name, strings }) => name.startsWith('rename') && strings[1]?.includes('/snapshot-'),
  );
  expect(snapshots.length).toBeGreaterThanOrEqual(2);
}

/** What a disk holds after a call whose like has not been seen, and how much of it has to be found. */
interface Left {
  readonly disk: Disk;
  readonly least: number;
  readonly where: string;
  readonly kind: string;
}

/** All that the power's failure may leave by that fate, by what tells them apart. */
function leftBy(fate: keyof typeof fates, present: Disk): Map<string, Left> {
  const acknowledged = calls.filter(({ strings: [said] }) => said?.toString().startsWith('kept'));
  expect(acknowledged).toHaveLength(traced.commits);
  const found = calls.find(({ strings: [said] }) => said?.toString().startsWith('found'))!;
  const journal = [...present.keys()]
    .filter((name) => name.startsWith('journal-'))
    .toSorted()
    .at(-1)!;
  const disk = createDisk(place, present, { name: journal, bytes: 10 });
  const states = new Map<string, Left>();
  for (const [index, call] of calls.entries()) {
    if (!disk.follow(call)) continue;
    // What it found it has shown, so that is as good as acknowledged.
    const shown = former.commits - Number(found.begun > index + 1);
    const least = shown + acknowledged.filter(({ begun }) => begun <= index + 1).length;
    const left = disk.after(fate);
    const state = hashOf(left, least);
    if (states.has(state)) continue;
    const file = basename(pathOf(call));
    states.set(state, { disk: left, least, where: `after call ${index}, ${call.name} of ${file}`, kind: kindOf(call) });
  }
  expect(states.size).toBeGreaterThan(traced.commits);
  return states;
}

/** By their fate. The gate takes those after the first and the last call of each kind. */
async function chooseLeft(): Promise<ReadonlyMap<string, readonly Left[]>> {
  const present = await contentsOf(join(parent, 'start'));
  const known = new Set<string>();
  const byFate = new Map<string, readonly Left[]>();
  for (const fate of Object.keys(fates) as (keyof typeof fates)[]) {
    const all = [...leftBy(fate, present)];
    const kinds = Map.groupBy(all, ([, { kind }]) => kind);
    const ends = new Set([...kinds.values()].flatMap((alike) => [alike[0]!, alike.at(-1)!]));
    // Where everything was synced, one fate is as the other.
    const chosen = (explored.isOn ? all : [...ends]).filter(([state]) => !known.has(state));
    for (const [state] of chosen) known.add(state);
    byFate.set(
      fate,
      chosen.map(([, left]) => left),
    );
  }
  return byFate;
}

function describePowerFailure(): void {
  let byFate: ReadonlyMap<string, readonly Left[]>;
  beforeAll(async () => {
    byFate = await chooseLeft();
  });
  test.each(Object.keys(fates))('and what was not synced %s', async (fate) => {
    const all = byFate.get(fate)!;
    expect(all.length).toBeGreaterThan(0);
    for (const { disk, least, where } of all) {
      const directory = await written(disk);
      const { length } = await recovered(directory).catch((cause: unknown) => {
        throw new Error(`not to be opened ${where}`, { cause });
      });
      await rm(directory, { recursive: true });
      expect(length, `acknowledged and lost ${where}`).toBeGreaterThanOrEqual(least);
      expect(length, `never asked for ${where}`).toBeLessThanOrEqual(least + 1);
    }
  });
}

async function written(disk: Disk): Promise<string> {
  const directory = join(parent, String(++number));
  await mkdir(directory);
  // A lock does not outlive the power.
  const files = [...disk].filter(([name]) => !/^\.?lock/.test(name));
  await Promise.all(files.map(([name, content]) => writeFile(join(directory, name), content)));
  return directory;
}

function hashOf(disk: Disk, least: number): string {
  const hash = createHash('sha256').update(`${least}`);
  for (const [name, content] of disk) hash.update(`${name}\n${content.length}\n`).update(content);
  return hash.digest('hex');
}

const pathOf = ({ fd, strings: [first] }: SystemCall): string => fd ?? first?.toString() ?? '';

/** The calls of those names that are made on the directory or its files. */
const callsOf = (...names: readonly string[]): readonly SystemCall[] =>
  calls.filter((call) => {
    const path = pathOf(call);
    return names.includes(call.name) && call.result >= 0 && (path === place || dirname(path) === place);
  });

/** The call's name and what its file is for. */
const kindOf = (call: SystemCall): string =>
  `${call.name} ${basename(pathOf(call))
    .replace(/\.[\da-f]+\.tmp$/, '.tmp')
    .replace(/-[\da-f]+/, '')}`;

/** The gate takes the one in the middle of each kind. */
const chosenOf = (points: readonly SystemCall[]): readonly SystemCall[] =>
  explored.isOn
    ? points
    : [...Map.groupBy(points, kindOf).values()].map((alike) => alike[Math.floor(alike.length / 2)]!);

/** Lets two run at a time. */
async function eachOf<T>(all: readonly T[], work: (one: T) => Promise<void>): Promise<void> {
  const left = all[Symbol.iterator]();
  const worker = async (): Promise<void> => {
    for (const one of left) await work(one);
  };
  await Promise.all([worker(), worker()]);
}

function describeKills(): void {
  test.each([
    ['write', 'pwrite64'],
    ['fsync', 'fdatasync'],
    ['rename', 'renameat', 'link', 'linkat', 'unlink', 'unlinkat', 'ftruncate'],
  ])('%s, %s …', { timeout: 240_000 }, async (...names) => {
    const points = callsOf(...names);
    expect(points.length).toBeGreaterThan(5);
    let killed = 0;
    await eachOf(chosenOf(points), async ({ name, turn }) => {
      const directory = await fresh();
      const run = await runWriter(
        { ...traced, directory },
        { before: straceInject(`${directory}.calls`, name, `signal=SIGKILL:when=${turn}`), env: straceEnvironment },
      );
      const where = `at ${name} ${turn}`;
      // One more or less of those calls, and the last is not reached.
      if (run.signal === null) expect(run, where).toMatchObject({ code: 0, stderr: '' });
      else killed++;
      const { length, kept } = await recovered(directory);
      const least = former.commits + run.kept.size;
      expect(length, `acknowledged and lost ${where}`).toBeGreaterThanOrEqual(least);
      expect(length, `never asked for ${where}`).toBeLessThanOrEqual(least + 1);
      for (const [commit, attempt] of run.kept) expect(kept.get(commit), where).toBe(attempt);
    });
    expect(killed).toBeGreaterThan(2);
  });
}

/** How long the disk fails, and what the process does then. */
const troubles = {
  'once: it goes on': { when: '', orders: { patience: 20 } },
  'for good: nothing is taken any more': { when: '+', orders: {} },
  'and the process is killed when it has said so': { when: '', orders: { diesRefused: true } },
} satisfies Record<string, { when: string; orders: Partial<Orders> }>;

function describeErrors(): void {
  const errors = [
    ['pwrite64', 'ENOSPC'],
    ['pwrite64', 'EROFS'],
    ['fdatasync', 'EIO'],
    ['fsync', 'EIO'],
    ['rename', 'EIO'],
    ['unlink', 'EIO'],
  ] as const;
  const cases = errors.flatMap(([call, error]) =>
    (Object.keys(troubles) as (keyof typeof troubles)[])
      // A disk that may only be read stays so; in all else it is as one that is full.
      .filter((trouble) => explored.isOn || error !== 'EROFS' || troubles[trouble].when === '+')
      .map((trouble) => [call, error, trouble] as const),
  );
  test.each(cases)('%s: %s, %s', { timeout: 240_000 }, async (call, error, trouble) => {
    const { when, orders } = troubles[trouble];
    const points = callsOf(call);
    // What fails while it starts ends it, for however long it fails.
    const tried = 'patience' in orders ? chosenOf(points) : sampled(points, 2).slice(explored.isOn ? 0 : -1);
    await eachOf(tried, async ({ name, turn }) => {
      const directory = await fresh();
      const run = await runWriter(
        { ...traced, ...orders, directory },
        {
          before: straceInject(`${directory}.calls`, name, `error=${error}:when=${turn}${when}`),
          env: straceEnvironment,
        },
      );
      const where = `${name} ${turn}: ${error}`;
      // It may also be told so while it starts, and then it says that, and has taken nothing.
      const began = run.lines.some((line) => line.startsWith('found'));
      if (!began) expect(run, where).toMatchObject({ code: 1, stderr: expect.stringContaining('AppError') });
      else if ('patience' in orders) expect(run, where).toMatchObject({ code: 0, stderr: '' });
      const { length, kept } = await recovered(directory);
      expect(length, `${where}: exactly what was acknowledged`).toBe(former.commits + run.kept.size);
      for (const [commit, attempt] of run.kept) expect(kept.get(commit), where).toBe(attempt);
    });
  });
}

if (process.platform === 'linux') {
  beforeAll(traceCalls);

  test('leaves to threads whatever may wait for the disk, however long that hangs', () => {
    const main = calls.find(({ strings: [said] }) => said?.toString().startsWith('kept'))!.tid;
    const waiting = calls.filter(({ name, fd }) => /write|sync|truncate/.test(name) && fd?.startsWith(place));
    expect(new Set(waiting.map(({ fd }) => basename(fd!).split('-')[0]))).toContain('journal');
    expect(waiting.filter(({ tid }) => tid === main).map(({ name, fd }) => `${name} ${basename(fd!)}`)).toEqual([]);
  });

  afterAll(() => rm(parent, { recursive: true }));
  describe('the power fails after any system call', describePowerFailure);
  describe('the process is killed at a system call:', describeKills);
  describe('the disk fails at a system call:', describeErrors);
} else {
  const reason = 'The store is NOT tested at each system call on this machine: that takes strace, hence Linux.';
  process.stderr.write(`\n${'!'.repeat(reason.length)}\n${reason}\n${'!'.repeat(reason.length)}\n\n`);
  test('the store at each system call: NOT TESTED', (context) => context.skip(reason));
}
