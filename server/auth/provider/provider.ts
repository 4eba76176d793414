/**
 * The relying party of OpenID Connect: sends a browser to the provider, and checks what comes back. The protocol is
 * oauth4webapi's. The provider is asked only when somebody logs in, so that it may be down while the server starts.
 */
import type { AuthorizationServer, Client, ClientAuth } from 'oauth4webapi';
import type { JWTVerifyGetKey } from 'jose';
import type { Clock } from '../../../src/domain/clock.ts';
import { isLoopback } from '../../../src/client/address.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import type { Listeners } from '../../../src/domain/listeners.ts';
import type { Log } from '../../runtime/log.ts';
import { randomSecret } from '../../runtime/secrets.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { readKeys, readLogoutToken } from './logout-token.ts';
import type { ChosenProvider, ProviderRole } from './provider-options.ts';
import { hasRoleClaims, readRoles } from './read-roles.ts';
import type { Claims } from './read-roles.ts';

/** The secrets of one way to the provider and back. */
export interface ProviderTrip {
  readonly nonce: string;
  readonly verifier: string;
}

/** A person as the provider knows them. */
export interface ProviderIdentity {
  readonly issuer: string;
  readonly subject: string;
  readonly username: string | undefined;
  readonly display_name: string | undefined;
  readonly roles: ReadonlySet<ProviderRole>;
}

/** Why nobody is logged in. */
export const providerProblems = ['cancelled', 'expired', 'unreachable', 'clock', 'invalid', 'no_role'] as const;
export type ProviderProblem = (typeof providerProblems)[number];

/** The status of a page that says so. */
export const toStatus = (problem: ProviderProblem): 403 | 503 => (problem === 'unreachable' ? 503 : 403);

export type ProviderOutcome = { readonly identity: ProviderIdentity } | { readonly problem: ProviderProblem };

export interface Provider {
  /** The name on the buttons. */
  readonly name: string;
  /** The space whose people it logs in. */
  readonly space: string;
  /** The issuer without a slash at its end, under which users are linked. */
  readonly issuer: string;
  readonly keepsSetupCode: boolean;
  /** Hears the id of each user whose session ended at the provider, in this process. */
  readonly logouts: Listeners<[user: string]>;
  readonly createTrip: () => ProviderTrip;
  /** The address to which the browser goes. */
  begin(
    trip: ProviderTrip,
    how: { readonly state: string; readonly redirectUri: string; readonly language: string },
  ): Promise<{ readonly address: string } | { readonly problem: ProviderProblem }>;
  /** Checks the answer that the browser brings, and fetches who logged in. `state`: as given to `begin`. */
  finish(
    trip: ProviderTrip,
    back: { readonly answer: URLSearchParams; readonly state: string; readonly redirectUri: string },
  ): Promise<ProviderOutcome>;
  /** Whose session ended, according to a logout token; `undefined`: the token is not the provider's. */
  readLogout(token: string): Promise<Pick<ProviderIdentity, 'issuer' | 'subject'> | undefined>;
}

/** How long the provider's addresses are used before they are read again, in ms. */
const discoveredMs = 3600_000;
/** How far the provider's clock may be off, in seconds. */
const tolerance = 60;

/** Loaded by the first login. */
const loadOauth = () => import('oauth4webapi');

export function createProvider(chosen: ChosenProvider, { clock, log }: { clock: Clock; log: Log }): Provider {
  const { issuer, clientId, clientSecret, scopes } = chosen;
  const client: Client = { client_id: clientId };
  const key = issuer.replace(/\/$/, '');
  let keys: JWTVerifyGetKey | undefined;
  let discovered: { readonly server: Promise<AuthorizationServer>; readonly at: number } | undefined;

  const createRequestOptions = async () => {
    const { allowInsecureRequests, customFetch } = await loadOauth();
    return {
      [customFetch]: (url: string, init: RequestInit) => boundedFetch(url, init),
      [allowInsecureRequests]: isLoopback(new URL(issuer).hostname),
    };
  };
  const discover = async (): Promise<AuthorizationServer> => {
    const now = clock.elapsed();
    if (discovered && now - discovered.at < discoveredMs) return discovered.server;
    const server = (async () => {
      const { discoveryRequest, processDiscoveryResponse } = await loadOauth();
      const url = new URL(issuer);
      return processDiscoveryResponse(url, await discoveryRequest(url, await createRequestOptions()));
    })();
    const own = (discovered = { server, at: now });
    // The next login asks again.
    server.catch(() => {
      if (discovered === own) discovered = undefined;
    });
    return server;
  };
  const readLogout = async (token: string) => {
    const { issuer: own, jwks_uri } = await discover();
    if (jwks_uri === undefined) return undefined;
    keys ??= await readKeys(jwks_uri);
    return readLogoutToken(token, { issuer: own, audience: clientId, keys });
  };
  const fail = async (error: unknown): Promise<{ readonly problem: ProviderProblem }> => {
    const { problem, code } = await classify(error);
    // Its keys or addresses may have changed.
    if (problem === 'invalid') discovered = keys = undefined;
    if (problem !== 'cancelled') log({ level: 'warn', event: 'provider_failed', problem, code });
    return { problem };
  };

  return {
    name: chosen.name,
    space: chosen.space,
    issuer: key,
    keepsSetupCode: chosen.keepsSetupCode,
    logouts: createListeners(),
    async readLogout(token) {
      const subject = await readLogout(token).catch(async (error: unknown) => {
        await fail(error);
        return undefined;
      });
      return subject === undefined ? undefined : { issuer: key, subject };
    },
    createTrip: () => ({ nonce: randomSecret(), verifier: randomSecret() }),
    async begin({ nonce, verifier }, { state, redirectUri, language }) {
      try {
        const { authorization_endpoint: endpoint } = await discover();
        if (endpoint === undefined) return await fail(undefined);
        const { calculatePKCECodeChallenge } = await loadOauth();
        const address = new URL(endpoint);
        const parameters = {
          response_type: 'code',
          client_id: clientId,
          redirect_uri: redirectUri,
          scope: ['openid', 'profile', ...scopes].join(' '),
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
          ui_locales: language,
        };
        for (const [name, value] of Object.entries(parameters)) address.searchParams.set(name, value);
        return { address: address.href };
      } catch (error) {
        return fail(error);
      }
    },
    async finish({ nonce, verifier }, { answer, state, redirectUri }) {
      try {
        const oauth = await loadOauth();
        const server = await discover();
        const options = await createRequestOptions();
        const checked: Client = { ...client, [oauth.clockTolerance]: tolerance };
        const authentication = chooseAuthentication(oauth, server, clientSecret);
        const parameters = oauth.validateAuthResponse(server, checked, answer, state);
        const response = await oauth.authorizationCodeGrantRequest(
          server,
          checked,
          authentication,
          parameters,
          redirectUri,
          verifier,
          options,
        );
        const tokens = await oauth.processAuthorizationCodeResponse(server, checked, response, {
          expectedNonce: nonce,
          requireIdToken: true,
        });
        await oauth.validateApplicationLevelSignature(server, response, options);
        const claims = oauth.getValidatedIdTokenClaims(tokens);
        if (!claims) return await fail(undefined);
        const isComplete = hasRoleClaims(claims, chosen) && typeof claims['preferred_username'] === 'string';
        const more =
          isComplete || server.userinfo_endpoint === undefined
            ? {}
            : await oauth.processUserInfoResponse(
                server,
                checked,
                claims.sub,
                await oauth.userInfoRequest(server, checked, tokens.access_token, options),
              );
        return { identity: createIdentity(key, { ...more, ...claims }, chosen) };
      } catch (error) {
        return fail(error);
      }
    },
  };
}

/** The secret goes into the header (RFC 6749 2.3.1) unless the provider takes it only in the body. */
function chooseAuthentication(
  { None, ClientSecretBasic, ClientSecretPost }: typeof import('oauth4webapi'),
  { token_endpoint_auth_methods_supported: methods = ['client_secret_basic'] }: AuthorizationServer,
  secret: string | undefined,
): ClientAuth {
  if (secret === undefined) return None();
  const takesBasic = methods.includes('client_secret_basic') || !methods.includes('client_secret_post');
  return takesBasic ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

function createIdentity(issuer: string, claims: Claims & { readonly sub: string }, chosen: ChosenProvider) {
  const readText = (name: string): string | undefined => {
    const value = claims[name];
    return typeof value === 'string' && value.trim() !== '' ? value : undefined;
  };
  return {
    issuer,
    subject: claims.sub,
    username: readText('preferred_username'),
    display_name: readText('name'),
    roles: readRoles(claims, chosen),
  };
}

/** Answers of the authorization endpoint that have another meaning than a fault (RFC 6749 4.1.2.1). */
const answers: Readonly<Record<string, ProviderProblem>> = {
  access_denied: 'cancelled',
  temporarily_unavailable: 'unreachable',
  server_error: 'unreachable',
};

/** The problem, and for the log a code without words of the provider. */
async function classify(error: unknown): Promise<{ readonly problem: ProviderProblem; readonly code: string }> {
  const oauth = await loadOauth();
  if (error instanceof oauth.AuthorizationResponseError)
    return { problem: answers[error.error] ?? 'invalid', code: toCode(error.error) };
  if (error instanceof oauth.ResponseBodyError)
    return { problem: error.error === 'invalid_grant' ? 'expired' : 'invalid', code: toCode(error.error) };
  const { code, name, cause } = (error ?? {}) as { code?: unknown; name?: unknown; cause?: unknown };
  if (code === oauth.JWT_TIMESTAMP_CHECK) return { problem: 'clock', code };
  const isAnswer = code === oauth.RESPONSE_IS_NOT_CONFORM || code === oauth.RESPONSE_IS_NOT_JSON;
  if (isAnswer || code === oauth.PARSE_ERROR) return { problem: 'unreachable', code: String(code) };
  if (name === 'TimeoutError' || name === 'AbortError') return { problem: 'unreachable', code: 'TIMEOUT' };
  if (error instanceof TypeError && code === undefined)
    return { problem: 'unreachable', code: toCode((cause as { code?: unknown } | undefined)?.code) };
  return { problem: 'invalid', code: toCode(code) };
}

/** Words of a standard; anything else is the provider's own text, which may name a person. */
const toCode = (code: unknown): string =>
  typeof code === 'string' && /^[A-Za-z_]{1,60}$/.test(code) ? code : 'UNKNOWN';
