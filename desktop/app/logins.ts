/** Logins that have begun: each ends when the browser comes back, once, or when its time is up. */
import { isUnencrypted, normaliseServer } from '../../src/client/address.ts';
import { createClient } from '../../src/client/client.ts';
import type { ClientOptions } from '../../src/client/client.ts';
import { AppError } from '../../src/contract/errors.ts';
import { isTestClient } from '../../src/contract/oauth.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import { beginAuthorization } from '../../src/node/authorization.ts';
import type { Authorization } from '../../src/node/authorization.ts';
import type { Credentials } from '../../src/node/credential-store.ts';
import type { OAuthClient } from '../../src/node/oauth-tokens.ts';
import { web } from '../bridge.ts';
import type { CallInput } from '../bridge.ts';
import type { Login } from './desk.ts';
import type { HostDeps, Visit } from './host.ts';

export interface FinishedLogin {
  /** The session that asked. */
  readonly former: string | undefined;
  readonly login: Login;
  readonly credentials: Credentials;
}

export interface Logins {
  /** Where the browser has to go; or, in test mode, the login itself, since nobody is asked. */
  begin(input: CallInput<'session.start'>, visit: Visit): Promise<{ readonly url: string } | FinishedLogin>;
  /** LOGIN_FAILED where no login of that session waits for this answer. */
  finish(query: URLSearchParams, nextSession: string): Promise<FinishedLogin>;
}

/** Milliseconds that a person has to log in. */
const limit = 10 * 60_000;
/** Logins that wait, at most: the oldest is given up. */
const most = 100;

interface Pending {
  readonly authorization: Authorization;
  readonly http: ClientOptions;
  readonly place: Login['place'];
  readonly client: OAuthClient;
  readonly visit: Visit;
  readonly until: number;
}

export function createLogins(deps: Pick<HostDeps, 'clock' | 'random' | 'uuid' | 'transport' | 'local'>): Logins {
  const { clock, random, uuid, local } = deps;
  const pending = new Map<string, Pending>();

  const optionsOf = (place: Login['place'], server: string): ClientOptions => ({
    transport: place === 'service' ? deps.transport : local.transport,
    server,
    clock,
    random,
    uuid,
    retry: { limit: 1, patience: 5000 },
  });
  const serverOf = ({ place, server }: CallInput<'session.start'>, { origin }: Visit): string => {
    // In this process the server goes by the name by which the browser sees it (RFC 9207).
    if (place !== 'service') return origin;
    if (server === undefined || server === '')
      throw new AppError('VALIDATION_FAILED', { message: 'The address of the service is missing.' });
    const address = normaliseServer(server);
    if (isUnencrypted(address)) {
      throw new AppError('CONFIGURATION', {
        message: 'The connection to this service is not encrypted.',
        hint: 'Use an address that begins with https.',
      });
    }
    return address;
  };
  const clientOf = async (
    { place, client_id, client_secret }: CallInput<'session.start'>,
    redirectUri: string,
  ): Promise<OAuthClient> => {
    if (place === 'this-computer') return local.client(redirectUri);
    if (place === 'service') {
      if (!client_id)
        throw new AppError('VALIDATION_FAILED', {
          message: 'The client id is missing.',
          hint: 'Whoever runs the service gives it.',
        });
      return { client_id, client_secret: client_secret ?? '' };
    }
    if (local.testClient) return local.testClient;
    throw new AppError('CONFIGURATION', { message: 'This server was started without its test client.' });
  };
  const finished = async (
    { http, place, client, visit }: Omit<Pending, 'until' | 'authorization'>,
    credentials: Credentials,
  ): Promise<FinishedLogin> => {
    const { data } = await createClient({ ...http, token: async () => credentials.access_token }).oauth.validate();
    const login: Login = {
      place,
      server: normaliseServer(http.server),
      client_id: client.client_id,
      test_mode: isTestClient(client.client_id),
      person: data.user,
    };
    return { former: visit.session, login, credentials };
  };
  const sweep = (): void => {
    for (const [state, { until }] of pending) if (until <= clock.now() || pending.size >= most) pending.delete(state);
  };

  return {
    async begin(input, visit) {
      const { place } = input;
      // Otherwise anybody who reaches this server could have it call any address.
      if (place === 'service' && !visit.isHere) {
        throw new AppError('FORBIDDEN', {
          message: 'Another service can only be chosen on the computer where Laudio runs.',
        });
      }
      const isTest = place === 'test';
      const redirectUri = isTest ? (local.testClient?.redirect_uri ?? '') : `${visit.origin}${web.callback}`;
      const client = await clientOf(input, redirectUri);
      const http = optionsOf(place, serverOf(input, visit));
      const authorization = await beginAuthorization(http, {
        client,
        redirectUri,
        scope: allScopes.join(' '),
        manual: false,
        hint: 'Try to log in again.',
        language: input.language,
      });
      if (isTest) {
        const query = await approvedQuery(http, authorization.url);
        return finished({ http, place, client, visit }, await authorization.finish(query));
      }
      sweep();
      pending.set(authorization.state, { authorization, http, place, client, visit, until: clock.now() + limit });
      return { url: authorization.url };
    },
    async finish(query, nextSession) {
      const state = query.get('state') ?? '';
      const found = pending.get(state);
      if (!found || found.visit.nextSession !== nextSession || found.until <= clock.now()) {
        throw new AppError('LOGIN_FAILED', {
          message: 'This login was not begun here, or took too long.',
          hint: 'Try to log in again.',
        });
      }
      pending.delete(state);
      return finished(found, await found.authorization.finish(query));
    },
  };
}

/** A test client is approved without anybody being asked (specification, section 1): the redirect alone is of interest. */
async function approvedQuery({ transport }: ClientOptions, url: string): Promise<URLSearchParams> {
  const answer = await transport({ method: 'GET', url, headers: { accept: 'text/html' } });
  await answer.text(1024 * 1024);
  const { location } = answer.headers;
  if (answer.status !== 303 || location === undefined || !URL.canParse(location)) {
    throw new AppError('LOGIN_FAILED', { message: 'The test login was refused.' });
  }
  return new URL(location).searchParams;
}
