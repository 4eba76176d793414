/** The authorization server and the operator's routes on a store in memory: what a test of logins needs. */
import Fastify from 'fastify';
import type { FastifyInstance } from 'fastify';
import { contract } from '../../src/contract/index.ts';
import { accessTokenSeconds } from '../../src/contract/oauth.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import { manualClock } from '../../src/domain/clock.ts';
import type { ManualClock } from '../../src/domain/clock.ts';
import { createFaultExecutor } from '../../server/qa/faults/executor.ts';
import { createFaults } from '../../server/qa/faults/faults.ts';
import { createIds } from '../../server/storage/ids.ts';
import { implement, schemaCompilers } from '../../server/http/implement.ts';
import type { Surroundings } from '../../server/http/implement.ts';
import { createAuthenticator } from '../../server/auth/authenticator.ts';
import type { TokenAuthenticator } from '../../server/auth/authenticator.ts';
import { bootstrap, builtInTestClient } from '../../server/auth/bootstrap.ts';
import type { AuthorizationServices } from '../../server/auth/exchange.ts';
import { findTestUser } from '../../server/auth/accounts.ts';
import { createHashing } from '../../server/auth/hashing.ts';
import type { Hashing } from '../../server/auth/hashing.ts';
import { oauthRoutes } from '../../server/auth/index.ts';
import { createPendingRequests } from '../../server/auth/pending-requests.ts';
import { registerPages } from '../../server/auth/pages/index.ts';
import { stampAnswers } from '../../server/http/plugins/answer-headers.ts';
import { registerErrors } from '../../server/http/plugins/errors.ts';
import { readReach, registerHostGuard } from '../../server/http/plugins/host-guard.ts';
import { createSearchPlaces } from '../../server/http/search-places.ts';
import { createIdempotency } from '../../server/http/plugins/idempotency.ts';
import { registerBodyParsers } from '../../server/http/plugins/json-body.ts';
import { registerNotFound } from '../../server/http/plugins/not-found.ts';
import { createRateLimiter } from '../../server/http/plugins/rate-limit.ts';
import { clientRoutes } from '../../server/api/clients.ts';
import { userRoutes } from '../../server/api/users.ts';
import type { Log } from '../../server/runtime/log.ts';
import { createLoneCounters } from '../../server/storage/counters.ts';
import { createMemoryStore } from '../../server/storage/memory/memory-documents.ts';
import { createValidation } from '../../server/runtime/validation.ts';
import { cheapSecrets } from './cheap-secrets.ts';

export const adminToken = 'operator-token-of-the-tests';

export interface AuthorizationApp {
  readonly app: FastifyInstance;
  readonly services: AuthorizationServices;
  readonly clock: ManualClock;
  readonly authenticator: TokenAuthenticator;
  readonly logged: Parameters<Log>[0][];
}

/** One for all tests of a file: its thread takes longer to begin than any hash here. */
const hashing = createHashing({ costs: cheapSecrets });
/** For tests of what a hash costs. */
export const usualHashing: Hashing = createHashing();

export async function createAuthorizationApp(
  clock = manualClock(Date.parse('2026-03-02T11:30:00Z')),
  between: (real: Hashing) => Hashing = (real) => real,
): Promise<AuthorizationApp> {
  const logged: Parameters<Log>[0][] = [];
  const log: Log = (entry) => void logged.push(entry);
  const services = {
    store: createMemoryStore(),
    counters: createLoneCounters(clock),
    clock,
    ids: createIds(clock),
    log,
    hashing: between(hashing),
    accessTokenSeconds,
    noteLogin: () => {},
  };
  const pending = createPendingRequests(services);
  const authenticator = createAuthenticator(services);
  const app = Fastify({
    exposeHeadRoutes: false,
    schemaController: { compilersFactory: schemaCompilers(createValidation()) as never },
  });
  app.decorateRequest('upload', undefined);
  app.decorateRequest('caller', undefined);
  app.decorateRequest('operator', undefined);
  app.decorateRequest('strike', undefined);
  const stopping = new AbortController().signal;
  const rateLimiter = createRateLimiter(services, 0);
  stampAnswers(app, clock, stopping);
  registerErrors(app, services);
  registerHostGuard(app, readReach({ allowedHosts: [], publicUrl: undefined, trustedProxies: [] }), () => false);
  registerNotFound(app, contract, { clock, rateLimiter });
  registerBodyParsers(app);
  const around: Surroundings = {
    store: services.store,
    clock,
    adminToken,
    authenticate: authenticator,
    rateLimiter,
    isInside: () => false,
    idempotency: createIdempotency(services.store, clock),
    searches: createSearchPlaces(),
    stopping,
    faults: createFaultExecutor({
      clock,
      faults: createFaults({ clock, log, compile: createValidation() }),
      revoke: async () => {},
      rateLimit: 0,
      stopping,
    }),
  };
  implement(app, contract.oauth, async () => oauthRoutes(services, pending), around);
  implement(app, contract.clients, async () => clientRoutes(services), around);
  implement(app, contract.users, async () => userRoutes(services), around);
  registerPages(app, services, { pending, isAdopted: async () => false });
  await bootstrap(services, { testClient: true });
  await cheapenTestUser(services);
  await app.ready();
  return { app, services, clock, authenticator, logged };
}

/** The test user's own hash costs as much as any password's. */
async function cheapenTestUser({ store }: AuthorizationServices): Promise<void> {
  const user = await findTestUser(store, testClient.client_id);
  const password_hash = await hashing.hash('test-physician', 'password');
  await store.transact(async (tx) => tx.put('users', { ...user!, password_hash }));
}

/** A production client with a user of its space, put straight into the store. */
export async function putProductionClient(
  { services }: Pick<AuthorizationApp, 'services'>,
  options: {
    readonly id?: string;
    readonly kind?: 'web' | 'mobile';
    readonly secret?: string;
    readonly redirectUris?: readonly string[];
  } = {},
) {
  const {
    kind = 'web',
    id = 'lc_ris',
    secret = 'lcs_secret',
    redirectUris = ['https://ris.example/callback?tenant=1'],
  } = options;
  const secret_hash = await hashing.hash(secret, 'client');
  const password_hash = await hashing.hash('correct horse', 'password');
  const created_at = new Date(services.clock.now()).toISOString();
  await services.store.transact(async (tx) => {
    tx.put('clients', {
      id,
      name: 'RIS São Lucas',
      kind,
      redirect_uris: [...redirectUris],
      scopes: allScopes,
      space: 'local',
      test_mode: false,
      created_at,
      secret_hash,
    });
    tx.put('users', {
      id: 'usr_nunes',
      username: 'nunes',
      display_name: 'Dra. Nunes',
      space: 'local',
      created_at,
      password_hash,
    });
  });
  return {
    client_id: id,
    client_secret: secret,
    redirect_uri: redirectUris[0]!,
    username: 'nunes',
    password: 'correct horse',
  };
}

export const testClient = builtInTestClient;

/** A form as a browser sends it. */
export const form = (fields: Readonly<Record<string, string>>) => ({
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
  payload: new URLSearchParams(fields).toString(),
});

/** A complete authorization request of the built-in test client; `undefined` leaves a parameter out. */
export function authorizeUrl(changes: Readonly<Record<string, string | undefined>> = {}): string {
  const parameters = {
    response_type: 'code',
    client_id: testClient.client_id,
    redirect_uri: testClient.redirect_uri,
    scope: 'worklists:read jobs:read',
    state: 'a state/with+odd & signs',
    ...changes,
  };
  const given = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return `/api/oauth/authorize?${new URLSearchParams(given)}`;
}

/** What a redirect says, as its client reads it. */
export const redirectOf = (answer: { headers: Readonly<Record<string, unknown>> }): Record<string, string> =>
  Object.fromEntries(new URL(String(answer.headers.location)).searchParams);

/** A code of the built-in test client, approved at once. */
export const codeOf = async (
  app: FastifyInstance,
  changes: Readonly<Record<string, string | undefined>> = {},
): Promise<string> => redirectOf(await app.inject(authorizeUrl(changes))).code!;

/** One token request of the built-in test client. */
export const tokenRequest = (app: FastifyInstance, fields: Readonly<Record<string, string>>) =>
  app.inject({
    method: 'POST',
    url: '/api/oauth/token',
    ...form({ client_id: testClient.client_id, client_secret: testClient.client_secret, ...fields }),
  });

/** Tokens of the built-in test client. */
export async function logIn(app: FastifyInstance, changes: Readonly<Record<string, string>> = {}) {
  const answer = await tokenRequest(app, {
    grant_type: 'authorization_code',
    code: await codeOf(app, changes),
    redirect_uri: testClient.redirect_uri,
  });
  return answer.json<{ access_token: string; refresh_token: string; scope: string }>();
}

/** Is the access token taken? */
export const statusWith = async (app: FastifyInstance, token: string): Promise<number> =>
  (await app.inject({ url: '/api/oauth/validate', headers: { authorization: `Bearer ${token}` } })).statusCode;
