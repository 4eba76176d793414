/**
 * The authorization server (RFC 6749 with PKCE, revocation and metadata; RFC 9700's advice) as a table: each line a
 * check, each column an endpoint. What a step finds out, later steps and the endpoint's answer work with.
 */
import type { Handlers } from '../../src/contract/endpoint.ts';
import type { oauth } from '../../src/contract/oauth.ts';
import type { Call } from '../call.ts';
import { createAccessTokens } from './access-token.ts';
import { clientPolicy, createAttempts } from './attempts.ts';
import { answerAuthorize, refuseAuthorize } from './authorize.ts';
import { readParameters } from './exchange.ts';
import type { AuthorizationServer, AuthorizationServices, Exchange, Step } from './exchange.ts';
import { metadataOf } from './metadata.ts';
import type { PendingRequests } from './pending-requests.ts';
import { createRecognition } from './recognition.ts';
import { answerRevoke } from './revoke.ts';
import { allowedScope } from './steps/allowed-scope.ts';
import { authenticatedClient } from './steps/authenticated-client.ts';
import { codeChallenge } from './steps/code-challenge.ts';
import { codeResponse } from './steps/code-response.ts';
import { givenState } from './steps/given-state.ts';
import { givenToken } from './steps/given-token.ts';
import { knownClient } from './steps/known-client.ts';
import { knownGrantType } from './steps/known-grant-type.ts';
import { matchingRedirectUri } from './steps/matching-redirect-uri.ts';
import { neededParameters } from './steps/needed-parameters.ts';
import { noRepetition } from './steps/no-repetition.ts';
import { testMode } from './steps/test-mode.ts';
import { answerToken } from './token.ts';

const columns = ['authorize', 'token', 'revoke'] as const;
type Column = (typeof columns)[number];

const x = true;
const o = false;

// oxfmt-ignore
const steps: readonly (readonly [Step, authorize: boolean, token: boolean, revoke: boolean])[] = [
  //                    authorize  token  revoke
  [knownClient,         x,         o,     o],
  [matchingRedirectUri, x,         o,     o],
  [noRepetition,        x,         x,     x],
  [authenticatedClient, o,         x,     x],
  [givenState,          x,         o,     o],
  [codeResponse,        x,         o,     o],
  [codeChallenge,       x,         o,     o],
  [allowedScope,        x,         o,     o],
  [testMode,            x,         o,     o],
  [knownGrantType,      o,         x,     o],
  [neededParameters,    o,         x,     o],
  [givenToken,          o,         o,     x],
];

/** RFC 6749 5.1: what a token endpoint gives is never kept. */
const uncached = { 'Cache-Control': 'no-store', Pragma: 'no-cache' } as const;

/** `pending` is shared with the login and consent pages. */
export function oauthRoutes(services: AuthorizationServices, pending: PendingRequests): Handlers<typeof oauth, Call> {
  const server: AuthorizationServer = {
    services,
    pending,
    tokens: createAccessTokens(services),
    clientAttempts: createAttempts(services.clock, clientPolicy),
    recognition: createRecognition(services.hashing),
    decoy: services.hashing.decoy('client'),
  };

  return {
    async authorize({ query }, call) {
      const exchange = exchangeOf(server, query, call);
      try {
        await runSteps('authorize', exchange);
        return await answerAuthorize(exchange);
      } catch (error) {
        return refuseAuthorize(exchange, error);
      }
    },
    async token({ body }, call) {
      const exchange = exchangeOf(server, body, call);
      await runSteps('token', exchange);
      return { status: 200, data: await answerToken(exchange), headers: uncached };
    },
    async revoke({ body }, call) {
      const exchange = exchangeOf(server, body, call);
      await runSteps('revoke', exchange);
      await answerRevoke(exchange);
      return { status: 200, data: {}, headers: uncached };
    },
    async validate(_input, { caller }) {
      const { client_id, user, test_mode, expires_at } = caller;
      return {
        status: 200,
        data: {
          valid: true,
          client_id,
          user: { ...user },
          scope: caller.scopes.join(' '),
          test_mode,
          expires_at: new Date(expires_at).toISOString(),
          expires_in: Math.max(0, Math.floor((expires_at - services.clock.now()) / 1000)),
        },
      };
    },
    metadata: async (_input, call) => ({ status: 200, data: metadataOf(call.base_url) }),
    jwks: async () => ({ status: 200, data: { keys: await server.tokens.publicKeys() } }),
  };
}

/** `input`: the parsed query or form; which parameters there are is found out by the steps. */
const exchangeOf = (server: AuthorizationServer, input: object | undefined, call: Call): Exchange => ({
  server,
  address: call.address,
  issuer: call.base_url,
  ...readParameters({ ...input }),
  header: call.header,
  found: {},
});

async function runSteps(column: Column, exchange: Exchange): Promise<void> {
  const at = columns.indexOf(column) + 1;
  for (const row of steps) if (row[at]) Object.assign(exchange.found, await row[0](exchange));
}
