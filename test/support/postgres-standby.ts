/** A synchronous replica of a PostgreSQL, which can take its place. It ends with this process, however that ends. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chownSync } from 'node:fs';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { databaseName, findOwner, findPrograms, guarded } from './postgres.ts';
import type { Postgres } from './postgres.ts';

export interface Standby {
  /** Becomes the primary server, at the socket of the one that has ended. */
  takeOver(): Promise<void>;
  close(): Promise<void>;
}

/** Resolves once commits wait for the replica. */
export async function startStandby({ socket, port }: Pick<Postgres, 'socket' | 'port'>): Promise<Standby> {
  const bin = findPrograms() ?? '';
  const directory = await mkdtemp(join(tmpdir(), 'laudio-pg-'));
  const ids = findOwner();
  if (ids.uid !== undefined && ids.gid !== undefined) chownSync(directory, ids.uid, ids.gid);
  const call = (program: string, ...args: readonly string[]): string => {
    const { status, stdout, stderr } = spawnSync(join(bin, program), args, {
      ...ids,
      cwd: directory,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${program} ended with ${status}: ${stderr}`);
    return stdout.trim();
  };
  const place = ['-h', socket, '-p', String(port), '-U', databaseName];
  const ask = (text: string): string => call('psql', ...place, '-d', databaseName, '-Atqc', text);
  const data = join(directory, 'data');
  call('pg_basebackup', ...place, '-D', data, '-R', '-X', 'stream', '-c', 'fast', '--no-sync');
  const ownPort = await freePort();
  const set = {
    listen_addresses: '',
    port: String(ownPort),
    unix_socket_directories: directory,
    fsync: 'off',
    max_connections: '300',
  };
  const args = Object.entries(set).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const program = ['-c', guarded, join(bin, 'postgres'), '-D', data, ...args];
  const server = spawn('/bin/sh', program, { ...ids, cwd: directory, stdio: ['pipe', 'ignore', 'ignore'] });
  const until = async (isSo: () => boolean): Promise<void> => {
    for (let tries = 0; !isSo(); tries++) {
      if (tries === 600) throw new Error('The replica does not follow.');
      await wait(50);
    }
  };
  await until(() => ask('SELECT count(*) FROM pg_stat_replication') === '1');
  ask("ALTER SYSTEM SET synchronous_standby_names = '*'");
  ask('SELECT pg_reload_conf()');
  await until(() => ask('SELECT sync_state FROM pg_stat_replication') === 'sync');
  return {
    async takeOver() {
      const own = ['-h', directory, '-p', String(ownPort), '-U', databaseName, '-d', databaseName];
      call('psql', ...own, '-Atqc', 'SELECT pg_promote()');
      const name = (nth: number): string => `.s.PGSQL.${nth}`;
      await symlink(join(directory, name(ownPort)), join(socket, name(port)));
    },
    async close() {
      const ended = once(server, 'close');
      server.stdin.end('QUIT\n');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
