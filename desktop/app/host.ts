/** The app on one device: its sessions, the desks of its people, and their logins. */
import type { Keychain } from '../../src/node/login/keychain.ts';
import { createApp } from './page/app.ts';
import type { App } from './page/app.ts';
import { createCallCheck } from './page/check-call.ts';
import type { MachineDeps } from './service.ts';
import { openAllowedServices } from './device/allowed-services.ts';
import { createDesks } from './device/desks.ts';
import type { LocalServer } from './device/local-server.ts';
import { createLogins } from './device/logins.ts';
import { openSessions } from './device/sessions.ts';
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
}

/** Serves the pages in browsers and windows. */
export interface Host {
  app(visit: Visit): App;
  /** Whether that session has a logged-in person. */
  has(session: string): boolean;
  /** Completes a login when the browser returns. Rejects with LOGIN_FAILED and the reason. */
  comeBack(query: URLSearchParams, login: PendingLogin | undefined): Promise<void>;
  /** Opens the desks of all logged-in people, so that their waiting changes are sent. */
  resume(): Promise<void>;
  close(): Promise<void>;
}

export async function createHost(deps: HostDeps): Promise<Host> {
  const { directory, sealing, local } = deps;
  if (sealing) {
    const { sealPlainFiles } = await import('./device/seal-plain-files.ts');
    await sealPlainFiles(directory, sealing, deps.log);
  }
  const desks = createDesks({
    ...deps,
    store: createTokenStore(deps),
    onEvent: (key, event) => sessions.emit(key, event),
    onState: (key) => sessions.emitState(key),
  });
  const sessions = await openSessions({ ...deps, desks });
  const logins = createLogins({
    ...deps,
    allowed: await openAllowedServices(deps),
    async serverOf(id) {
      const session = sessions.get(id);
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
    app: (visit) => createApp({ sessions, desks, logins, local, models, visit, checkCall }),
    has: (session) => sessions.get(session) !== undefined,
    comeBack: async (query, login) => sessions.enter(await logins.finish(query, login)),
    async resume() {
      for (const key of sessions.desks()) {
        await desks.open(key).catch(() => deps.log({ level: 'error', event: 'desk_not_opened' }));
      }
    },
    close: () => desks.close(),
  };
}
