/** A request to the authorization server, with the results of its checks so far. */
import type { GrantType } from '../../src/contract/oauth.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import type { AuthDeps } from './deps.ts';
import type { AccessTokens } from './access-token.ts';
import type { Assertions } from './assertions.ts';
import type { Attempts } from './attempts.ts';
import type { Pace } from './devices.ts';
import type { Hashing } from './hashing.ts';
import type { PendingRequests } from './pending-requests.ts';
import type { Provider, ProviderProblem } from './provider/provider.ts';
import type { VerifiedSecretsCache } from './verified-secrets-cache.ts';
import type { StoredClient } from './stored-account.ts';

/** An attempt to log in. `slowed`: the password, secret or code was not checked. */
export interface LoginEvent {
  readonly way:
    | 'password'
    | 'secret'
    | 'device_code'
    | 'setup_code'
    | 'operator_token'
    | 'provider'
    | 'operator_provider';
  readonly outcome: 'done' | 'wrong' | 'slowed';
  /** Why the login provider let nobody in, for the log. */
  readonly reason?: ProviderProblem;
  /** `null` if no user has the name. */
  readonly user_id?: string | null;
  /** `null` if there is no such client. */
  readonly client_id?: string | null;
  readonly from: Sender;
}

/** Where a request comes from. */
export interface Sender {
  readonly address: string;
  readonly request_id: string;
}

/** The services that authorization uses. */
export interface AuthorizationServices extends Pick<AuthDeps, 'store' | 'counters' | 'clock' | 'ids' | 'log'> {
  /** Hashes passwords and client secrets. */
  readonly hashing: Hashing;
  /** Lifetime of access tokens in seconds. */
  readonly accessTokenSeconds: number;
  /** Who else logs people in; `undefined`: nobody. */
  readonly provider?: Provider | undefined;
  /** Receives every login by password or provider, and every refused secret or code. */
  readonly noteLogin: (attempt: LoginEvent) => void;
}

/** The state and services that all steps share. */
export interface AuthorizationServer {
  readonly services: AuthorizationServices;
  readonly tokens: AccessTokens;
  readonly pending: PendingRequests;
  readonly clientAttempts: Attempts;
  /** Secrets that were checked while their client had to wait. */
  readonly clientChecks: Attempts;
  readonly assertions: Assertions;
  readonly verifiedSecrets: VerifiedSecretsCache;
  /** How often devices poll. */
  readonly pace: Pace;
  /** Compared if the client is unknown, so that both answers take the same time. */
  readonly decoy: string;
}

/** Results of the checks of a request. */
export interface CheckResults {
  client: StoredClient;
  /** The request's URI. It matches one of the client's, so errors may be sent there. */
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
  /** The address of the client. */
  readonly address: string;
  readonly request_id: string;
  /** RFC 8414 2: the URL of this server. */
  readonly issuer: string;
  /** Parameters that occur once and are not empty (RFC 6749 3.1). */
  readonly params: Readonly<Record<string, string | undefined>>;
  /** Names of repeated parameters. */
  readonly repeated: readonly string[];
  header(name: string): string | undefined;
  /** Results of the checks so far. */
  readonly checked: Partial<CheckResults>;
}

/** Throws an OAuthError or returns its results. */
export type Step = (exchange: Exchange) => Partial<CheckResults> | void | Promise<Partial<CheckResults> | void>;

/** Returns an earlier check's result. A missing result is a bug in the table of index.ts. */
export function requireChecked<K extends keyof CheckResults>(exchange: Exchange, name: K): CheckResults[K] {
  const value = exchange.checked[name];
  if (value === undefined) throw new Error(`No check has established ${name} yet`);
  return value as CheckResults[K];
}

/** Reads the parameters of a query or form. */
export function readParameters(input: Readonly<Record<string, unknown>>): Pick<Exchange, 'params' | 'repeated'> {
  const entries = Object.entries(input);
  const usable = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  return {
    params: Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(usable)),
    repeated: entries.filter(([, value]) => Array.isArray(value)).map(([name]) => name),
  };
}
