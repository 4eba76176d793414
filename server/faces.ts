/** The pages that the server shows to people, and the mounted app or the home page. */
import { builtInTestClient } from './auth/bootstrap.ts';
import type { AuthorizationServices } from './auth/exchange.ts';
import { registerPages } from './auth/pages/index.ts';
import type { PendingRequests } from './auth/pending-requests.ts';
import type { Inside } from './http/inside.ts';
import type { RateLimiter } from './http/plugins/rate-limit.ts';
import type { Mount, MountHost } from './mount.ts';
import type { ChosenOptions } from './options.ts';
import { registerHome } from './pages/home.ts';
import { registerOperatorPages } from './pages/operator-pages.ts';
import { registerReference } from './pages/reference.ts';
import type { Inspector } from './qa/inspector/inspector.ts';
import type { Engines } from './speech/engines.ts';
import type { OpenedStores } from './storage/stores.ts';

export interface FaceParts extends Pick<MountHost, 'fastify' | 'adminToken'>, Pick<OpenedStores, 'encryption'> {
  readonly engines: Pick<Engines, 'models'>;
  readonly inspector: Inspector;
  readonly inside: Inside;
  readonly rateLimiter: RateLimiter;
  readonly authorization: AuthorizationServices;
  readonly pending: PendingRequests;
}

/** Returns the mounted app, if there is one. */
export async function registerFaces(
  { version, clock, log, mount, setupCode, testClient }: ChosenOptions,
  { fastify, inspector, inside, rateLimiter, authorization, pending, adminToken, engines, encryption }: FaceParts,
): Promise<Awaited<ReturnType<Mount>> | undefined> {
  const adopted = new Set<string>();
  registerPages(fastify, authorization, { pending, adopted });
  registerReference(fastify, { version, rateLimiter });
  registerOperatorPages(fastify, setupCode, { inspector, clock, log, adminToken, transportFrom: inside.from });
  if (!mount) {
    registerHome(fastify, { version, testClient: testClient ? builtInTestClient : undefined });
    return undefined;
  }
  let mounted: Awaited<ReturnType<Mount>> | undefined;
  await fastify.register(async (scope) => {
    mounted = await mount({
      fastify: scope,
      transport: inside.transport,
      adminToken,
      sealing: encryption?.sealing,
      models: engines.models,
      adopt: (clientId) => void adopted.add(clientId),
    });
  });
  return mounted;
}
