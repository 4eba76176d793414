/**
 * The desks of a device: one for each person and service, each in a separate directory. Where several processes share a server, each
 * desk is served by one of them.
 */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { SharedApp } from '../../../server/index.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { ensurePrivateDirectory } from '../../../src/node/files/private-file.ts';
import type { Credentials, CredentialStore } from '../../../src/node/login/credential-store.ts';
import { dialNetwork } from '../../../src/node/http/web-socket.ts';
import type { Desk } from '../desk/desk.ts';
import { Login } from '../desk/login.ts';
import { jsonFile } from '../json-file.ts';
import type { JsonFile } from '../json-file.ts';
import type { Transport } from '../../../src/client/transport.ts';
import type { AppEvent, MachineDeps } from '../service.ts';
import type { LocalServer } from './local-server.ts';
import { createDeskTokens, isOfDesk } from './shared-files.ts';

export interface Desks {
  /** The desk of that key, opened if needed. Throws LOGIN_REQUIRED if nobody is logged in there. */
  open(key: string): Promise<Desk>;
  /** Opens the desk of the person who logged in, with the new tokens. */
  enter(login: Login, credentials: Credentials): Promise<void>;
  /** Closes the desk and ends its login; waiting changes are kept. */
  leave(key: string): Promise<void>;
  /** Closes a desk whose stored files are no longer those here: another process serves it, or the store was replaced. */
  drop(key: string): Promise<void>;
  /** All whose files are in the store. */
  dropAll(): Promise<void>;
  /** Announces that the server in this process uses another recogniser. */
  refreshRecogniser(): Promise<void>;
  close(): Promise<void>;
}

export interface DesksDeps extends MachineDeps {
  /** Directory of the app. */
  readonly directory: string;
  readonly local: LocalServer;
  readonly store: CredentialStore;
  readonly shared?: SharedApp | undefined;
  /** Called when a desk is dropped: its pages have to connect again. */
  readonly onDropped?: ((key: string) => void) | undefined;
  /** Called when the desk of that key sends an event to its pages. */
  readonly onEvent: (key: string, event: AppEvent) => void;
  /** Called when the state of the desk of that key has changed. */
  readonly onState: (key: string) => void;
}

type SharedDirectory = Awaited<ReturnType<SharedApp['desks']['openDirectory']>>;

export function createDesks(deps: DesksDeps): Desks {
  const { local, shared } = deps;
  const desks = new Map<string, Promise<Desk>>();
  const directories = new Map<string, Promise<SharedDirectory>>();
  const directoryOf = (key: string): string => join(deps.directory, 'desks', key);
  const loginFile = (key: string): JsonFile<Login> =>
    jsonFile(join(directoryOf(key), 'login.json'), Login, deps.sealing);

  const bring = async (places: SharedApp['desks'], key: string): Promise<SharedDirectory> => {
    const path = directoryOf(key);
    // Another process may have changed what was here before.
    await rm(path, { recursive: true, force: true });
    await ensurePrivateDirectory(path);
    return places.openDirectory(key, { path, isKept: isOfDesk });
  };
  /** The directory of a desk that other processes may have served before; `undefined`: none does. */
  async function openShared(key: string): Promise<SharedDirectory | undefined> {
    if (!shared) return undefined;
    if (!(await shared.desks.isHere(key))) throw new AppError('SERVER_BUSY', { retryAfter: 1 });
    const present = directories.get(key);
    if (present) return present;
    const opening = bring(shared.desks, key);
    directories.set(key, opening);
    opening.catch(() => directories.delete(key));
    return opening;
  }
  const closeDirectory = async (key: string): Promise<void> => {
    const directory = await directories.get(key)?.catch(() => undefined);
    directories.delete(key);
    await directory?.close();
    if (directory) await rm(directoryOf(key), { recursive: true, force: true }).catch(() => undefined);
  };

  const openWith = async (key: string, login: Login | undefined, directory: SharedDirectory | undefined) => {
    if (!login) throw new AppError('LOGIN_REQUIRED', { message: appMessage('logged_out') });
    const { openDesk } = await import('../desk/desk.ts');
    const isRemote = login.place === 'service';
    const { transport } = isRemote ? deps : local;
    const dial = isRemote ? dialNetwork : local.dial;
    const path = directoryOf(key);
    const store = directory ? createDeskTokens(path, deps.sealing) : deps.store;
    const desk = await openDesk({
      ...deps,
      transport: directory ? storedFirst(transport, directory) : transport,
      dial,
      network: { transport: deps.transport, dial: dialNetwork },
      store,
      key,
      login,
      directory: path,
    });
    desk.on((event) => deps.onEvent(key, event));
    desk.onState(() => deps.onState(key));
    return directory ? storedThen(desk, directory) : desk;
  };
  const open = (key: string, login?: Login): Promise<Desk> => {
    const present = desks.get(key);
    if (present) return present;
    const opening = (async () => {
      const directory = await openShared(key);
      return openWith(key, login ?? (await loginFile(key).read()), directory);
    })();
    desks.set(key, opening);
    opening.catch(() => desks.delete(key));
    return opening;
  };
  const close = async (key: string): Promise<Desk | undefined> => {
    const desk = await desks.get(key)?.catch(() => undefined);
    desks.delete(key);
    await desk?.close();
    return desk;
  };

  const drop = async (key: string): Promise<void> => {
    deps.onDropped?.(key);
    // Writes during closing must not be stored.
    await (await directories.get(key)?.catch(() => undefined))?.close();
    await close(key);
    await closeDirectory(key);
  };

  return {
    open: (key) => open(key),
    async enter(login, credentials) {
      const key = deskKey(login);
      const directory = await openShared(key);
      await loginFile(key).write(login);
      const desk = await open(key, login);
      await desk.renew(login, credentials);
      await directory?.flush();
    },
    async leave(key) {
      const desk = await close(key);
      await desk?.end();
      const directory = await directories.get(key)?.catch(() => undefined);
      await directory?.flush();
      await closeDirectory(key);
      await shared?.desks.release(key);
    },
    drop,
    async dropAll() {
      await Promise.all([...directories.keys()].map(drop));
    },
    async refreshRecogniser() {
      for (const desk of desks.values()) (await desk.catch(() => undefined))?.refreshRecogniser();
    },
    async close() {
      const opened = await Promise.allSettled(desks.values());
      for (const desk of opened) if (desk.status === 'fulfilled') await desk.value.close();
      for (const [key, directory] of directories) {
        await (await directory.catch(() => undefined))?.flush().catch(() => undefined);
        await closeDirectory(key);
      }
    },
  };
}

/** Stores the desk before each request that changes something: a process that continues has to know that it may have been sent. */
const storedFirst =
  (transport: Transport, directory: SharedDirectory): Transport =>
  async (request) => {
    if (request.method !== 'GET') await directory.flush();
    return transport(request);
  };

/** Stores the desk before each answer to a page. */
function storedThen(desk: Desk, directory: SharedDirectory): Desk {
  const handlers = Object.fromEntries(
    Object.entries(desk.handlers).map(([name, handle]) => [
      name,
      async (...args: unknown[]) => {
        const output = await (handle as (...args: unknown[]) => Promise<unknown>)(...args);
        await directory.flush();
        return output;
      },
    ]),
  ) as unknown as Desk['handlers'];
  return {
    ...desk,
    handlers,
    get login() {
      return desk.login;
    },
  };
}

/** The same person and service have the same desk, whatever port this computer's server has today. */
export const deskKey = ({ place, server, person }: Login): string =>
  createHash('sha256')
    .update(JSON.stringify([place, place === 'service' ? server : '', person.id]))
    .digest('hex')
    .slice(0, 32);
