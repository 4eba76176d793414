/**
 * Authorization requests that wait for a person. The server checks a request once; then the browser carries it, sealed,
 * in the address of the login and consent pages, and the logged-in user in a cookie. The server stores none, so no
 * caller can push out the requests of others, and any member can continue one.
 */
import { randomBytes } from 'node:crypto';
import type { Scope } from '../../src/contract/scopes.ts';
import { createSealedClaims } from '../../src/node/login/sealed-claims.ts';
import { oauthError } from '../http/oauth-error.ts';
import { sha256 } from '../runtime/secrets.ts';
import type { AuthDeps } from './deps.ts';
import { readLoginKey } from './server-key.ts';
import type { ProviderTrip } from './provider/provider.ts';
import type { StoredUser } from './stored-account.ts';

/** The browser redirects to the application with the decision. */
export interface RedirectAnswer {
  readonly kind: 'redirect';
  readonly redirect_uri: string;
  readonly state: string;
  readonly code_challenge: string | null;
}

/** The device polls for the decision. */
export interface DeviceAnswer {
  readonly kind: 'device';
  /** The id of the stored device. */
  readonly device: string;
  /** The code that the person typed, formatted as the device shows it. */
  readonly user_code: string;
  /** Where the device asked from, and when (ms since 1970). */
  readonly address: string;
  readonly asked_at: number;
}

/** A client's request that passed all checks. */
export interface AuthorizationRequest<Answer = RedirectAnswer | DeviceAnswer> {
  readonly client_id: string;
  readonly client_name: string;
  readonly space: string;
  readonly scope: readonly Scope[];
  readonly answer: Answer;
  /** The URL of this server that the browser uses. */
  readonly issuer: string;
  readonly ui_locales: string | undefined;
}

export interface PendingRequest extends AuthorizationRequest {
  /** 128 random bits. */
  readonly id: string;
  /** The encrypted request, for addresses and forms. */
  readonly sealed: string;
  /** The cookie's value. Only the browser that began the request can continue it. */
  readonly cookie: string;
  /** The hidden field of the forms. */
  readonly csrf: string;
  /** The logged-in user. */
  readonly user: LoggedInUser | undefined;
  /** The way to the login provider from which the address comes back. */
  readonly trip?: ProviderTrip;
}

export interface LoggedInUser {
  readonly id: string;
  /** A hash of the password's hash, which detects a changed password. */
  readonly password: string;
}

export const toLoggedInUser = ({ id, password_hash }: StoredUser): LoggedInUser => ({
  id,
  password: sha256(password_hash),
});

export interface PendingRequests {
  /** Throws OAuthError invalid_request if the request is too long. */
  open(request: AuthorizationRequest): Promise<PendingRequest>;
  /**
   * Returns the request if it is pending and this browser began it. `cookieOf` returns the browser's cookie for a
   * request.
   */
  get(
    sealed: string | undefined,
    cookieOf: (request: Pick<PendingRequest, 'id' | 'issuer'>) => string | undefined,
  ): Promise<PendingRequest | undefined>;
  /**
   * Stores that a user logged in, or out (`undefined`). Address and cookie change, so that a planted one is worthless.
   */
  enter(request: PendingRequest, user: StoredUser | undefined): Promise<PendingRequest>;
  /** The sealed request for the way to the login provider and back. It comes back only in this browser, and before a login. */
  sealTrip(request: PendingRequest, trip: ProviderTrip): Promise<string>;
  /** Marks the request as decided. Resolves to false if it was already. */
  close(request: PendingRequest): Promise<boolean>;
  /** Undoes `close` if the decision could not be stored. */
  reopen(request: PendingRequest): Promise<void>;
}

/** Time to find a password. */
export const pendingSeconds = 600;
/** An address has to fit into 16 KiB of headers, with cookies and the browser's own headers. */
const maxSealedLength = 8192;

/** The content of the address. `turn` ties it to its cookie after a login. */
interface AddressClaims extends AuthorizationRequest {
  readonly id: string;
  readonly turn?: string;
  readonly trip?: ProviderTrip;
}

/** The content of the cookie: short, because browsers send the cookies of all pending logins. */
interface CookieClaims {
  readonly id: string;
  readonly turn: string;
  readonly user?: LoggedInUser;
}

export function createPendingRequests(deps: Pick<AuthDeps, 'store' | 'counters' | 'clock'>): PendingRequests {
  const { counters, clock } = deps;
  const claims = createSealedClaims({ clock, key: () => readLoginKey(deps) });
  const decisionOf = ({ id }: Pick<PendingRequest, 'id'>): string => `decision ${id}`;

  const seal = async (carried: AddressClaims, browser: CookieClaims): Promise<PendingRequest> => {
    const sealed = await claims.seal('request', carried, pendingSeconds);
    if (sealed.length > maxSealedLength) throw oauthError('invalid_request', 'The request is too long; shorten state');
    const cookie = await claims.seal('browser', browser, pendingSeconds);
    return { ...carried, sealed, cookie, csrf: csrfOf(browser), user: browser.user };
  };

  return {
    open(request) {
      const id = createRandomId();
      return seal({ ...request, id }, { id, turn: createRandomId() });
    },
    async get(sealed, cookieOf) {
      if (sealed === undefined) return undefined;
      const carried = await claims.open<AddressClaims>('request', sealed);
      if (!carried || (await counters.read(decisionOf(carried))).n > 0) return undefined;
      const cookie = cookieOf(carried);
      if (cookie === undefined) return undefined;
      const browser = await claims.open<CookieClaims>('browser', cookie);
      if (browser?.id !== carried.id) return undefined;
      if (carried.turn !== undefined && carried.turn !== browser.turn) return undefined;
      return { ...carried, sealed, cookie, csrf: csrfOf(browser), user: browser.user };
    },
    enter({ sealed: _sealed, cookie: _cookie, csrf: _csrf, user: _former, trip: _trip, ...request }, user) {
      const turn = createRandomId();
      return seal({ ...request, turn }, { id: request.id, turn, ...(user && { user: toLoggedInUser(user) }) });
    },
    async sealTrip({ sealed: _sealed, cookie, csrf: _csrf, user: _user, ...request }, trip) {
      const { turn } = (await claims.open<CookieClaims>('browser', cookie)) ?? {};
      return claims.seal('request', { ...request, trip, ...(turn !== undefined && { turn }) }, pendingSeconds);
    },
    async close(request) {
      const { n } = await counters.add(decisionOf(request), 1, { ms: pendingSeconds * 1000, renewed: true });
      return n === 1;
    },
    reopen: (request) => counters.forget(decisionOf(request)),
  };
}

/** 128 random bits, 22 characters. */
const createRandomId = (): string => randomBytes(16).toString('base64url');

/** Only the server can decrypt the cookie, so only it knows this value. */
const csrfOf = ({ turn }: CookieClaims): string => sha256(`csrf ${turn}`);
