/** How long a command takes from its start to its end, and a server to its ready line, against a Node that does nothing. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { oauth } from '../../src/contract/oauth.ts';
import type { Serving } from '../support/process.ts';
import type { Bench, Row } from './bench.ts';
import type { Measure } from './rounds.ts';
import { median, takeTurns } from './rounds.ts';

export interface StartUpOptions {
  /** The program that is started, and its first arguments. */
  readonly program: readonly [string, ...string[]];
  /** A running server and a token for it. */
  readonly url: string;
  readonly token: string;
  readonly env: NodeJS.ProcessEnv;
  readonly rounds: number;
}

export interface Spent {
  /** Milliseconds until its end, median. */
  readonly elapsed: number;
  /** Milliseconds of the processor, mean: less is said by what else the machine does. NaN where the system does not tell. */
  readonly cpu: number;
}

export const idle = 'node -e 0';

/** Commands as a person types them. */
export const started = {
  version: '--version',
  help: '--help',
  anyCall: `api GET ${oauth.endpoints.validate.path}`,
  call: 'worklist list --json',
} as const;

/**
 * The same call where nothing of the program was compiled before, as after an update, and as without a directory that this user alone
 * can write: compiling takes about as long as a Node that does nothing. That is why one call was seen at 3 and at over 5 times its time.
 */
export const firstCall = `${started.call}, the first`;

export async function measureStartUp({
  program,
  url,
  token,
  env,
  rounds,
}: StartUpOptions): Promise<Record<string, Spent>> {
  const cpu = new Map<string, number>();
  const counted = (name: string, measure: Measure) => async (): Promise<number> => {
    const before = cpuOfChildren();
    const elapsed = await measure();
    cpu.set(name, (cpu.get(name) ?? 0) + cpuOfChildren() - before);
    return elapsed;
  };
  const withToken = { ...env, LAUDIO_TOKEN: token, LAUDIO_SERVER: url };
  const contenders: Record<string, Measure> = { [idle]: nothing(env) };
  for (const line of Object.values(started)) contenders[line] = timed([...program, ...line.split(' ')], withToken);
  contenders[firstCall] = async () => {
    const cache = mkdtempSync(join(tmpdir(), 'laudio-cache-'));
    const fresh = { ...withToken, XDG_CACHE_HOME: cache, HOME: cache, LOCALAPPDATA: cache };
    const elapsed = await timed([...program, ...started.call.split(' ')], fresh)();
    await rm(cache, { recursive: true });
    return elapsed;
  };
  const elapsed = await takeTurns(
    Object.fromEntries(Object.entries(contenders).map(([name, measure]) => [name, counted(name, measure)])),
    rounds,
  );
  // The turn that warms up is in the sum as well.
  return Object.fromEntries(
    Object.entries(elapsed).map(([name, each]) => [name, { elapsed: each, cpu: cpu.get(name)! / (rounds + 1) }]),
  );
}

/** Milliseconds of the processor that ended children of this process took, in steps of ten; NaN but on Linux. */
function cpuOfChildren(): number {
  if (process.platform !== 'linux') return Number.NaN;
  // proc(5): behind the name, which may hold spaces, cutime and cstime are the 14th and 15th.
  const fields = readFileSync('/proc/self/stat', 'utf8').split(') ').at(-1)!.split(' ');
  return (Number(fields[13]) + Number(fields[14])) * 10;
}

/** Milliseconds to the ready line of a server with nothing in its data directory, medians. */
const measureReady = (serve: () => Promise<Serving>, env: NodeJS.ProcessEnv, rounds: number) =>
  takeTurns({ base: nothing(env), value: async () => (await readied(serve)).elapsed }, rounds);

/** A file of tests that does nothing but start and end a server of its own, by the built package. */
const testFile = `
  const { startServer } = await import(${JSON.stringify(new URL('../../dist/server/testing/index.js', import.meta.url).href)});
  await (await startServer()).close();
`;

/** Milliseconds of a process that imports laudio/testing, starts a server and ends it, medians. */
const measureTestServer = (env: NodeJS.ProcessEnv, rounds: number) =>
  takeTurns(
    { base: nothing(env), value: timed([process.execPath, '--input-type=module', '-e', testFile], env) },
    rounds,
  );

/** Milliseconds to the ready line, and the bytes of memory that the server has then: medians, after a turn that warms up. */
export async function measureLoaded(serve: () => Promise<Serving>, rounds: number) {
  const turns: { readonly elapsed: number; readonly rss: number }[] = [];
  for (let round = 0; round <= rounds; round++) turns.push(await readied(serve));
  const counted = turns.slice(1);
  return { elapsed: median(counted.map(({ elapsed }) => elapsed)), rss: median(counted.map(({ rss }) => rss)) };
}

async function readied(serve: () => Promise<Serving>): Promise<{ elapsed: number; rss: number }> {
  const started = performance.now();
  await using serving = await serve();
  const elapsed = performance.now() - started;
  return { elapsed, rss: memoryOf(serving.ready.pid) };
}

/** Resident memory in bytes, as the system tells it. */
export function memoryOf(pid: number): number {
  const { stdout } = spawnSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' });
  return Number(stdout) * 1024;
}

const nothing = (env: NodeJS.ProcessEnv): Measure => timed([process.execPath, '-e', '0'], env);

const timed =
  ([program = '', ...args]: readonly string[], env: NodeJS.ProcessEnv): Measure =>
  async () => {
    const started = performance.now();
    const child = spawn(program, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}`);
    return performance.now() - started;
  };

export async function readyRows({ serve, env }: Bench): Promise<Row[]> {
  const times = await measureReady(() => serve(), env, 8);
  const tests = await measureTestServer(env, 8);
  return [
    { what: 'laudio serve, ready', against: idle, ...times, unit: 'ms', target: { atMost: 10 } },
    // 100 ms beside the 18 of Node itself, on a quiet machine.
    { what: 'laudio/testing, imported, started, ended', against: idle, ...tests, unit: 'ms', target: { atMost: 6.6 } },
  ];
}
