/**
 * Logs people in: sends the browser to the login page, and completes the login when the browser returns. The caller
 * that waits for the browser keeps the pending login.
 */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { isUnencrypted, normaliseServer } from '../../../src/client/address.ts';
import { createClient } from '../../../src/client/client.ts';
import type { ClientOptions } from '../../../src/client/client.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { isTestClient } from '../../../src/contract/oauth.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import { beginAuthorization, finishAuthorization } from '../../../src/node/login/authorization.ts';
import type { Credentials } from '../../../src/node/login/credential-store.ts';
import type { OAuthClient } from '../../../src/node/login/oauth-tokens.ts';
import { web } from '../../bridge/carriers.ts';
import type { CallInput } from '../../bridge/calls.ts';
import type { AllowedServices } from './allowed-services.ts';
import type { Login } from '../desk/login.ts';
import type { LocalServer } from './local-server.ts';
import type { MachineDeps } from '../service.ts';
import { approveLogin, submitLogin } from './in-process-login.ts';
import type { TypedLogin } from './in-process-login.ts';
import type { PendingLogin, Visit } from './visit.ts';

export interface FinishedLogin extends Pick<PendingLogin, 'previous' | 'next'> {
  readonly login: Login;
  readonly credentials: Credentials;
}

export interface Logins {
  /** Returns the address that the browser must open; in test mode, which asks nothing, the finished login. */
  begin(
    input: CallInput<'session.start'>,
    visit: Visit,
  ): Promise<{ readonly url: string; readonly pending: PendingLogin } | FinishedLogin>;
  /** Logs in to the server in this process with a typed password, without a browser. The password is not stored. */
  byPassword(typed: TypedLogin, visit: Visit): Promise<FinishedLogin>;
  /** Rejects with LOGIN_FAILED if this is not the answer to that login, or arrives too late. */
  finish(query: URLSearchParams, pending: PendingLogin | undefined): Promise<FinishedLogin>;
}

/** Seconds within which a person has to log in. */
export const loginSeconds = 600;
/** Maximum number of services contacted concurrently. */
const maxConcurrent = 8;

const hint = appMessage('login_again');

/**
 * Whether a redirect answers that login. Only such a redirect ends the login, whether it carries a code or an error.
 */
export const isAnswerTo = ({ authorization }: PendingLogin, query: URLSearchParams): boolean =>
  query.getAll('state').includes(authorization.state);

export interface LoginDeps extends Pick<MachineDeps, 'clock' | 'random' | 'uuid' | 'transport'> {
  /** The server in this process. */
  readonly local: LocalServer;
  readonly allowed: AllowedServices;
  /** The service to which the person of that session is logged in. */
  readonly serverOf: (session: string | undefined) => Promise<string | undefined>;
}

export function createLogins(deps: LoginDeps): Logins {
  const { clock, random, uuid, local, allowed } = deps;
  let asked = 0;

  const getClientOptions = (place: Login['place'], server: string): ClientOptions => ({
    transport: place === 'service' ? deps.transport : local.transport,
    server,
    clock,
    random,
    uuid,
    retry: { limit: 1, patience: 5000 },
  });
  const chooseAddress = ({ place, server }: CallInput<'session.start'>, { origin }: Visit): string => {
    // The server in this process has the address that the browser sees (RFC 9207).
    if (place !== 'service') return origin;
    if (server === undefined || server === '')
      throw new AppError('VALIDATION_FAILED', { message: appMessage('no_address') });
    const address = normaliseServer(server);
    if (isUnencrypted(address)) {
      throw new AppError('CONFIGURATION', {
        message: appMessage('unencrypted'),
        hint: appMessage('unencrypted_hint'),
      });
    }
    return address;
  };
  const chooseClient = async (
    { place, client_id, client_secret }: CallInput<'session.start'>,
    redirectUri: string,
  ): Promise<OAuthClient> => {
    if (place === 'this-computer') return local.client(redirectUri);
    if (place === 'service') {
      if (!client_id)
        throw new AppError('VALIDATION_FAILED', {
          message: appMessage('no_client_id'),
          hint: appMessage('no_client_id_hint'),
        });
      return { client_id, client_secret: client_secret ?? '' };
    }
    if (local.testClient) return local.testClient;
    throw new AppError('CONFIGURATION', { message: appMessage('no_test_client') });
  };
  /**
   * The operator of this server allows each service once. Otherwise anyone who reaches this server could make it call
   * any address.
   */
  const checkService = async (address: string, { code }: CallInput<'session.start'>, visit: Visit): Promise<void> => {
    if (!local.asksCode || allowed.has(address) || (await deps.serverOf(visit.session)) === address) return;
    local.checkCode(code);
    await allowed.add(address);
  };
  const inBounds = async <T>(ask: () => Promise<T>): Promise<T> => {
    if (asked >= maxConcurrent) throw new AppError('SERVER_BUSY', { retryAfter: 3 });
    asked++;
    try {
      return await ask();
    } finally {
      asked--;
    }
  };
  const finished = async (pending: Omit<PendingLogin, 'until'>, query: URLSearchParams): Promise<FinishedLogin> => {
    const { place, client, authorization, previous, next } = pending;
    const http = getClientOptions(place, pending.server);
    const credentials = await finishAuthorization(http, { client, pending: authorization, query, hint });
    const { data } = await createClient({ ...http, token: async () => credentials.access_token }).oauth.validate();
    if (!data.user) throw new AppError('BAD_ANSWER', { message: appMessage('nobody_named') });
    const login: Login = {
      place,
      server: normaliseServer(pending.server),
      client_id: client.client_id,
      test_mode: isTestClient(client.client_id),
      person: data.user,
    };
    return { previous, next, login, credentials };
  };

  /** The address of the login page, and the pending login that its redirect ends. */
  const prepared = async (input: CallInput<'session.start'>, visit: Visit) => {
    const { place } = input;
    const server = chooseAddress(input, visit);
    if (place === 'service') await checkService(server, input, visit);
    const redirectUri = place === 'test' ? (local.testClient?.redirect_uri ?? '') : `${visit.origin}${web.callback}`;
    const client = await chooseClient(input, redirectUri);
    const http = getClientOptions(place, server);
    const request = { client, redirectUri, scope: allScopes.join(' '), manual: false, language: input.language };
    const begin = () => beginAuthorization(http, request);
    const { url, pending: authorization } = await (place === 'service' ? inBounds(begin) : begin());
    const pending = { place, server, client, authorization, previous: visit.session, next: visit.nextSession };
    return { http, url, pending };
  };

  return {
    async begin(input, visit) {
      const { http, url, pending } = await prepared(input, visit);
      if (pending.place === 'test') return finished(pending, await approveLogin(http, url));
      return { url, pending: { ...pending, until: clock.now() + loginSeconds * 1000 } };
    },
    async byPassword(typed, visit) {
      const { http, url, pending } = await prepared({ place: 'this-computer' }, visit);
      return finished(pending, await submitLogin(http, url, typed));
    },
    async finish(query, pending) {
      if (pending && isAnswerTo(pending, query) && pending.until > clock.now()) return finished(pending, query);
      throw new AppError('LOGIN_FAILED', { message: appMessage('login_late'), hint });
    },
  };
}
