/** How long a command takes from its start to its end, against a Node that does nothing. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { oauth } from '../../src/contract/oauth.ts';
import type { Measure } from './rounds.ts';
import { takeTurns } from './rounds.ts';

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
      'node -e 0': timed(['-e', '0'], env),
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

const timed =
  (args: readonly string[], env: NodeJS.ProcessEnv): Measure =>
  async () => {
    const started = process.hrtime.bigint();
    const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`node ${args.join(' ')} ended with ${code}`);
    return Number(process.hrtime.bigint() - started) / 1e6;
  };
