/**
 * The authorization server (RFC 6749 with PKCE, revocation, metadata, client assertions and device logins; RFC 9700) as
 * a table: a row per check, a column per endpoint. Checks run in order; later ones and the answer use their results.
 */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { oauth } from '../../src/contract/oauth.ts';
import type { Call } from '../http/call.ts';
import { createAccessTokens } from './access-token.ts';
import { createAssertions } from './assertions.ts';
import { ownIdOrNull } from '../http/own-ids.ts';
import { serviceActor } from '../storage/actor.ts';
import type { Store } from '../storage/store.ts';
import { checkPolicy, clientPolicy, createAttempts } from './attempts.ts';
import { answerAuthorize, refuseAuthorize } from './authorize.ts';
import { answerDevice } from './device.ts';
import { createPace } from './devices.ts';
import { readParameters } from './exchange.ts';
import type { AuthorizationServer, AuthorizationServices, Sender, Exchange, Step } from './exchange.ts';
import { buildMetadata } from './metadata.ts';
import type { PendingRequests } from './pending-requests.ts';
import { createVerifiedSecretsCache } from './verified-secrets-cache.ts';
import { answerRevoke } from './revoke.ts';
import { checkScope } from './steps/check-scope.ts';
import { authenticateClient } from './steps/authenticate-client.ts';
import {
  checkCodeChallenge,
  checkGrantParameters,
  checkGrantType,
  checkRedirectUri,
  checkRepetition,
  checkResponseType,
  checkState,
  checkTestMode,
  checkToken,
  identifyClient,
} from './steps/parameters.ts';
import { hubPath, topicForCaller } from '../../src/protocols/fhircast/place.ts';
import { isForHub } from '../../src/contract/scopes.ts';
import { answerToken } from './token.ts';

const columns = ['authorize', 'device', 'token', 'revoke'] as const;
type Column = (typeof columns)[number];

const x = true;
const o = false;

// oxfmt-ignore
const steps: readonly (readonly [Step, authorize: boolean, device: boolean, token: boolean, revoke: boolean])[] = [
  //                     authorize  device  token  revoke
  [identifyClient,       x,         o,      o,     o],
  [checkRedirectUri,     x,         o,      o,     o],
  [checkRepetition,      x,         x,      x,     x],
  [authenticateClient,   o,         x,      x,     x],
  [checkState,           x,         o,      o,     o],
  [checkResponseType,    x,         o,      o,     o],
  [checkCodeChallenge,   x,         o,      o,     o],
  [checkScope,           x,         o,      o,     o],
  [checkTestMode,        x,         x,      o,     o],
  [checkGrantType,       o,         o,      x,     o],
  [checkGrantParameters, o,         o,      x,     o],
  [checkToken,           o,         o,      o,     x],
];

/** RFC 6749 5.1: token responses must not be cached. */
const uncached = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** `pending` is shared with the login and consent pages. */
export function oauthRoutes(services: AuthorizationServices, pending: PendingRequests): Handlers<typeof oauth, Call> {
  const server: AuthorizationServer = {
    services,
    pending,
    tokens: createAccessTokens(services),
    assertions: createAssertions(services),
    clientAttempts: createAttempts(services.counters, clientPolicy),
    clientChecks: createAttempts(services.counters, checkPolicy),
    verifiedSecrets: createVerifiedSecretsCache(services.hashing),
    pace: createPace(services),
    decoy: services.hashing.decoy('client'),
  };

  return {
    async authorize({ query }, call) {
      const exchange = createExchange(server, query, call);
      try {
        await runSteps('authorize', exchange);
        return await answerAuthorize(exchange);
      } catch (error) {
        return refuseAuthorize(exchange, error);
      }
    },
    async deviceAuthorization({ body }, call) {
      const exchange = createExchange(server, body, call);
      await runSteps('device', exchange);
      return { status: 200, data: await answerDevice(exchange), headers: uncached };
    },
    async token({ body }, call) {
      const exchange = createExchange(server, body, call);
      await runSteps('token', exchange);
      return { status: 200, data: await answerToken(exchange), headers: uncached };
    },
    async revoke({ body }, call) {
      const exchange = createExchange(server, body, call);
      await runSteps('revoke', exchange);
      await answerRevoke(exchange);
      return { status: 200, data: {}, headers: uncached };
    },
    async validate(_input, { caller, base_url }) {
      const { client_id, user, test_mode, expires_at } = caller;
      const { role } = (user && (await services.store.get('users', user.id))) ?? {};
      return {
        status: 200,
        data: {
          valid: true,
          client_id,
          ...(isForHub(caller.scopes) && {
            hub: { url: `${base_url}${hubPath}`, topic: topicForCaller(caller) },
          }),
          user: user && { ...user, ...(role && { role }) },
          scope: caller.scopes.join(' '),
          test_mode,
          expires_at: new Date(expires_at).toISOString(),
          expires_in: Math.max(0, Math.floor((expires_at - services.clock.now()) / 1000)),
        },
      };
    },
    metadata: async (_input, call) => ({ status: 200, data: buildMetadata(call.base_url) }),
    jwks: async () => ({ status: 200, data: { keys: await server.tokens.publicKeys() } }),
  };
}

/** The trail shows from where, and by which request, a login came about. */
const bindSender = (store: Store, { address, request_id }: Sender): Store => ({
  ...store,
  transact: (work) =>
    store.transact(work, () => ({ ...serviceActor('service'), address, request_id: ownIdOrNull(request_id) })),
});

/** `input`: the parsed query or form. */
const createExchange = (server: AuthorizationServer, input: object | undefined, call: Call): Exchange => ({
  server: { ...server, services: { ...server.services, store: bindSender(server.services.store, call) } },
  address: call.address,
  request_id: call.request_id,
  issuer: call.base_url,
  ...readParameters({ ...input }),
  header: call.header,
  checked: {},
});

async function runSteps(column: Column, exchange: Exchange): Promise<void> {
  const at = columns.indexOf(column) + 1;
  for (const row of steps) if (row[at]) Object.assign(exchange.checked, await row[0](exchange));
}
