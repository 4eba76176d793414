/** The app on one device: its sessions, the desks of its people, and their logins. */
import { join } from 'node:path';
import type { SharedApp } from '../../server/index.ts';
import type { Keychain } from '../../src/node/login/keychain.ts';
import { places } from '../bridge/session.ts';
import { createApp } from './page/app.ts';
import type { App } from './page/app.ts';
import { createCallCheck } from './page/check-call.ts';
import type { MachineDeps } from './service.ts';
import { openAllowedServices } from './device/allowed-services.ts';
import { createDesks, deskKey } from './device/desks.ts';
import type { LocalServer } from './device/local-server.ts';
import { createLogins } from './device/logins.ts';
import type { FinishedLogin } from './device/logins.ts';
import { enterElsewhere, serveDesks } from './device/serve-desks.ts';
import { openSessionFiles } from './device/session-files.ts';
import { createSessions } from './device/sessions.ts';
import { createTokenStore } from './device/token-store.ts';
import { createModels } from './device/models.ts';
import type { ModelsDeps } from './device/models.ts';
import type { PendingLogin, Visit } from './device/visit.ts';

export interface HostDeps extends MachineDeps {
  /** Directory of the app, 0700. */
  readonly directory: string;
  /** The server in this process. */
  readonly local: LocalServer;
  /** The speech models of the server in this process; `undefined`: the server keeps none. */
  readonly models: ModelsDeps['open'];
  /** `undefined`: tokens are in files that only their owner can read. */
  readonly keychain: Keychain | undefined;
  /** The part of the app that other processes of the server share; `undefined`: there are none. */
  readonly shared?: SharedApp | undefined;
  /** Called when a desk is dropped: its pages have to connect again. */
  readonly onDropped?: (key: string) => void;
}

/** Serves the pages in browsers and windows. */
export interface Host {
  app(visit: Visit): App;
  /** Key of the desk of that session; `undefined`: nobody is logged in there. */
  deskOf(session: string): Promise<string | undefined>;
  /** Completes a login when the browser returns. Rejects with LOGIN_FAILED and the reason. */
  comeBack(query: URLSearchParams, login: PendingLogin | undefined): Promise<void>;
  /** Begins the session of a login that another process of the server has completed. */
  enter(login: FinishedLogin): Promise<void>;
  /** Opens the desks of all logged-in people, so that their waiting changes are sent. */
  resume(): Promise<void>;
  /** Closes the desks whose files are in the store, which has been replaced; the next request brings them again. */
  renew(): Promise<void>;
  close(): Promise<void>;
}

export async function createHost(deps: HostDeps): Promise<Host> {
  const { directory, sealing, local, shared } = deps;
  if (sealing && !shared) {
    const { sealPlainFiles } = await import('./device/seal-plain-files.ts');
    await sealPlainFiles(directory, sealing, deps.log);
  }
  const desks = createDesks({
    ...deps,
    store: createTokenStore(deps),
    onEvent: (key, event) => sessions.emit(key, event),
    onState: (key) => sessions.emitState(key),
  });
  const kept = shared?.sessions ?? (await openSessionFiles(join(directory, 'sessions'), sealing));
  const sessions = createSessions({
    ...deps,
    desks,
    kept,
    // An operator of one computer allows other services with the setup code, which several processes don't have.
    places: places.filter((place) => place !== 'service' || !shared),
  });
  const enter = async (login: FinishedLogin): Promise<void> => {
    const desk = deskKey(login.login);
    if (!shared || (await shared.desks.isHere(desk))) return sessions.enter(login);
    await enterElsewhere(shared, desk, login);
  };
  let stopServing = (): void => {};
  const logins = createLogins({
    ...deps,
    allowed: await openAllowedServices(deps),
    async serverOf(id) {
      const session = await sessions.get(id);
      return session && (await desks.open(session.desk)).login.server;
    },
  });
  const checkCall = createCallCheck();
  let recogniser: string | null | undefined;
  const models = createModels({
    ...deps,
    open: deps.models,
    onChange(state) {
      sessions.emitToAll({ name: 'models', data: state });
      if (recogniser !== state.recogniser) void desks.refreshRecogniser();
      recogniser = state.recogniser;
    },
  });

  return {
    app: (visit) => createApp({ sessions: { ...sessions, enter }, desks, logins, local, models, visit, checkCall }),
    deskOf: async (session) => (await sessions.get(session))?.desk,
    comeBack: async (query, login) => enter(await logins.finish(query, login)),
    enter: sessions.enter,
    async resume() {
      if (shared) {
        stopServing = serveDesks({ shared, desks, log: deps.log });
        return;
      }
      for (const key of await kept.desks())
        await desks.open(key).catch(() => deps.log({ level: 'error', event: 'desk_not_opened' }));
    },
    renew: () => desks.dropAll(),
    async close() {
      stopServing();
      sessions.close();
      await desks.close();
    },
  };
}
