/**
 * Authorization codes, grants, and the refresh tokens of a grant. Each function that ends or replaces one is a single
 * transaction, so that only one of concurrent uses succeeds.
 */
import { codeSeconds, refreshTokenSeconds } from '../../src/contract/oauth.ts';
import { allowsScope } from '../../src/contract/scopes.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { AuthDeps } from './deps.ts';
import type { Documents } from '../storage/collections.ts';
import type { Transaction } from '../storage/store.ts';
import type { Grant } from './access-token.ts';
import { oauthError } from '../http/oauth-error.ts';
import type { OAuthError } from '../http/oauth-error.ts';
import type { AuthorizationRequest, RedirectAnswer } from './pending-requests.ts';
import { randomSecret, sameSecret, sha256 } from '../runtime/secrets.ts';

export type GrantDeps = Pick<AuthDeps, 'store' | 'clock' | 'ids'>;
type Deps = GrantDeps;
type Code = Documents['codes'];

/** A new grant, with a refresh token if the flow issues one. The token is shown once. */
export interface IssuedTokens {
  readonly grant: Grant;
  readonly refresh_token?: string;
}

export const inSeconds = (clock: Clock, seconds: number): string =>
  new Date(clock.now() + seconds * 1000).toISOString();
export const isExpired = (clock: Clock, expires_at: string): boolean => Date.parse(expires_at) <= clock.now();

/** Creates an authorization code, which lasts 60 seconds and works once. */
export async function issueCode(
  { store, clock }: Deps,
  { answer, ...request }: AuthorizationRequest<RedirectAnswer>,
  userId: string,
): Promise<string> {
  const code = randomSecret();
  await store.transact(async (tx) => {
    tx.put('codes', {
      id: sha256(code),
      client_id: request.client_id,
      user_id: userId,
      redirect_uri: answer.redirect_uri,
      scope: [...request.scope],
      code_challenge: answer.code_challenge,
      expires_at: inSeconds(clock, codeSeconds),
      grant_id: null,
    });
  });
  return code;
}

export interface Redemption {
  readonly code: string;
  readonly client_id: string;
  readonly redirect_uri: string;
  readonly code_verifier: string | undefined;
  readonly issuer: string;
}

/** RFC 6749 4.1.3. A second use revokes the tokens of the first (4.1.2). */
export async function redeemCode(deps: Deps, redemption: Redemption): Promise<IssuedTokens> {
  const { store, clock } = deps;
  const outcome = await store.transact(async (tx) => {
    const code = await tx.get('codes', sha256(redemption.code));
    if (!code || code.client_id !== redemption.client_id) return invalidGrant('The code is unknown or expired');
    if (code.grant_id !== null) {
      await revokeGrant(tx, clock, code.grant_id);
      return invalidGrant('The code was used before; the tokens that it gave are revoked');
    }
    const problem = codeProblem(code, redemption, clock);
    if (problem) return invalidGrant(problem);
    const user = await tx.get('users', code.user_id);
    const client = await tx.get('clients', code.client_id);
    if (!user || !client) return invalidGrant('The code is unknown or expired');
    const scope = restrictScope(code.scope, client);
    if (scope.length === 0) return invalidGrant('This client has lost every scope of the code');
    const of = { client, user, issuer: redemption.issuer, scope, seconds: refreshTokenSeconds };
    const grant = putGrant(tx, deps, of);
    // Kept as long as its grant, so that a second use is recognised.
    tx.put('codes', { ...code, grant_id: grant.id, expires_at: grant.expires_at });
    return { grant, refresh_token: putRefreshToken(tx, grant) };
  });
  return unwrapOutcome(outcome);
}

/** A working day: then the login provider is asked again whether the person still has a role. */
export const providerGrantSeconds = 12 * 3600;

interface NewGrant extends Pick<Grant, 'issuer' | 'scope'> {
  readonly client: Documents['clients'];
  /** `null`: the client acts for itself. */
  readonly user: Documents['users'] | null;
  /** The lifetime. */
  readonly seconds: number;
}

export function putGrant(tx: Transaction, { clock, ids }: Deps, { client, user, seconds, ...given }: NewGrant): Grant {
  const limit = user?.provider && { ends_at: inSeconds(clock, providerGrantSeconds) };
  const grant: Grant = {
    id: ids('grt'),
    client_id: client.id,
    user_id: user?.id ?? null,
    space: client.space,
    ...given,
    revoked_at: null,
    revoked_tokens: [],
    created_at: isoNow(clock),
    expires_at: findEnd(clock, seconds, limit),
    ...limit,
  };
  tx.put('grants', grant);
  return grant;
}

function findEnd(clock: Clock, seconds: number, { ends_at }: Pick<Grant, 'ends_at'> = {}): string {
  const end = inSeconds(clock, seconds);
  return ends_at !== undefined && ends_at < end ? ends_at : end;
}

export interface ClientGrant {
  readonly client_id: string;
  /** At most the client's registered scopes; `undefined` for all of them. */
  readonly scope: Scope[] | undefined;
  readonly issuer: string;
}

/** RFC 6749 4.4: grants the client itself one access token. */
export async function grantToClient(
  deps: Deps & { readonly accessTokenSeconds: number },
  { client_id, scope, issuer }: ClientGrant,
): Promise<IssuedTokens> {
  const outcome = await deps.store.transact(async (tx) => {
    const client = await tx.get('clients', client_id);
    // The client may have changed since it was authenticated.
    const left = restrictScope(scope ?? client?.scopes ?? [], client);
    if (!client || left.length < (scope?.length ?? 1)) return invalidGrant('The client was changed meanwhile');
    return {
      grant: putGrant(tx, deps, { client, user: null, issuer, scope: left, seconds: deps.accessTokenSeconds }),
    };
  });
  return unwrapOutcome(outcome);
}

function codeProblem(code: Code, redemption: Redemption, clock: Clock): string | undefined {
  if (isExpired(clock, code.expires_at)) return 'The code is unknown or expired';
  if (code.redirect_uri !== redemption.redirect_uri) return 'redirect_uri is not the one of the authorization request';
  return verifierProblem(code.code_challenge, redemption.code_verifier);
}

/**
 * RFC 7636 4.6. RFC 9700 2.1.1: a verifier without a challenge is refused too, otherwise an attacker could omit the
 * challenge.
 */
function verifierProblem(challenge: string | null, verifier: string | undefined): string | undefined {
  if (challenge === null) return verifier === undefined ? undefined : 'The authorization request had no code_challenge';
  if (verifier === undefined) return 'code_verifier is missing';
  if (!/^[A-Za-z0-9._~-]{43,128}$/.test(verifier)) return 'code_verifier must be 43 to 128 unreserved characters';
  return sameSecret(sha256(verifier), challenge) ? undefined : 'code_verifier does not match the code_challenge';
}

export interface Rotation {
  readonly refresh_token: string;
  readonly client_id: string;
  /** RFC 6749 6: at most the granted scopes. */
  readonly scope: readonly Scope[] | undefined;
}

/** RFC 6749 6, RFC 9700 4.14.2: each refresh token works once; a second use revokes its family. */
export async function rotateRefreshToken({ store, clock }: Deps, rotation: Rotation): Promise<IssuedTokens> {
  const outcome = await store.transact(async (tx) => {
    const token = await tx.get('refresh_tokens', sha256(rotation.refresh_token));
    const grant = token && (await tx.get('grants', token.grant_id));
    if (!token || !grant || grant.client_id !== rotation.client_id) return invalidGrant('The refresh token is unknown');
    if (grant.revoked_at !== null) return invalidGrant('The refresh token was revoked');
    if (token.used_at !== null) {
      await revokeGrant(tx, clock, grant.id);
      return invalidGrant('The refresh token was used before; all tokens of its family are revoked');
    }
    if (isExpired(clock, token.expires_at)) return invalidGrant('The refresh token has expired');
    const client = await tx.get('clients', grant.client_id);
    const scope = restrictScope(grant.scope, client);
    if (scope.length === 0) return invalidGrant('This client has lost every scope of the refresh token');
    if (rotation.scope?.some((wanted) => !allowsScope(scope, wanted))) {
      return oauthError('invalid_scope', 'scope is wider than what was granted');
    }
    const extended = { ...grant, scope, expires_at: findEnd(clock, refreshTokenSeconds, grant) };
    tx.put('grants', extended);
    tx.put('refresh_tokens', { ...token, used_at: isoNow(clock) });
    return { grant: extended, refresh_token: putRefreshToken(tx, extended) };
  });
  return unwrapOutcome(outcome);
}

export const invalidGrant = (description: string): OAuthError => oauthError('invalid_grant', description);

/** Refusals are thrown after the transaction, because its changes have to be committed. */
export function unwrapOutcome(outcome: IssuedTokens | OAuthError): IssuedTokens {
  if (outcome instanceof Error) throw outcome;
  return outcome;
}

/** The token lasts as long as its grant. */
export function putRefreshToken(tx: Transaction, grant: Grant): string {
  const token = randomSecret();
  tx.put('refresh_tokens', { id: sha256(token), grant_id: grant.id, expires_at: grant.expires_at, used_at: null });
  return token;
}

export async function revokeGrant(tx: Transaction, clock: Clock, id: string): Promise<void> {
  const grant = await tx.get('grants', id);
  if (grant && grant.revoked_at === null) tx.put('grants', { ...grant, revoked_at: isoNow(clock) });
}

/**
 * Revokes one access token, or a refresh token with everything issued by its grant. Refuses tokens of other clients.
 */
export async function revokeToken(
  { store, clock }: Deps,
  clientId: string,
  token: { readonly refresh_token: string } | { readonly grant_id: string; readonly token_id: string },
): Promise<void> {
  const refusal = await store.transact(async (tx) => {
    const grantId =
      'grant_id' in token ? token.grant_id : (await tx.get('refresh_tokens', sha256(token.refresh_token)))?.grant_id;
    const grant = grantId === undefined ? undefined : await tx.get('grants', grantId);
    if (!grant) return undefined;
    // RFC 7009 2.1.
    if (grant.client_id !== clientId) return invalidGrant('The token belongs to another client');
    if ('token_id' in token) {
      const others = grant.revoked_tokens.filter((id) => id !== token.token_id);
      tx.put('grants', { ...grant, revoked_tokens: [...others, token.token_id] });
    } else {
      await revokeGrant(tx, clock, grant.id);
    }
    return undefined;
  });
  if (refusal) throw refusal;
}

/** Returns the scopes that the client still has. */
export const restrictScope = (scope: readonly Scope[], client: Documents['clients'] | undefined): Scope[] =>
  scope.filter((each) => client !== undefined && allowsScope(client.scopes, each));

/**
 * Removes lost scopes from everything that the client was granted. If it gets them back, users have to consent again.
 */
export async function narrowAccess(tx: Transaction, clock: Clock, client: Documents['clients']): Promise<void> {
  const ofClient = { is: { client: client.id } };
  for (const grant of await tx.find('grants', ofClient)) {
    const scope = restrictScope(grant.scope, client);
    if (scope.length === 0) await revokeGrant(tx, clock, grant.id);
    else if (scope.length < grant.scope.length) tx.put('grants', { ...grant, scope });
  }
  for (const code of await tx.find('codes', ofClient)) {
    if (code.grant_id === null) tx.put('codes', { ...code, scope: restrictScope(code.scope, client) });
  }
  for (const device of await tx.find('devices', ofClient)) {
    if (device.grant_id === null) tx.put('devices', { ...device, scope: restrictScope(device.scope, client) });
  }
}

/** Ends everything that was granted to a client or by a user, including pending codes. */
export async function endAccess(
  tx: Transaction,
  clock: Clock,
  whose: { client: string } | { user: string },
): Promise<void> {
  for (const grant of await tx.find('grants', { is: whose })) await revokeGrant(tx, clock, grant.id);
  for (const name of ['codes', 'devices'] as const)
    for (const { id, grant_id } of await tx.find(name, { is: whose })) if (grant_id === null) tx.remove(name, id);
}
