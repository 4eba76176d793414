/** Answers the token endpoint (RFC 6749 5.1). */
import { deviceGrantType } from '../../src/contract/oauth.ts';
import type { GrantType, TokenResponse } from '../../src/contract/oauth.ts';
import { isForHub } from '../../src/contract/scopes.ts';
import { hubPath, topicFor } from '../../src/protocols/fhircast/place.ts';
import { subjectOf } from './access-token.ts';
import { redeemDevice } from './devices.ts';
import { requireChecked } from './exchange.ts';
import type { Exchange } from './exchange.ts';
import { grantToClient, redeemCode, rotateRefreshToken } from './grants.ts';
import type { IssuedTokens } from './grants.ts';
import { readRequestedScope, parseScope } from './steps/check-scope.ts';

/** Reads a parameter that checkGrantParameters requires. */
const requireParameter = (exchange: Exchange, name: string): string => exchange.params[name] ?? '';

const issuers: Readonly<Record<GrantType, (exchange: Exchange) => Promise<IssuedTokens>>> = {
  authorization_code: (exchange) =>
    redeemCode(exchange.server.services, {
      code: requireParameter(exchange, 'code'),
      client_id: requireChecked(exchange, 'client').id,
      redirect_uri: requireParameter(exchange, 'redirect_uri'),
      code_verifier: exchange.params.code_verifier,
      issuer: exchange.issuer,
    }),
  refresh_token: (exchange) =>
    rotateRefreshToken(exchange.server.services, {
      refresh_token: requireParameter(exchange, 'refresh_token'),
      client_id: requireChecked(exchange, 'client').id,
      scope: readNarrowedScope(exchange),
    }),
  client_credentials: (exchange) =>
    grantToClient(exchange.server.services, {
      client_id: requireChecked(exchange, 'client').id,
      scope: readRequestedScope(exchange),
      issuer: exchange.issuer,
    }),
  [deviceGrantType]: (exchange) =>
    redeemDevice(exchange.server.services, exchange.server.pace, {
      device_code: requireParameter(exchange, 'device_code'),
      client_id: requireChecked(exchange, 'client').id,
    }),
};

/** RFC 6749 6: a refresh may narrow the scope of the new access token. */
function readNarrowedScope({ params }: Exchange) {
  return params.scope === undefined ? undefined : parseScope(params.scope);
}

export async function answerToken(exchange: Exchange): Promise<TokenResponse> {
  const grantType = requireChecked(exchange, 'grant_type');
  const { tokens, services } = exchange.server;
  const { grant, refresh_token } = await issuers[grantType](exchange);
  // A token ends with its grant at the latest.
  const left = Math.ceil((Date.parse(grant.expires_at) - services.clock.now()) / 1000);
  const accessTokenSeconds = Math.max(1, Math.min(services.accessTokenSeconds, left));
  const scope = (grantType === 'refresh_token' && readNarrowedScope(exchange)) || grant.scope;
  return {
    access_token: await tokens.sign(grant, scope, accessTokenSeconds),
    token_type: 'Bearer',
    expires_in: accessTokenSeconds,
    ...(refresh_token !== undefined && { refresh_token }),
    scope: scope.join(' '),
    ...(isForHub(scope) && {
      'hub.url': `${exchange.issuer}${hubPath}`,
      'hub.topic': topicFor(grant.space, subjectOf(grant)),
    }),
  };
}
