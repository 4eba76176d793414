/**
 * `npm run test:mutants -- [--seed N] [--most N] [--gate COMMIT] [--only ID]… [--json FILE]`: plants faults in copies of the sources,
 * one at a time, and says which of them the tests find. Faults that do not compile are not counted. Each runs the tests that it
 * reaches, the nearest first, up to the first failure, for at most two minutes. `--gate` asks the tests of another commit.
 */
import { execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesBelow, root } from '../support/modules.ts';
import { seeded } from '../support/noise.ts';
import { readOptions, refuseOptions } from '../support/program-options.ts';
import { faultKinds, faultsIn, planted } from './faults.ts';
import type { Fault } from './faults.ts';
import { nearestFirst, readGraph } from './reach.ts';
import { readTimes } from './times.ts';

const { values } = readOptions(import.meta.filename, {
  options: {
    seed: { type: 'string', default: '1' },
    most: { type: 'string', default: '100' },
    gate: { type: 'string' },
    only: { type: 'string', multiple: true },
    json: { type: 'string' },
  },
});

/** For one fault, in ms. */
const limit = 120_000;
/** Seconds of tests that run together before the next ones: the first failure ends a batch, not a file in it. */
const batches = [8, 30, 200] as const;

/** `missed`: all tests that it reaches passed. `cut`: the time was over before. */
type Verdict = 'found' | 'missed' | 'cut';
interface Result {
  readonly id: string;
  readonly fault: Fault;
  readonly verdict: Verdict;
  readonly seconds: number;
  readonly by?: string;
}

const idOf = ({ kind, path, line, from }: Fault): string => `${kind} ${path}:${line}:${from}`;
const git = (words: readonly string[]): Buffer => execFileSync('git', words, { cwd: root, maxBuffer: 2 ** 30 });

/** The sources and tests of the gate that is asked: of a commit, or as they are. */
async function copyGate(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'laudio-mutants-'));
  if (values.gate === undefined) {
    const files = git(['ls-files', '--cached', '--others', '--exclude-standard', '-z'])
      .toString()
      .split('\0')
      .filter(Boolean);
    // git still names what was removed since the last commit.
    for (const file of files) if (existsSync(join(root, file))) await cp(join(root, file), join(directory, file));
  } else {
    execFileSync('tar', ['-x', '-C', directory], { input: git(['archive', values.gate]) });
  }
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'), 'junction');
  return directory;
}

/** Each kind in its turn, at places drawn. */
function* draw(all: readonly Fault[], random: () => number): Generator<Fault> {
  const left = faultKinds.map((kind) => all.filter((fault) => fault.kind === kind));
  while (left.some(({ length }) => length > 0)) {
    for (const faults of left) {
      const [fault] = faults.splice(Math.floor(random() * faults.length), 1);
      if (fault !== undefined) yield fault;
    }
  }
}

/** Ends with its exit code and what it printed; -1 where the time was over. */
async function run(directory: string, words: readonly string[], ms: number): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, words, {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, NODE_COMPILE_CACHE: undefined },
    detached: process.platform !== 'win32',
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (output += text));
  let isOver = false;
  // With the processes that it started: a fault may make them run for ever.
  const end = () => {
    isOver = true;
    if (child.pid !== undefined && process.platform !== 'win32') process.kill(-child.pid, 'SIGKILL');
    else child.kill('SIGKILL');
  };
  const timer = setTimeout(end, ms);
  const code = await new Promise<number>((resolve) => void child.once('close', (one) => resolve(one ?? 1)));
  clearTimeout(timer);
  return { code: isOver ? -1 : code, output };
}

const isCompiled = async (directory: string, path: string): Promise<boolean> => {
  const project = path.startsWith('desktop/renderer/') ? 'desktop/renderer' : '.';
  const { code } = await run(directory, ['node_modules/typescript/bin/tsc', '--noEmit', '-p', project], limit);
  return code === 0;
};

/** The tests that a fault reaches, the nearest first, in batches. */
function batchesFor(path: string, graph: ReturnType<typeof readGraph>): string[][] {
  const times = readTimes();
  const secondsOf = (test: string): number => times[test]?.wall ?? 3;
  const order = nearestFirst([path], graph.reachOf([path]), secondsOf);
  const parts: string[][] = batches.map(() => []);
  let part = 0;
  let seconds = 0;
  for (const test of order) {
    while (part < batches.length - 1 && seconds > batches[part]!) part += 1;
    seconds += secondsOf(test);
    parts[part]!.push(test);
  }
  return parts.filter(({ length }) => length > 0);
}

async function tryFault(
  directory: string,
  fault: Fault,
  graph: ReturnType<typeof readGraph>,
): Promise<Omit<Result, 'id' | 'fault'>> {
  const started = performance.now();
  const passed = () => performance.now() - started;
  const result = (verdict: Verdict, by?: string) => ({
    verdict,
    seconds: Math.round(passed() / 1000),
    ...(by && { by }),
  });
  for (const tests of batchesFor(fault.path, graph)) {
    const words = [
      'node_modules/vitest/vitest.mjs',
      'run',
      '--config',
      'test/vitest.config.ts',
      '--bail',
      '1',
      '--maxWorkers',
      '1',
    ];
    const { code, output } = await run(directory, [...words, ...tests], limit - passed());
    if (code === -1) return result('cut');
    // oxlint-disable-next-line no-control-regex -- The colours of a terminal.
    const plain = output.replaceAll(/\u001B\[[\d;]*m/g, '');
    if (code !== 0)
      return result('found', /FAIL\s+(?:\w+ )?\s*(test\/.*)/.exec(plain)?.[1] ?? plain.trim().split('\n').at(-1));
  }
  return result('missed');
}

const sources = filesBelow(root, ['src', 'server', 'cli', 'desktop'], /\.[cm]?tsx?$/);
const all = (
  await Promise.all(sources.map(async (path) => faultsIn(path, await readFile(join(root, path), 'utf8'))))
).flat();
const [seed, most] = [Number(values.seed), Number(values.most)];
if (![seed, most].every(Number.isSafeInteger))
  refuseOptions(import.meta.filename, '--seed and --most take whole numbers.');
const only = values.only && new Set(values.only);
const drawn = draw(all, seeded(seed));
process.stdout.write(
  `${all.length} faults could be planted in ${sources.length} files; ${most} are drawn by seed ${seed}.\n`,
);

const graph = readGraph();
const results: Result[] = [];
let taken = 0;
let notCompiled = 0;
async function work(): Promise<void> {
  const directory = await copyGate();
  try {
    while (taken < most) {
      const { value: fault, done } = drawn.next();
      if (done === true) return;
      const file = join(directory, fault.path);
      const source = await readFile(join(root, fault.path), 'utf8');
      // Another gate may have other sources.
      if ((await readFile(file, 'utf8').catch(() => '')) !== source) continue;
      await writeFile(file, planted(source, fault));
      const id = idOf(fault);
      try {
        if (!(await isCompiled(directory, fault.path))) {
          notCompiled += 1;
          continue;
        }
        if (taken >= most) return;
        taken += 1;
        if (only && !only.has(id)) continue;
        const result = { id, fault, ...(await tryFault(directory, fault, graph)) };
        results.push(result);
        process.stdout.write(
          `${result.verdict.padEnd(7)}${String(result.seconds).padStart(4)} s  ${id}${result.by ? `  by ${result.by}` : ''}\n`,
        );
      } finally {
        await writeFile(file, source);
      }
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}
await Promise.all(Array.from({ length: availableParallelism() }, work));

const counted = (verdict: Verdict, of: readonly Result[] = results) =>
  of.filter((one) => one.verdict === verdict).length;
process.stdout.write(
  `\nOf ${results.length} faults ${counted('found')} were found, ${counted('missed')} missed, ${counted('cut')} cut after two minutes; ${notCompiled} more did not compile.\n`,
);
const byKind = Map.groupBy(results, ({ fault }) => fault.kind);
for (const [kind, of] of byKind) process.stdout.write(`  ${kind}: ${counted('found', of)} of ${of.length}\n`);
const byRoom = Map.groupBy(
  results.filter(({ verdict }) => verdict !== 'found'),
  ({ fault }) => fault.path.split('/').slice(0, 2).join('/'),
);
process.stdout.write('Not found, by room:\n');
for (const [room, of] of [...byRoom].toSorted())
  process.stdout.write(`  ${room}: ${of.map(({ id }) => id).join('; ')}\n`);
if (values.json !== undefined) await writeFile(values.json, JSON.stringify(results, null, 1));
