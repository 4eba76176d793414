/** The server beside the same server whose commits a database makes durable: SQLite in Node, and PostgreSQL where Debian has it. */
import { spawnSync } from 'node:child_process';
import { chown, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takerOf } from './bench.ts';
import type { Bench, Row } from './bench.ts';
import { bodies, measureIngest } from './ingest.ts';

/** Ingest on one connection, where nobody else comes to share a commit, and on many. */
const loads = { 'one connection': 1, '4 connections': 4, '32 connections': 32, '64 connections': 64 } as const;

export async function databaseRows({ run, fresh }: Bench): Promise<Row[]> {
  await using postgres = await startPostgres();
  const backends = {
    'node:sqlite': ['sqlite', fresh()],
    ...(postgres && { PostgreSQL: ['postgres', postgres.socket] }),
  };
  const rows: Row[] = [];
  for (const [against, args] of Object.entries(backends)) {
    await using own = await run('backed-server.ts', ['lowdb', fresh()]);
    await using other = await run('backed-server.ts', args);
    const takers = { own: await takerOf(own), other: await takerOf(other) };
    for (const [load, connections] of Object.entries(loads)) {
      const { own: value, other: base } = await measureIngest(bodies.new, takers, {
        rounds: 5,
        duration: 2,
        connections,
      });
      const rates = { value: value.rate, base: base.rate, unit: 'requests/s' } as const;
      rows.push({
        what: `ingest, new, ${load}`,
        against: `${against} behind the same routes`,
        ...rates,
        target: { atLeast: 1 },
      });
    }
  }
  return rows;
}

interface Postgres extends AsyncDisposable {
  /** The directory of its socket. */
  readonly socket: string;
}

/** Debian's newest, with a database of its own; `null` where there is none. It refuses to run as root. */
async function startPostgres(): Promise<Postgres | null> {
  const [version] = (await readdir('/usr/lib/postgresql').catch(() => [])).toSorted((a, b) => Number(b) - Number(a));
  if (version === undefined) return null;
  const directory = await mkdtemp(join(tmpdir(), 'laudio-pg-'));
  const ids = process.getuid?.() === 0 ? { uid: idOf('-u'), gid: idOf('-g') } : {};
  if (ids.uid !== undefined) await chown(directory, ids.uid, ids.gid);
  const data = join(directory, 'data');
  const call = (program: string, ...args: readonly string[]): void => {
    const path = join('/usr/lib/postgresql', version, 'bin', program);
    const { status, stderr } = spawnSync(path, args, { ...ids, cwd: directory, stdio: ['ignore', 'ignore', 'pipe'] });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${String(stderr)}`);
  };
  call('initdb', '-D', data, '-U', 'laudio', '-A', 'trust', '--no-locale', '-E', 'UTF8');
  call('pg_ctl', '-D', data, '-w', '-l', join(directory, 'log'), '-o', `-k ${directory} -c listen_addresses=`, 'start');
  return {
    socket: directory,
    async [Symbol.asyncDispose]() {
      call('pg_ctl', '-D', data, '-w', '-m', 'fast', 'stop');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

const idOf = (which: '-u' | '-g'): number =>
  Number(spawnSync('id', [which, 'postgres'], { encoding: 'utf8' }).stdout.trim());
