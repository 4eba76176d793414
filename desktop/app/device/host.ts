/** The app on one device: its sessions, the people who work here, and how they log in. Windows and browsers are its pages. */
import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { places } from '../../bridge/session.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { createCredentialStore } from '../../../src/node/credential-store.ts';
import type { CredentialStore } from '../../../src/node/credential-store.ts';
import type { Keychain } from '../../../src/node/keychain.ts';
import { ensurePrivateDirectory } from '../../../src/node/private-file.ts';
import { openAllowedServices } from './allowed-services.ts';
import { createApp } from '../page/app.ts';
import type { App } from '../page/app.ts';
import { createCallCheck } from '../page/check-call.ts';
import { deskDirectory, Login, openDesk } from '../desk/desk.ts';
import type { Desk } from '../desk/desk.ts';
import { jsonFile } from '../json-file.ts';
import type { LocalServer } from './local-server.ts';
import { sealPlainFiles } from './seal-plain-files.ts';
import { createLogins } from './logins.ts';
import { createRevisions } from '../revisions.ts';
import type { Listener, MachineDeps } from '../service.ts';
import { Session } from './sessions.ts';
import type { Sessions } from './sessions.ts';
import type { PendingLogin, Visit } from './visit.ts';

export interface HostDeps extends MachineDeps {
  /** The device's own, 0700. */
  readonly directory: string;
  /** The server in this process. */
  readonly local: LocalServer;
  /** Where the system has none, tokens are in files that only their owner can read. */
  readonly keychain: Keychain | undefined;
}

export interface Host {
  app(visit: Visit): App;
  /** Whether somebody is logged in with that session. */
  has(session: string): boolean;
  /** The browser is back from that login. LOGIN_FAILED with what went wrong. */
  comeBack(query: URLSearchParams, login: PendingLogin | undefined): Promise<void>;
  /** Opens the desks of everybody who is logged in, so that what waits there is sent. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function createHost(deps: HostDeps): Promise<Host> {
  const { directory, sealing } = deps;
  await ensurePrivateDirectory(join(directory, 'sessions'));
  const store = chosenStore(deps);
  if (sealing) await sealPlainFiles(directory, sealing, deps.log);
  const known = await readSessions(deps);
  const desks = new Map<string, Promise<Desk>>();
  const followers = new Map<string, Set<Listener>>();
  const logins = createLogins({
    ...deps,
    allowed: await openAllowedServices(deps),
    async serverOf(id) {
      const session = sessions.get(id);
      return session && (await deskOf(session.desk)).login.server;
    },
  });
  const revision = createRevisions(deps.clock);
  const check = createCallCheck();

  const sessionFile = (id: string) => jsonFile(join(directory, 'sessions', `${id}.json`), Session, sealing);
  const loginFile = (key: string) => jsonFile(join(deskDirectory(directory, key), 'login.json'), Login, sealing);
  const save = async (id: string, session: Session): Promise<void> => {
    await sessionFile(id).write(session);
    known.set(id, session);
  };
  const open = async (key: string, login: Login | undefined): Promise<Desk> => {
    if (!login) throw new AppError('LOGIN_REQUIRED', { message: 'You are not logged in.' });
    const transport = login.place === 'service' ? deps.transport : deps.local.transport;
    const desk = await openDesk({ ...deps, transport, store, key, login, directory: deskDirectory(directory, key) });
    desk.on((event) => {
      for (const [id, { desk: theirs, locked }] of known) {
        if (theirs === key && !locked) for (const listener of followers.get(id) ?? []) listener(event);
      }
    });
    desk.onState(() => {
      for (const [id, session] of known) if (session.desk === key) void tellState(id);
    });
    return desk;
  };
  const deskOf = (key: string, login?: Login): Promise<Desk> => {
    const present = desks.get(key);
    if (present) return present;
    const opening = (async () => open(key, login ?? (await loginFile(key).read())))();
    desks.set(key, opening);
    opening.catch(() => desks.delete(key));
    return opening;
  };
  const tellState = async (id: string): Promise<void> => {
    const data = await sessions.state(id);
    for (const listener of followers.get(id) ?? []) listener({ name: 'session', data });
  };

  /** Where nobody looks any more nothing is sent: not in the name of somebody who has logged out. */
  const leave = async (key: string): Promise<void> => {
    if ([...known.values()].some(({ desk }) => desk === key)) return;
    const desk = await desks.get(key)?.catch(() => undefined);
    desks.delete(key);
    await desk?.close();
    await desk?.end();
  };

  const offered = {
    asks_code: deps.local.asksCode,
    places: places.filter((place) => place !== 'test' || deps.local.testClient !== undefined),
  };

  const sessions: Sessions = {
    logins,
    local: deps.local,
    get: (id) => (id === undefined ? undefined : known.get(id)),
    desk: deskOf,
    async state(id) {
      const session = sessions.get(id);
      if (!session) {
        const needs_first_user = await deps.local.needsFirstUser();
        return {
          phase: 'logged-out',
          place: null,
          server: null,
          user: null,
          test_mode: false,
          online: true,
          waiting: 0,
          needs_first_user,
          recogniser: null,
          desk: null,
          ...offered,
          revision: revision(),
        };
      }
      const desk = await deskOf(session.desk);
      const { place, server, person, test_mode } = desk.login;
      const { online, expired, waiting, recogniser } = desk.state();
      return {
        phase: session.locked ? 'locked' : expired ? 'expired' : 'ready',
        place,
        server: place === 'service' ? server : null,
        user: person.display_name,
        test_mode,
        online,
        waiting,
        needs_first_user: false,
        recogniser,
        desk: session.desk,
        ...offered,
        revision: revision(),
      };
    },
    follow(id, listener) {
      const others = followers.get(id) ?? new Set();
      followers.set(id, others.add(listener));
      return () => {
        others.delete(listener);
        if (others.size === 0 && followers.get(id) === others) followers.delete(id);
      };
    },
    async lock(id) {
      const session = known.get(id);
      if (!session || session.locked) return;
      await save(id, { ...session, locked: true });
      await tellState(id);
    },
    async end(id) {
      const session = known.get(id);
      if (!session) return;
      known.delete(id);
      await sessionFile(id).remove();
      await tellState(id);
      await leave(session.desk);
    },
    async enter({ former, next, login, credentials }) {
      const key = keyOf(login);
      const before = sessions.get(former);
      if (before && before.desk !== key && before.locked) {
        throw new AppError('LOGIN_FAILED', {
          message: 'Somebody else is logged in here, and has locked the screen.',
          hint: 'Log them out first; what they did is kept for them.',
        });
      }
      await loginFile(key).write(login);
      const desk = await deskOf(key, login);
      await desk.renew(login, credentials);
      await save(next, { desk: key, locked: false });
      if (former !== undefined && former !== next) await sessions.end(former);
      else if (before && before.desk !== key) await leave(before.desk);
      await tellState(next);
    },
  };

  return {
    app: (visit) => createApp({ sessions, visit, check }),
    has: (session) => known.has(session),
    comeBack: async (query, login) => sessions.enter(await logins.finish(query, login)),
    async resume() {
      for (const key of new Set([...known.values()].map(({ desk }) => desk))) {
        await deskOf(key).catch(() => deps.log({ level: 'error', event: 'desk_not_opened' }));
      }
    },
    async close() {
      const opened = await Promise.allSettled(desks.values());
      for (const desk of opened) if (desk.status === 'fulfilled') await desk.value.close();
    },
  };
}

/** The same person at the same place has the same desk, whatever the port of this computer's server is today. */
const keyOf = ({ place, server, person }: Login): string =>
  createHash('sha256')
    .update(JSON.stringify([place, place === 'service' ? server : '', person.id]))
    .digest('hex')
    .slice(0, 32);

async function readSessions({ directory, sealing }: HostDeps): Promise<Map<string, Session>> {
  const found = new Map<string, Session>();
  for (const name of await readdir(join(directory, 'sessions'))) {
    const id = /^([A-Za-z0-9_-]+)\.json$/.exec(name)?.[1];
    const session =
      id === undefined ? undefined : await jsonFile(join(directory, 'sessions', name), Session, sealing).read();
    if (id !== undefined && session) found.set(id, session);
  }
  return found;
}

/**
 * The keychain, where it works: found out when the first token is kept or looked for, since asking takes time. A login
 * that was kept the other way is made again.
 */
function chosenStore({ directory, keychain, log }: HostDeps): CredentialStore {
  const make = (kind: CredentialStore['kind']) =>
    createCredentialStore({
      kind,
      stateDirectory: directory,
      keychain: keychain ?? noKeychain,
      warn: () => log({ level: 'warn', event: 'tokens_unencrypted' }),
    });
  const choose = async (): Promise<CredentialStore> => {
    if (!keychain) return make('file');
    try {
      const sealed = make('keychain');
      await sealed.prepare('device');
      return sealed;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return make('file');
    }
  };
  let chosen: Promise<CredentialStore> | undefined;
  const store = (): Promise<CredentialStore> => (chosen ??= choose());
  return {
    kind: keychain ? 'keychain' : 'file',
    prepare: async (key) => (await store()).prepare(key),
    load: async (key) => (await store()).load(key),
    save: async (key, credentials) => (await store()).save(key, credentials),
    remove: async (key) => (await store()).remove(key),
    describe: () => directory,
  };
}

const absent = async (): Promise<never> => {
  throw new AppError('CREDENTIAL_STORE');
};
const noKeychain: Keychain = { get: absent, set: absent, delete: absent };
