/**
 * Authorization requests that wait for a person. The server checks a request once; then the browser carries it while login and
 * consent are on the screen. The request is sealed, so that a page cannot change it. The address of the pages holds the
 * request, and the browser's cookie holds the user who logged in. The server keeps no requests, so a thousand requests of one
 * caller push out nobody else's. The key lives in memory: after a restart of the server a person begins again at the application.
 */
import { randomBytes } from 'node:crypto';
import type { Scope } from '../../src/contract/scopes.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { createSealedClaims } from '../../src/node/login/sealed-claims.ts';
import { oauthError } from '../http/oauth-error.ts';
import { sha256 } from '../runtime/secrets.ts';
import type { StoredUser } from './stored-account.ts';
import { removeOldest } from '../../src/domain/oldest.ts';

/** How the application learns what the person decided: by the browser, which goes back to it. */
export interface RedirectAnswer {
  readonly kind: 'redirect';
  readonly redirect_uri: string;
  readonly state: string;
  readonly code_challenge: string | null;
}

/** How a device without a browser learns it: it asks. */
export interface DeviceAnswer {
  readonly kind: 'device';
  /** The id of the device in the store. */
  readonly device: string;
  /** As the person typed it, in the form that the device shows. */
  readonly user_code: string;
  /** Where the device asked from, and when, in ms since 1970. */
  readonly address: string;
  readonly asked_at: number;
}

/** The request of the client, after all checks. */
export interface AuthorizationRequest<Answer = RedirectAnswer | DeviceAnswer> {
  readonly client_id: string;
  readonly client_name: string;
  readonly space: string;
  readonly scope: readonly Scope[];
  readonly answer: Answer;
  /** The address of the server at which the browser is. */
  readonly issuer: string;
  readonly ui_locales: string | undefined;
}

export interface PendingRequest extends AuthorizationRequest {
  /** 128 random bits. */
  readonly id: string;
  /** The request itself, as the pages' address and forms carry it. */
  readonly sealed: string;
  /** The content of the browser's cookie. Only the browser that began the request may go on with it. */
  readonly cookie: string;
  /** The hidden field of the forms. */
  readonly csrf: string;
  /** The user who logged in. */
  readonly user: LoggedIn | undefined;
}

export interface LoggedIn {
  readonly id: string;
  /** The hash of the password's hash: it shows whether the password is still the same. */
  readonly password: string;
}

export const loggedIn = ({ id, password_hash }: StoredUser): LoggedIn => ({ id, password: sha256(password_hash) });

export interface PendingRequests {
  /** OAuthError invalid_request where the request is too long to be carried. */
  open(request: AuthorizationRequest): Promise<PendingRequest>;
  /** The request, if it still waits and this browser began it. `cookieOf` gives the browser's cookie for a request. */
  get(
    sealed: string | undefined,
    cookieOf: (request: Pick<PendingRequest, 'id' | 'issuer'>) => string | undefined,
  ): Promise<PendingRequest | undefined>;
  /** Notes that a user logged in, or out (`undefined`). Address and cookie change, so that a planted one is worth nothing. */
  enter(request: PendingRequest, user: StoredUser | undefined): Promise<PendingRequest>;
  /** Notes that the request was decided. False if another call was faster. */
  close(request: PendingRequest): boolean;
  /** Takes `close` back, because the decision could not be stored. */
  reopen(request: PendingRequest): void;
  /** Ends all requests: every person who is logging in begins again at the application. */
  clear(): void;
}

/** Time for a person to find a password. */
export const pendingSeconds = 600;
/** An address has to fit into the 16 KiB of a request's headers, beside cookies and what browsers say of themselves. */
const longest = 8192;
/** Decided requests that are remembered at most. The oldest is forgotten first. */
const mostDecided = 10_000;

/** What the address carries. `turn` is that of the cookie that belongs to it, once somebody has logged in. */
interface Carried extends AuthorizationRequest {
  readonly id: string;
  readonly turn?: string;
}

/** What the cookie carries: short, since a browser sends those of all logins that it has begun. */
interface Browser {
  readonly id: string;
  readonly turn: string;
  readonly user?: LoggedIn;
}

export function createPendingRequests({ clock }: { readonly clock: Clock }): PendingRequests {
  const claims = createSealedClaims({ clock });
  const decided = new Set<string>();

  const seal = async (carried: Carried, browser: Browser): Promise<PendingRequest> => {
    const sealed = await claims.seal('request', carried, pendingSeconds);
    if (sealed.length > longest) throw oauthError('invalid_request', 'The request is too long; shorten state');
    const cookie = await claims.seal('browser', browser, pendingSeconds);
    return { ...carried, sealed, cookie, csrf: csrfOf(browser), user: browser.user };
  };

  return {
    open(request) {
      const id = unguessable();
      return seal({ ...request, id }, { id, turn: unguessable() });
    },
    async get(sealed, cookieOf) {
      const carried = await claims.open<Carried>('request', sealed);
      if (!carried || decided.has(carried.id)) return undefined;
      const cookie = cookieOf(carried);
      const browser = await claims.open<Browser>('browser', cookie);
      if (browser?.id !== carried.id) return undefined;
      if (carried.turn !== undefined && carried.turn !== browser.turn) return undefined;
      return { ...carried, sealed: sealed!, cookie: cookie!, csrf: csrfOf(browser), user: browser.user };
    },
    enter({ sealed: _sealed, cookie: _cookie, csrf: _csrf, user: _former, ...request }, user) {
      const turn = unguessable();
      return seal({ ...request, turn }, { id: request.id, turn, ...(user && { user: loggedIn(user) }) });
    },
    close({ id }) {
      if (decided.has(id)) return false;
      decided.add(id);
      if (decided.size > mostDecided) removeOldest(decided);
      return true;
    },
    reopen: ({ id }) => void decided.delete(id),
    clear() {
      claims.renew();
      decided.clear();
    },
  };
}

/** 128 random bits, 22 characters. */
const unguessable = (): string => randomBytes(16).toString('base64url');

/** Only this process can read the content of the cookie, and so only this process knows the value. */
const csrfOf = ({ turn }: Browser): string => sha256(`csrf ${turn}`);
