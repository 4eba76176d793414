/** How many items a second `laudio worklist replay` sends of a large file, against raw batches of the same items. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { maxBatchItems, worklists } from '../../src/contract/worklist.ts';
import { exam } from './ingest.ts';
import { takeTurns } from './rounds.ts';

export interface ReplayOptions {
  /** The built command line. */
  readonly entry: string;
  /** A running server without a quota, and a token for it. */
  readonly url: string;
  readonly token: string;
  readonly env: NodeJS.ProcessEnv;
  /** For the files. */
  readonly directory: string;
  readonly items: number;
  readonly rounds: number;
}

export interface ReplayResult {
  /** Items a second, medians. */
  readonly replay: number;
  readonly raw: number;
  /** Of the command line, bytes. */
  readonly peakRss: number;
}

/** Requests under way at once; as many as the replay has. */
const connections = 4;

/** Every turn sends items that the server has not seen. */
export async function measureReplay(options: ReplayOptions): Promise<ReplayResult> {
  const { items, rounds } = options;
  let turns = 0;
  let peakRss = 0;
  const fresh = (): string[] => {
    turns += 1;
    return Array.from({ length: items }, (_, at) => JSON.stringify(exam(`T${turns}-${at}`, at)));
  };
  const rates = await takeTurns(
    {
      raw: async () => items / (await sendRaw(options, fresh())),
      replay: async () => {
        const { seconds, rss } = await replay(options, fresh());
        peakRss = Math.max(peakRss, rss);
        return items / seconds;
      },
    },
    rounds,
  );
  return { ...rates, peakRss };
}

/** Seconds for batches that were written beforehand, by as little as can send them. */
async function sendRaw({ url, token }: ReplayOptions, lines: readonly string[]): Promise<number> {
  const bodies = Array.from({ length: Math.ceil(lines.length / maxBatchItems) }, (_, at) =>
    Buffer.from(`[${lines.slice(at * maxBatchItems, (at + 1) * maxBatchItems).join(',')}]`),
  );
  const { method, path } = worklists.endpoints.ingest;
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  const waiting = bodies.values();
  const started = performance.now();
  const lane = async (): Promise<void> => {
    for (const body of waiting) {
      const answer = await fetch(new URL(path, url), { method, headers, body });
      if (!answer.ok) throw new Error(`a raw batch was answered with ${answer.status}`);
      await answer.arrayBuffer();
    }
  };
  await Promise.all(Array.from({ length: connections }, lane));
  return (performance.now() - started) / 1000;
}

/** Tells on stderr, at the end, how much memory there was at most, in KiB. */
const tellsPeak = `data:text/javascript,process.on('exit',()=>process.stderr.write('peak '+process.resourceUsage().maxRSS))`;

async function replay(
  { entry, url, token, env, directory }: ReplayOptions,
  lines: readonly string[],
): Promise<{ seconds: number; rss: number }> {
  const file = join(directory, 'replay.ndjson');
  await writeFile(file, `${lines.join('\n')}\n`);
  const started = performance.now();
  const child = spawn(process.execPath, ['--import', tellsPeak, entry, 'worklist', 'replay', file], {
    env: { ...env, LAUDIO_TOKEN: token, LAUDIO_SERVER: url },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const [said, [code]] = await Promise.all([text(child.stderr), once(child, 'exit') as Promise<[number | null]>]);
  const seconds = (performance.now() - started) / 1000;
  if (code !== 0) throw new Error(`the replay ended with ${code}: ${said}`);
  return { seconds, rss: Number(/peak (\d+)/.exec(said)?.[1]) * 1024 };
}
