/** One request to the authorization server, and what its steps have found out about it so far. */
import type { Scope } from '../../src/contract/scopes.ts';
import type { Services } from '../services.ts';
import type { AccessTokens } from './access-token.ts';
import type { Attempts } from './attempts.ts';
import type { Hashing } from './hashing.ts';
import type { PendingRequests } from './pending-requests.ts';
import type { Recognition } from './recognition.ts';
import type { StoredClient } from './stored-account.ts';

/** What authorization needs of the server. */
export interface AuthorizationServices extends Pick<Services, 'store' | 'clock' | 'ids' | 'log'> {
  /** Of passwords and client secrets. */
  readonly hashing: Hashing;
}

/** What all steps work with. */
export interface AuthorizationServer {
  readonly services: AuthorizationServices;
  readonly tokens: AccessTokens;
  readonly pending: PendingRequests;
  readonly clientAttempts: Attempts;
  readonly recognition: Recognition;
  /** Stands for the secret of a client that does not exist. */
  readonly decoy: string;
}

export interface Findings {
  client: StoredClient;
  /** As the request names it; matched with the client's, so that errors may go there. */
  redirect_uri: string;
  state: string;
  scope: Scope[];
  code_challenge: string | null;
  /** Login and consent instead of approval at once. */
  interactive: boolean;
  grant_type: 'authorization_code' | 'refresh_token';
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
  readonly found: Partial<Findings>;
}

/** A check: throws an OAuthError, or tells what it found out. */
export type Step = (exchange: Exchange) => Partial<Findings> | void | Promise<Partial<Findings> | void>;

/** What an earlier step found; asking before that step is a defect of the table in index.ts. */
export function found<K extends keyof Findings>(exchange: Exchange, name: K): Findings[K] {
  const value = exchange.found[name];
  if (value === undefined) throw new Error(`No step has found ${name} yet`);
  return value as Findings[K];
}

/** The parameters of a query or a form. */
export function readParameters(input: Readonly<Record<string, unknown>>): Pick<Exchange, 'params' | 'repeated'> {
  const entries = Object.entries(input);
  const given = entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string' && entry[1] !== '');
  return {
    params: Object.assign(Object.create(null) as Record<string, string>, Object.fromEntries(given)),
    repeated: entries.filter(([, value]) => Array.isArray(value)).map(([name]) => name),
  };
}
