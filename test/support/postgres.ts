/** A PostgreSQL of its own: Debian's newest, or that of the path, in a directory that goes with it. It ends with this process, however that ends. */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, readdirSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { isProgram } from './is-program.ts';

export interface Postgres extends AsyncDisposable {
  /** The directory of its socket, where everybody of this computer is believed. */
  readonly socket: string;
  /** Of its socket, and on loopback, where a password is asked for. */
  readonly port: number;
  /** Ends it: fast, or at once as a crash does. */
  stop(mode: 'fast' | 'immediate'): Promise<void>;
  /** Begins it again. Resolves once it answers. */
  start(): Promise<void>;
}

/** The user of all clusters, and the name of the database. */
export const databaseName = 'laudio';

/** The folder of its programs; empty: that of the path. `undefined`: there is none. */
export function findPrograms(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).toSorted((a, b) => Number(b) - Number(a)) : [];
  const newest = versions.map((version) => join(debian, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
  return newest ?? (isProgram('initdb') && isProgram('postgres') ? '' : undefined);
}

export const hasPostgres = (): boolean => findPrograms() !== undefined;

/** Who runs it, since it refuses to run as root. */
export const findOwner = (): { uid?: number; gid?: number } =>
  process.getuid?.() === 0 ? { uid: readId('-u'), gid: readId('-g') } : {};

const readId = (which: '-u' | '-g'): number =>
  Number(spawnSync('id', [which, 'postgres'], { encoding: 'utf8' }).stdout.trim());

/** Ends a server when its standard input ends, which is when whoever started it has ended. */
export const guarded = '"$0" "$@" </dev/null & server=$!; read line; kill -${line:-QUIT} $server; wait $server';

/** `settings` are those of postgresql.conf. */
export async function startPostgres(settings: Readonly<Record<string, string>> = {}): Promise<Postgres> {
  const bin = findPrograms();
  if (bin === undefined) throw new Error('There is no PostgreSQL (Debian, Ubuntu: apt-get install postgresql).');
  const directory = await mkdtemp(join(tmpdir(), 'laudio-pg-'));
  await chmod(directory, 0o755);
  const ids = findOwner();
  if (ids.uid !== undefined && ids.gid !== undefined) chownSync(directory, ids.uid, ids.gid);
  const data = join(directory, 'data');
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', databaseName, '-A', 'trust', '--no-locale', '-E', 'UTF8', '--no-sync'],
    { ...ids, cwd: directory, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(`initdb ended with ${made.status}: ${made.stderr}`);
  const hosts = 'local all,replication all trust\nhost all all 127.0.0.1/32 scram-sha-256\n';
  await writeFile(join(data, 'pg_hba.conf'), hosts);
  const port = await freePort();
  const set = { listen_addresses: '127.0.0.1', port: String(port), unix_socket_directories: directory, ...settings };
  const args = Object.entries(set).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | undefined;

  async function stop(mode: 'fast' | 'immediate'): Promise<void> {
    const present = server;
    if (!present) return;
    server = undefined;
    const ended = once(present, 'close');
    present.stdin?.end(mode === 'fast' ? 'INT\n' : 'QUIT\n');
    await ended;
  }
  async function start(): Promise<void> {
    const program = ['-c', guarded, join(bin ?? '', 'postgres'), '-D', data, ...args];
    server = spawn('/bin/sh', program, { ...ids, cwd: directory, stdio: ['pipe', 'ignore', 'pipe'] });
    let said = '';
    server.stderr?.on('data', (part: Buffer) => (said += part.toString()));
    const ready = join(bin ?? '', 'pg_isready');
    for (let tries = 0; tries < 600; tries++) {
      if (spawnSync(ready, ['-q', '-h', directory, '-p', String(port)]).status === 0) return;
      if (server.exitCode !== null) break;
      await wait(50);
    }
    throw new Error(`PostgreSQL does not start: ${said}`);
  }
  await start();
  const create = ['-h', directory, '-p', String(port), '-U', databaseName, databaseName];
  const created = spawnSync(join(bin, 'createdb'), create, { encoding: 'utf8' });
  if (created.status !== 0) throw new Error(`createdb ended with ${created.status}: ${created.stderr}`);
  return {
    socket: directory,
    port,
    stop,
    start,
    async [Symbol.asyncDispose]() {
      await stop('immediate');
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** For tests, which lose nothing with the power. */
export const quick = { fsync: 'off', full_page_writes: 'off', max_connections: '300', max_wal_size: '1GB' };
