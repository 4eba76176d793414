/** The faces of the server other than its API: pages for people, the hub for viewers, and the mounted app or the home page. */
import { randomUUID } from 'node:crypto';
import type { BackupStatus } from '../src/contract/system.ts';
import { builtInTestClient } from './auth/bootstrap.ts';
import type { AuthorizationServices } from './auth/exchange.ts';
import { registerPages } from './auth/pages/index.ts';
import type { PendingRequests } from './auth/pending-requests.ts';
import { findSender } from './http/client-address.ts';
import type { Inside } from './http/inside.ts';
import type { RateLimiter } from './http/plugins/rate-limit.ts';
import type { MountedApp, MountHost } from './mount.ts';
import type { ChosenOptions } from './options.ts';
import { registerHome } from './pages/home.ts';
import { registerOperatorPages } from './pages/operator-pages.ts';
import { registerReference } from './pages/reference.ts';
import type { Inspector } from './qa/inspector/inspector.ts';
import type { Authenticator } from './http/authenticator.ts';
import type { Reach } from './http/plugins/host-guard.ts';
import { createLonePlace, createSharedPlace } from './auth/operator-place.ts';
import type { OperatorPlace } from './auth/operator-place.ts';
import { createTopicPlaces } from './operations/topic-places.ts';
import { createSharedApp } from './operations/shared-app.ts';
import type { SharedApp } from './operations/shared-app.ts';
import type { Engines } from './speech/engines.ts';
import { registerHub } from './viewers/index.ts';
import type { OpenedStores } from './storage/stores.ts';

export interface FaceParts extends Pick<MountHost, 'fastify' | 'adminToken'>, Pick<OpenedStores, 'encryption'> {
  readonly engines: Pick<Engines, 'models'>;
  readonly inspector: Inspector;
  readonly inside: Inside;
  readonly rateLimiter: RateLimiter;
  readonly authorization: AuthorizationServices;
  readonly pending: PendingRequests;
  readonly authenticator: Authenticator;
  readonly reach: Reach;
  /** `undefined`: no other process can work over the same store. */
  readonly shared: SharedApp | undefined;
  readonly operators: OperatorPlace;
  readonly findPlaces: ReturnType<typeof createTopicPlaces>;
  /** `undefined`: no backups are planned. */
  readonly findBackup: () => Promise<BackupStatus | undefined>;
}

/** The parts that the members of a server have in common. */
export const createSharedParts = (
  { members }: Pick<OpenedStores, 'members'>,
  deps: Parameters<typeof createSharedApp>[0],
): Pick<FaceParts, 'shared' | 'operators' | 'findPlaces'> => ({
  findPlaces: createTopicPlaces(deps),
  shared: members && createSharedApp(deps),
  operators: members ? createSharedPlace(deps) : createLonePlace(),
});

/** Returns the mounted app, if there is one. */
export async function registerFaces(
  { version, clock, log, mount, setupCode, operatorToken, testClient }: ChosenOptions,
  {
    fastify,
    inspector,
    inside,
    rateLimiter,
    authorization,
    pending,
    adminToken,
    engines,
    encryption,
    shared,
    operators,
    findPlaces,
    findBackup,
    authenticator: authenticate,
    reach,
  }: FaceParts,
): Promise<MountedApp | undefined> {
  const adopted = createAdopted(shared);
  registerPages(fastify, authorization, { pending, isAdopted: adopted.has });
  registerHub(fastify, {
    clock,
    uuid: randomUUID,
    authenticate,
    rateLimiter,
    findPlaces,
    viewerOrigins: reach.viewerOrigins,
  });
  registerReference(fastify, { version, rateLimiter });
  const { noteLogin } = authorization;
  registerOperatorPages(fastify, { setupCode, operatorToken }, authorization, {
    place: operators,
    inspector,
    clock,
    log,
    adminToken,
    transportFrom: inside.from,
    findBackup,
  });
  if (!mount) {
    registerHome(fastify, { version, testClient: testClient ? builtInTestClient : undefined });
    return undefined;
  }
  let mounted: MountedApp | undefined;
  await fastify.register(async (scope) => {
    mounted = await mount({
      fastify: scope,
      transport: inside.transport,
      dial: inside.dial,
      adminToken,
      sealing: encryption?.sealing,
      models: engines.models,
      shared,
      hasProvider: authorization.provider !== undefined,
      adopt: adopted.add,
      noteWrongSetupCode: (request) => noteLogin({ way: 'setup_code', outcome: 'wrong', from: findSender(request) }),
    });
  });
  return mounted;
}

/** The name of the app's text with the client that any of its processes uses. */
const adoptedClient = 'adopted client';

/** The clients of the mounted app, which logs people in at any process of the server. */
function createAdopted(shared: SharedApp | undefined) {
  const known = new Set<string>();
  return {
    async add(clientId: string): Promise<void> {
      if (known.has(clientId)) return;
      await shared?.writeText(adoptedClient, clientId);
      known.add(clientId);
    },
    has: async (clientId: string): Promise<boolean> =>
      known.has(clientId) || (await shared?.readText(adoptedClient)) === clientId,
  };
}
