/** The desks of a device: one for each person and service, each in a separate directory. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { AppError } from '../../../src/contract/errors.ts';
import type { Credentials, CredentialStore } from '../../../src/node/login/credential-store.ts';
import { dialNetwork } from '../../../src/node/http/web-socket.ts';
import type { Desk } from '../desk/desk.ts';
import { Login } from '../desk/login.ts';
import { jsonFile } from '../json-file.ts';
import type { JsonFile } from '../json-file.ts';
import type { AppEvent, MachineDeps } from '../service.ts';
import type { LocalServer } from './local-server.ts';

export interface Desks {
  /** The desk of that key, opened if needed. Throws LOGIN_REQUIRED if nobody is logged in there. */
  open(key: string): Promise<Desk>;
  /** Opens the desk of the person who logged in, with the new tokens. */
  enter(login: Login, credentials: Credentials): Promise<void>;
  /** Closes the desk and ends its login; waiting changes are kept. */
  leave(key: string): Promise<void>;
  /** Announces that the server in this process uses another recogniser. */
  refreshRecogniser(): Promise<void>;
  close(): Promise<void>;
}

export interface DesksDeps extends MachineDeps {
  /** Directory of the app. */
  readonly directory: string;
  readonly local: LocalServer;
  readonly store: CredentialStore;
  /** Called when the desk of that key sends an event to its pages. */
  readonly onEvent: (key: string, event: AppEvent) => void;
  /** Called when the state of the desk of that key has changed. */
  readonly onState: (key: string) => void;
}

export function createDesks(deps: DesksDeps): Desks {
  const { store, local } = deps;
  const desks = new Map<string, Promise<Desk>>();
  const directoryOf = (key: string): string => join(deps.directory, 'desks', key);
  const loginFile = (key: string): JsonFile<Login> =>
    jsonFile(join(directoryOf(key), 'login.json'), Login, deps.sealing);

  const openWith = async (key: string, login: Login | undefined): Promise<Desk> => {
    if (!login) throw new AppError('LOGIN_REQUIRED', { message: appMessage('logged_out') });
    const { openDesk } = await import('../desk/desk.ts');
    const isRemote = login.place === 'service';
    const { transport } = isRemote ? deps : local;
    const dial = isRemote ? dialNetwork : local.dial;
    const desk = await openDesk({ ...deps, transport, dial, store, key, login, directory: directoryOf(key) });
    desk.on((event) => deps.onEvent(key, event));
    desk.onState(() => deps.onState(key));
    return desk;
  };
  const open = (key: string, login?: Login): Promise<Desk> => {
    const present = desks.get(key);
    if (present) return present;
    const opening = (async () => openWith(key, login ?? (await loginFile(key).read())))();
    desks.set(key, opening);
    opening.catch(() => desks.delete(key));
    return opening;
  };

  return {
    open: (key) => open(key),
    async enter(login, credentials) {
      const key = deskKey(login);
      await loginFile(key).write(login);
      const desk = await open(key, login);
      await desk.renew(login, credentials);
    },
    async leave(key) {
      const desk = await desks.get(key)?.catch(() => undefined);
      desks.delete(key);
      await desk?.close();
      await desk?.end();
    },
    async refreshRecogniser() {
      for (const desk of desks.values()) (await desk.catch(() => undefined))?.refreshRecogniser();
    },
    async close() {
      const opened = await Promise.allSettled(desks.values());
      for (const desk of opened) if (desk.status === 'fulfilled') await desk.value.close();
    },
  };
}

/** The same person and service have the same desk, whatever port this computer's server has today. */
export const deskKey = ({ place, server, person }: Login): string =>
  createHash('sha256')
    .update(JSON.stringify([place, place === 'service' ? server : '', person.id]))
    .digest('hex')
    .slice(0, 32);
