/** A page that comes to the app, and the login that it may be on. */
import type { PendingAuthorization } from '../../../src/node/authorization.ts';
import type { OAuthClient } from '../../../src/node/oauth-tokens.ts';
import type { Login } from '../desk/login.ts';
import type { Updates } from '../page/update-calls.ts';

/** A page on its way: which session it belongs to, and where it can be sent. */
export interface Visit {
  /** The page's session; one that nobody logged in with is logged out. File-name safe. */
  readonly session: string | undefined;
  /** The session that a login makes; the old one ends with it, so that nobody can have laid it out. */
  readonly nextSession: string;
  /** Where the browser sees this server: `http://127.0.0.1:8742`. */
  readonly origin: string;
  /** Takes the person's browser to an address; absent where the page itself goes. */
  readonly open?: (url: string) => Promise<void>;
  /** Takes a login that is on its way, for `comeBack`. */
  readonly keep: (login: PendingLogin) => void;
  /** Absent where the page is not in a shell of its own. */
  readonly updates?: Updates;
}

/** A login on its way: kept by whoever waits for the browser. Plain data; it holds a secret. */
export interface PendingLogin {
  readonly place: Login['place'];
  /** Base URL. */
  readonly server: string;
  readonly client: OAuthClient;
  readonly authorization: PendingAuthorization;
  /** The session that asked. */
  readonly former: string | undefined;
  /** The session that the login makes. */
  readonly next: string;
  /** ms since 1970. */
  readonly until: number;
}
