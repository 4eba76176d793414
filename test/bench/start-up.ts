/** How long a command takes from its start to its end, and a server to its ready line, against a Node that does nothing. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { oauth } from '../../src/contract/oauth.ts';
import type { Serving } from '../support/process.ts';
import type { Measure } from './rounds.ts';
import { median, takeTurns } from './rounds.ts';

export interface StartUpOptions {
  /** The built command line. */
  readonly entry: string;
  /** A running server and a token for it. */
  readonly url: string;
  readonly token: string;
  readonly env: NodeJS.ProcessEnv;
  readonly rounds: number;
}

/** Milliseconds, medians. */
export function measureStartUp({ entry, url, token, env, rounds }: StartUpOptions) {
  const withToken = { ...env, LAUDIO_TOKEN: token, LAUDIO_SERVER: url };
  return takeTurns(
    {
      'node -e 0': nothing(env),
      'laudio --version': timed([entry, '--version'], env),
      'laudio --help': timed([entry, '--help'], env),
      [`laudio api GET ${oauth.endpoints.validate.path}`]: timed(
        [entry, 'api', 'GET', oauth.endpoints.validate.path],
        withToken,
      ),
    },
    rounds,
  );
}

/** Milliseconds to the ready line of a server with nothing in its data directory, medians. */
export const measureReady = (serve: () => Promise<Serving>, env: NodeJS.ProcessEnv, rounds: number) =>
  takeTurns({ base: nothing(env), value: async () => (await readied(serve)).elapsed }, rounds);

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

const nothing = (env: NodeJS.ProcessEnv): Measure => timed(['-e', '0'], env);

const timed =
  (args: readonly string[], env: NodeJS.ProcessEnv): Measure =>
  async () => {
    const started = performance.now();
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
    return performance.now() - started;
  };
