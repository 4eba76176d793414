/** A pooler in front of a PostgreSQL, in transaction mode: Debian's pgbouncer. It ends with this process, however that ends. */
import { spawn } from 'node:child_process';
import { chownSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { Client } from 'pg';
import { freePort } from './free-port.ts';
import { databaseName, findOwner, guarded } from './postgres.ts';
import type { Postgres } from './postgres.ts';

export interface Pooler extends AsyncDisposable {
  readonly socket: string;
  readonly port: number;
}

export async function startPgbouncer({ socket, port: behind }: Pick<Postgres, 'socket' | 'port'>): Promise<Pooler> {
  const directory = await mkdtemp(join(tmpdir(), 'laudio-pool-'));
  await chmod(directory, 0o755);
  const ids = findOwner();
  if (ids.uid !== undefined && ids.gid !== undefined) chownSync(directory, ids.uid, ids.gid);
  const port = await freePort();
  const settings = join(directory, 'pgbouncer.ini');
  await writeFile(join(directory, 'users.txt'), `"${databaseName}" ""\n`);
  await writeFile(
    settings,
    `[databases]
* = host=${socket} port=${behind}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir = ${directory}
auth_type = trust
auth_file = ${join(directory, 'users.txt')}
pool_mode = transaction
max_client_conn = 1000
default_pool_size = 20
`,
  );
  const program = ['-c', guarded, '/usr/sbin/pgbouncer', '-q', settings];
  const pooler = spawn('/bin/sh', program, { ...ids, cwd: directory, stdio: ['pipe', 'ignore', 'pipe'] });
  let said = '';
  pooler.stderr.on('data', (part: Buffer) => (said += part.toString()));
  for (let tries = 0; !(await answers(directory, port)); tries++) {
    if (pooler.exitCode !== null || tries === 600) throw new Error(`pgbouncer does not start: ${said}`);
    await wait(50);
  }
  return {
    socket: directory,
    port,
    async [Symbol.asyncDispose]() {
      const ended = once(pooler, 'close');
      pooler.stdin.end('KILL\n');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}

async function answers(host: string, port: number): Promise<boolean> {
  const client = new Client({ host, port, user: databaseName, database: databaseName });
  try {
    await client.connect();
    await client.query('SELECT 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}
