/** A page that visits the app, and a pending login. */
import type { PendingAuthorization } from '../../../src/node/login/authorization.ts';
import type { OAuthClient } from '../../../src/node/login/oauth-tokens.ts';
import type { Login } from '../desk/login.ts';
import type { InsertionWay } from '../../bridge/anywhere.ts';
import type { UpdateChannel, UpdateState } from '../../bridge/updates.ts';

/** A visit of a page: its session, and how to redirect it. */
export interface Visit {
  /** Id of the page's session, safe as a file name. Without a login under this id the page is logged out. */
  readonly session: string | undefined;
  /** Id of the session that a login creates. The old session ends then, so that nobody can plant a session id. */
  readonly nextSession: string;
  /** Origin at which the browser sees this server: `http://127.0.0.1:8742`. */
  readonly origin: string;
  /** Opens an address in the person's browser; absent if the page navigates instead. */
  readonly open?: (url: string) => Promise<void>;
  /** Keeps a pending login until `comeBack`. */
  readonly keep: (login: PendingLogin) => void;
  /** Absent if the page is not in a window of the app. */
  readonly updates?: Updates;
  /** Absent if the page is not in a window of the app. */
  readonly insertion?: Insertion;
}

/** Puts text into other programs. */
export interface Insertion {
  insert(text: string): Promise<InsertionWay>;
  close(): void;
}

/** Updates, if the page is in a window that can install them. */
export interface Updates {
  readonly state: UpdateState;
  choose(channel: UpdateChannel): Promise<void>;
  /** Returns at once; the app restarts as soon as no dictation is being recorded. */
  restart(): void;
}

/** A pending login, kept by the caller that waits for the browser. Plain data; contains a secret. */
export interface PendingLogin {
  readonly place: Login['place'];
  /** Base URL of the service. */
  readonly server: string;
  readonly client: OAuthClient;
  readonly authorization: PendingAuthorization;
  /** The session that started the login. */
  readonly previous: string | undefined;
  /** The session that the login creates. */
  readonly next: string;
  /** When the login expires, ms since 1970. */
  readonly until: number;
}
