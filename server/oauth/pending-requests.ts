/**
 * Authorization requests that wait for a person: checked once, then held here while login and consent are on the
 * screen, so that nothing a page sends can change what was asked for. They live in memory: whoever logs in while the
 * server restarts begins again at the application.
 */
import type { Scope } from '../../src/contract/scopes.ts';
import type { Clock } from '../../src/domain/clock.ts';
import type { StoredUser } from './exchange.ts';
import { randomSecret, sameSecret } from './secrets.ts';

/** What the client asked for, as checked. */
export interface AuthorizationRequest {
  readonly client_id: string;
  readonly client_name: string;
  readonly space: string;
  readonly redirect_uri: string;
  readonly state: string;
  readonly scope: readonly Scope[];
  readonly code_challenge: string | null;
  readonly issuer: string;
  readonly ui_locales: string | undefined;
}

export interface PendingRequest extends AuthorizationRequest {
  /** Unguessable; the only thing that stands in an address. */
  readonly id: string;
  /** In the forms' hidden field. */
  readonly csrf: string;
  /** In the browser's cookie: only the browser that began may go on. */
  readonly browser: string;
  /** Who logged in. */
  readonly user: StoredUser | undefined;
  /** ms since 1970. */
  readonly expires_at: number;
}

export interface PendingRequests {
  open(request: AuthorizationRequest): PendingRequest;
  /** The request, where it is still waiting and this browser began it. */
  get(id: string | undefined, browser: string | undefined): PendingRequest | undefined;
  /** Someone logged in, or out (`undefined`). The cookie is new afterwards: a planted one is worth nothing. */
  enter(request: PendingRequest, user: StoredUser | undefined): PendingRequest;
  /** It was decided; false where somebody was faster. */
  close(request: PendingRequest): boolean;
  /** Whoever is logging in begins again at the application. */
  clear(): void;
}

/** Time for a person to find a password. */
export const pendingSeconds = 600;
/** Anybody may open requests; the oldest goes first. */
const mostPending = 1000;

export function createPendingRequests({ clock }: { readonly clock: Clock }): PendingRequests {
  const requests = new Map<string, PendingRequest>();

  const removeOld = (): void => {
    for (const [id, request] of requests) {
      if (request.expires_at > clock.now() && requests.size < mostPending) return;
      requests.delete(id);
    }
  };

  return {
    open(request) {
      removeOld();
      const pending = {
        ...request,
        id: randomSecret(),
        csrf: randomSecret(),
        browser: randomSecret(),
        user: undefined,
        expires_at: clock.now() + pendingSeconds * 1000,
      };
      requests.set(pending.id, pending);
      return pending;
    },
    get(id, browser) {
      const pending = id === undefined ? undefined : requests.get(id);
      if (!pending || browser === undefined || pending.expires_at <= clock.now()) return undefined;
      return sameSecret(pending.browser, browser) ? pending : undefined;
    },
    enter(request, user) {
      const entered = { ...request, csrf: randomSecret(), browser: randomSecret(), user };
      if (requests.has(request.id)) requests.set(request.id, entered);
      return entered;
    },
    close: (request) => requests.delete(request.id),
    clear: () => requests.clear(),
  };
}
