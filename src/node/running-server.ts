/** Finds the servers that run on this computer, and their operator's token, for the command line. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { conforms } from '../client/conforms.ts';
import { AppError } from '../contract/errors.ts';
import { integer, object, string, timestamp } from '../contract/schema.ts';
import type { TypeOf } from '../contract/schema.ts';
import type { Clock } from '../domain/clock.ts';
import { isMissing, readPrivateFile, removePrivateFile, writePrivateFile } from './files/private-file.ts';
import { isRunning } from './files/processes.ts';

/** Content of `server.json` in a data directory. */
export const RunningServer = object(
  {
    url: string({ description: 'Base URL.' }),
    pid: integer(),
    data_dir: string(),
    admin_token: string({ description: 'The operator’s; never shown.' }),
    started_at: timestamp('When it started.'),
  },
  {
    setup_code: string({ description: 'What whoever runs it types in a browser.' }),
    test_client: object(
      { client_id: string(), client_secret: string(), redirect_uri: string() },
      {},
      { description: 'The built-in test client, where there is one.' },
    ),
  },
);
export type RunningServer = TypeOf<typeof RunningServer>;

const filePath = (dataDirectory: string): string => join(dataDirectory, 'server.json');
const pointerDirectory = (stateDirectory: string): string => join(stateDirectory, 'servers');
/** A pointer file, which names the data directory. */
const pointerPath = (stateDirectory: string, dataDirectory: string): string =>
  join(
    pointerDirectory(stateDirectory),
    `${createHash('sha256').update(dataDirectory).digest('hex').slice(0, 16)}.json`,
  );

const Pointer = object({ data_dir: string() });

interface AnnounceOptions {
  readonly stateDirectory: string;
  readonly clock: Clock;
  /** Called once with the reason, if the server cannot be announced. */
  readonly onTrouble: (error: unknown) => void;
}

/** Milliseconds until a failed announcement is tried again, for example after a full disk. */
const announceAgain = 5000;

/** Announces a server that accepts requests. The server calls the returned function when it stops. Never rejects. */
export async function announceServer(
  server: RunningServer,
  { stateDirectory, clock, onTrouble }: AnnounceOptions,
): Promise<() => Promise<void>> {
  const dataDirectory = resolve(server.data_dir);
  let callOff = () => {};
  let announcing: Promise<void>;
  const announce = async (isFirst: boolean): Promise<void> => {
    try {
      await writePrivateFile(filePath(dataDirectory), JSON.stringify({ ...server, data_dir: dataDirectory }));
      await writePrivateFile(pointerPath(stateDirectory, dataDirectory), JSON.stringify({ data_dir: dataDirectory }));
    } catch (error) {
      if (isFirst) onTrouble(error);
      callOff = clock.schedule(clock.now() + announceAgain, () => void (announcing = announce(false)));
    }
  };
  await (announcing = announce(true));
  return async () => {
    callOff();
    await announcing;
    callOff();
    await withdraw(stateDirectory, server);
  };
}

/** Withdraws the announcement, unless another server has taken over since. */
async function withdraw(stateDirectory: string, { data_dir, pid }: RunningServer): Promise<void> {
  const dataDirectory = resolve(data_dir);
  const present = await readServer(dataDirectory);
  if (present && present.pid !== pid) return;
  await removePrivateFile(filePath(dataDirectory));
  await removePrivateFile(pointerPath(stateDirectory, dataDirectory));
}

/** The running servers, the latest first. Removes the announcements of dead servers. */
export async function findServers(stateDirectory: string): Promise<RunningServer[]> {
  const names = await readdir(pointerDirectory(stateDirectory)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  const servers: RunningServer[] = [];
  for (const name of names.filter((other) => other.endsWith('.json'))) {
    const pointer = join(pointerDirectory(stateDirectory), name);
    const target = parse(await readPrivateFile(pointer), Pointer);
    const server = target && (await readServer(target.data_dir));
    if (server && isRunning(server.pid)) servers.push(server);
    else await removePrivateFile(pointer);
  }
  return servers.toSorted((a, b) => b.started_at.localeCompare(a.started_at));
}

/** The only running server, or that of the data directory. NETWORK when none runs, USAGE when several do. */
export async function findServer(stateDirectory: string, dataDirectory?: string): Promise<RunningServer> {
  if (dataDirectory !== undefined) {
    const server = await readServer(resolve(dataDirectory));
    if (server && isRunning(server.pid)) return server;
    throw noServer(`No server is running on ${resolve(dataDirectory)}.`);
  }
  const [server, ...others] = await findServers(stateDirectory);
  if (!server) throw noServer('No server is running on this computer.');
  if (others.length === 0) return server;
  const list = [server, ...others];
  throw new AppError('USAGE', {
    message: `Several servers are running: ${list.map(({ url, data_dir }) => `${url} (${data_dir})`).join(', ')}.`,
    hint: 'Choose one with --data-dir, or with --server.',
    details: { servers: list.map(({ url, data_dir }) => ({ url, data_dir })) },
  });
}

const noServer = (message: string): AppError =>
  new AppError('NETWORK', { message, hint: 'Start one with "laudio serve".' });

const readServer = async (dataDirectory: string): Promise<RunningServer | undefined> =>
  parse(await readPrivateFile(filePath(dataDirectory)), RunningServer);

function parse<S extends typeof RunningServer | typeof Pointer>(
  content: string | undefined,
  schema: S,
): TypeOf<S> | undefined {
  try {
    const value: unknown = JSON.parse(content ?? 'null');
    return conforms(schema, value) ? (value as TypeOf<S>) : undefined;
  } catch {
    return undefined;
  }
}
