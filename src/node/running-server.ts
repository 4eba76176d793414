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

/**
 * Everything of `server.json` is here too: the data directory may go away under a running server, whose documents only
 * its operator can save then. Absent in earlier versions.
 */
const Pointer = object({ data_dir: string() }, { url: string(), pid: integer() });

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
      const announced = JSON.stringify({ ...server, data_dir: dataDirectory });
      await writePrivateFile(pointerPath(stateDirectory, dataDirectory), announced);
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

/** A server that announced itself in this state directory. */
export interface AnnouncedServer {
  readonly data_dir: string;
  /** `undefined` if its data directory has no announcement: it was moved, removed or covered. */
  readonly server: RunningServer | undefined;
  /** Its address by the pointer. Absent if an earlier version wrote that. */
  readonly url?: string | undefined;
  /** The pointer’s copy of the announcement, if its data directory has none. */
  readonly displaced?: RunningServer | undefined;
  readonly isRunning: boolean;
}

async function* readPointers(stateDirectory: string): AsyncGenerator<AnnouncedServer & { readonly pointer: string }> {
  const names = await readdir(pointerDirectory(stateDirectory)).catch((error: unknown) => {
    if (isMissing(error)) return [];
    throw error;
  });
  for (const name of names.filter((other) => other.endsWith('.json'))) {
    const pointer = join(pointerDirectory(stateDirectory), name);
    const content = await readPrivateFile(pointer);
    const target = parse(content, Pointer);
    const server = target && (await readServer(target.data_dir));
    const pid = server?.pid ?? target?.pid;
    yield {
      pointer,
      data_dir: target?.data_dir ?? '',
      server,
      url: server?.url ?? target?.url,
      displaced: server ? undefined : parse(content, RunningServer),
      isRunning: pid !== undefined && isRunning(pid),
    };
  }
}

/** Everything that is announced, also what no longer runs or lost its data directory. Changes nothing. */
export async function findAnnouncements(stateDirectory: string): Promise<AnnouncedServer[]> {
  const found: AnnouncedServer[] = [];
  for await (const { pointer: _, ...announced } of readPointers(stateDirectory)) found.push(announced);
  return found.filter(({ data_dir: directory }) => directory !== '');
}

/** The running servers, the latest first. Removes the announcements of dead servers. */
export async function findServers(stateDirectory: string): Promise<RunningServer[]> {
  const servers: RunningServer[] = [];
  for await (const { pointer, server, displaced, isRunning: runs } of readPointers(stateDirectory)) {
    const announced = server ?? displaced;
    if (announced && runs) servers.push(announced);
    // The directory of a running server may come back.
    else if (!runs) await removePrivateFile(pointer);
  }
  return servers.toSorted((a, b) => b.started_at.localeCompare(a.started_at));
}

/**
 * The only running server, or that of the data directory; without one of the user's, the computer's service, if the user
 * may manage it. NETWORK when none runs, USAGE when several do.
 */
export async function findServer(
  stateDirectory: string,
  dataDirectory?: string,
  serviceState?: string,
): Promise<RunningServer> {
  if (dataDirectory !== undefined) {
    const directory = resolve(dataDirectory);
    const pointer = async () => parse(await readPrivateFile(pointerPath(stateDirectory, directory)), RunningServer);
    const server = (await readServer(directory)) ?? (await pointer());
    if (server && isRunning(server.pid)) return server;
    throw noServer(`No server is running on ${resolve(dataDirectory)}.`);
  }
  const own = await findServers(stateDirectory);
  const service = own.length === 0 && serviceState !== undefined ? await findServers(serviceState).catch(() => []) : [];
  const [server, ...others] = [...own, ...service];
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

/** The announcement in a data directory, whether or not its server still runs. */
export const readServer = async (dataDirectory: string): Promise<RunningServer | undefined> =>
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
