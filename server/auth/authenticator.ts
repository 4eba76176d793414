/** Resolves access tokens to callers. Every API call needs this, so verified tokens are cached. */
import { isTestClient } from '../../src/contract/oauth.ts';
import { allowsScope } from '../../src/contract/scopes.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import { machineClockOf } from '../../src/domain/clock.ts';
import { createKeyedListeners } from '../../src/domain/listeners.ts';
import { unauthorized } from '../http/authenticator.ts';
import type { Authenticator, TokenRefusal } from '../http/authenticator.ts';
import type { Caller } from '../http/call.ts';
import type { AuthDeps } from './deps.ts';
import type { Reader } from '../storage/store.ts';
import { createAccessTokens, subjectOf } from './access-token.ts';
import type { AccessTokenClaims, Grant } from './access-token.ts';
import { removeOldest } from '../../src/domain/oldest.ts';

export interface TokenAuthenticator extends Authenticator {
  /** Drops all verified tokens. Called when any document may have changed. */
  forget(): void;
}

/** Size of the cache; the oldest token is evicted and verified again when needed. */
const maxTokens = 5000;
/** How long a grant is not read again, in ms; any change of a grant that this member hears of ends that. */
const rememberedMs = 1000;

interface VerifiedToken {
  readonly claims: AccessTokenClaims;
  readonly grant: Grant;
  readonly caller: Caller;
  /** When the grant has to be read again, in ms of the machine's clock. */
  readonly until: number;
  /** Changes of grants that were heard of before the grant was read. */
  readonly changes: number;
}

export function createAuthenticator(services: Pick<AuthDeps, 'store' | 'clock'>): TokenAuthenticator {
  const { store, clock } = services;
  const tokens = createAccessTokens(services);
  const machine = machineClockOf(clock);
  const cache = new Map<string, VerifiedToken>();
  let changes = 0;
  /** Keyed by grant. */
  const followers = createKeyedListeners<string>();
  store.watch('grants', (ids) => {
    changes += 1;
    for (const id of ids) followers.notify(id);
  });
  const isRecent = ({ until, changes: heard, claims }: VerifiedToken): boolean =>
    heard === changes && machine.elapsed() < until && claims.expires_at > clock.now();

  const verify = async (token: string) => {
    const claims = await tokens.read(token);
    if (typeof claims === 'string') throw unauthorized(claims);
    const grant = await store.get('grants', claims.grant_id);
    const client = await store.get('clients', claims.client_id);
    const user = grant?.user_id ? await store.get('users', grant.user_id) : null;
    if (!grant || !client || user === undefined) throw unauthorized('revoked');
    return { claims, grant, caller: createCaller(claims, { user, client_name: client.name }, grant) };
  };

  const bearer = async (token: string): Promise<Caller> => {
    const before = cache.get(token);
    if (before && isRecent(before)) return before.caller;
    const known = before ?? (await verify(token));
    const heard = changes;
    const grant = await store.get('grants', known.claims.grant_id);
    const refusal = findRefusal(known.claims, grant, clock.now());
    if (refusal || !grant) {
      cache.delete(token);
      throw unauthorized(refusal ?? 'revoked');
    }
    // The grant may have lost scopes since the token was signed.
    const caller = before && grant === before.grant ? before.caller : createCaller(known.claims, known.caller, grant);
    cache.delete(token);
    cache.set(token, { claims: known.claims, grant, caller, until: machine.elapsed() + rememberedMs, changes: heard });
    if (cache.size > maxTokens) removeOldest(cache);
    return caller;
  };

  return {
    bearer,
    follow(token, { grant_id, expires_at }, isAllowed, over) {
      let isOver = false;
      const end = (): void => {
        isOver = true;
        unfollow();
        stopWaiting();
      };
      const recheck = (): void => {
        const allowed = bearer(token).then(
          ({ scopes }) => isAllowed(scopes),
          () => false,
        );
        void allowed.then((isStillAllowed) => {
          if (isStillAllowed || isOver) return;
          end();
          over();
        });
      };
      const unfollow = followers.add(grant_id, recheck);
      const stopWaiting = clock.schedule(expires_at, recheck);
      // The grant may have been revoked since the caller was resolved.
      recheck();
      return end;
    },
    checkStillAllowed,
    forget: () => cache.clear(),
  };
}

async function checkStillAllowed(
  reader: Reader,
  { grant_id, token_id }: Pick<Caller, 'grant_id' | 'token_id'>,
  scope: Scope | undefined,
): Promise<void> {
  const grant = await reader.get('grants', grant_id);
  const isAllowed = grant && isValid(grant, token_id) && (scope === undefined || grant.scope.includes(scope));
  if (!isAllowed) throw unauthorized('revoked');
}

function findRefusal(claims: AccessTokenClaims, grant: Grant | undefined, now: number): TokenRefusal | undefined {
  if (claims.expires_at <= now) return 'expired';
  if (!grant || !isValid(grant, claims.id)) return 'revoked';
  return matchesGrant(grant, claims) ? undefined : 'unknown';
}

const isValid = (grant: Grant, tokenId: string): boolean =>
  grant.revoked_at === null && !grant.revoked_tokens.includes(tokenId);

/** Whether the token's claims match its grant. */
const matchesGrant = (grant: Grant, claims: AccessTokenClaims): boolean =>
  claims.issuer === grant.issuer &&
  claims.audience === grant.issuer &&
  claims.client_id === grant.client_id &&
  claims.subject === subjectOf(grant);

const createCaller = (
  claims: AccessTokenClaims,
  { user, client_name }: Pick<Caller, 'user' | 'client_name'>,
  grant: Grant,
): Caller => ({
  client_id: claims.client_id,
  client_name,
  grant_id: grant.id,
  token_id: claims.id,
  user: user && { id: user.id, username: user.username, display_name: user.display_name },
  space: grant.space,
  scopes: claims.scope.filter((scope) => allowsScope(grant.scope, scope)),
  test_mode: isTestClient(claims.client_id),
  expires_at: claims.expires_at,
});
