/** One request to the authorization server, and what its checks have established so far. */
import type { GrantType } from '../../src/contract/oauth.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import type { AuthDeps } from './deps.ts';
import type { AccessTokens } from './access-token.ts';
import type { Assertions } from './assertions.ts';
import type { Attempts } from './attempts.ts';
import type { Pace } from './devices.ts';
import type { Hashing } from './hashing.ts';
import type { PendingRequests } from './pending-requests.ts';
import type { Recognition } from './recognition.ts';
import type { StoredClient } from './stored-account.ts';

/** An attempt to log in by a password. `slowed`: the password was not looked at. */
export interface NotedLogin {
  readonly outcome: 'done' | 'wrong' | 'slowed';
  /** `null`: nobody has the name. */
  readonly user_id: string | null;
  readonly address: string;
}

/** The parts of the server that authorization uses. */
export interface AuthorizationServices extends Pick<AuthDeps, 'store' | 'clock' | 'ids' | 'log'> {
  /** Hashes passwords and client secrets. */
  readonly hashing: Hashing;
  /** Seconds that access tokens live. */
  readonly accessTokenSeconds: number;
  /** Is told of every attempt to log in by a password. */
  readonly noteLogin: (attempt: NotedLogin) => void;
}

/** What all steps work with. */
export interface AuthorizationServer {
  readonly services: AuthorizationServices;
  readonly tokens: AccessTokens;
  readonly pending: PendingRequests;
  readonly clientAttempts: Attempts;
  /** Secrets that were checked although their client had to wait. */
  readonly clientChecks: Attempts;
  readonly assertions: Assertions;
  readonly recognition: Recognition;
  /** How often devices ask. */
  readonly pace: Pace;
  /** A hash that is compared when the client does not exist, so that both answers take the same time. */
  readonly decoy: string;
}

/** What the checks of a request establish. */
export interface Checked {
  client: StoredClient;
  /** The URI of the request. It matches one of the client's, so that errors may go there. */
  redirect_uri: string;
  state: string;
  scope: Scope[];
  code_challenge: string | null;
  /** Whether a person logs in and consents; otherwise the request is approved at once. */
  interactive: boolean;
  grant_type: GrantType;
}

export interface Exchange {
  readonly server: AuthorizationServer;
  /** Where the request came from. */
  readonly address: string;
  /** RFC 8414 2: the URL at which this server is reached. */
  readonly issuer: string;
  /** Parameters given once and not empty (RFC 6749 3.1). */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Names of parameters given more than once. */
  readonly repeated: readonly string[];
  header(name: string): string | undefined;
  /** What the checks before this one established. */
  readonly checked: Partial<Checked>;
}

/** A check throws an OAuthError, or returns what it established. */
export type Step = (exchange: Exchange) => Partial<Checked> | void | Promise<Partial<Checked> | void>;

/** What an earlier check established. A call before that check is a defect of the table in index.ts. */
export function checked<K extends keyof Checked>(exchange: Exchange, name: K): Checked[K] {
  const value = exchange.checked[name];
  if (value === undefined) throw new Error(`No check has established ${name} yet`);
  return value as Checked[K];
}

/** The parameters of a query or a form. */
export function readParameters(input: Readonly<Record<string, unknown>>): Pick<Exchange, 'params' | 'repeated'> {
  const entries = Object.entries(input);
  const usable = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  return {
    params: Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(usable)),
    repeated: entries.filter(([, value]) => Array.isArray(value)).map(([name]) => name),
  };
}
