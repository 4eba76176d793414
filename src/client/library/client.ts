/** `createClient` of the package: the typed client of src/client with its Node dependencies. */
import { randomUUID } from 'node:crypto';
import { isUnencrypted, normaliseServer } from '../address.ts';
import { createClient as createTypedClient } from '../client.ts';
import type { Client, ClientOptions, Retry } from '../client.ts';
import { AppError } from '../../contract/errors.ts';
import { refuseUnknown } from './options.ts';
import { waitingClock } from '../../node/clock.ts';
import { createHttpCall } from '../../node/http/http-call.ts';
import { clientBySecret, logInMachine } from '../../node/login/machine-login.ts';
import { isIssuedTo, keptTokens } from '../../node/login/token-source.ts';

/** The caller's identity and the server. Omitted options come from the environment. */
export interface LaudioOptions {
  /** Address of the server: `https://laudio.example.com`. Default: `LAUDIO_SERVER`. */
  readonly server?: string;
  /**
   * An access token, or a function that returns one before each call. Default: `LAUDIO_TOKEN`, if the server is that of
   * the environment.
   */
  readonly token?: string | (() => Promise<string>);
  /**
   * Id of a partner application of type server, which logs in without a person (`laudio client create --type server`).
   * Default: `LAUDIO_CLIENT_ID`, if the server is that of the environment.
   */
  readonly clientId?: string;
  /** Its secret. Default: `LAUDIO_CLIENT_SECRET`, if the server is that of the environment. */
  readonly clientSecret?: string;
  /** For the calls of the server's operator: the `admin_token` in `server.json` of its data directory. */
  readonly adminToken?: string;
  /** Milliseconds without a sign of the server after which a call fails. Default: 30,000. */
  readonly timeout?: number;
  /** The largest number of repetitions after 429, 503 or, if that is safe, a lost connection. Default: 3. */
  readonly retries?: number;
  /** Called before each repetition. */
  readonly onRetry?: (retry: Retry) => void;
  /** Headers of every call. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The client of a server: a function for each call of the API, by group, `laudio.worklists.ingest({ body })`. */
export interface Laudio extends Client, AsyncDisposable {
  /** Address of the server. */
  readonly server: string;
  /** Ends its connections; idle ones keep no process alive. */
  close(): Promise<void>;
}

const known = [
  'server',
  'token',
  'clientId',
  'clientSecret',
  'adminToken',
  'timeout',
  'retries',
  'onRetry',
  'headers',
] as const satisfies readonly (keyof LaudioOptions)[];

/**
 * Makes the client of a server. Nothing is sent before the first call. A call throws AppError: the error of the server
 * with its `code`, `status` and `requestId`, or NETWORK, BAD_ANSWER, LOGIN_FAILED, INTERRUPTED. CONFIGURATION at once
 * if the server or the credentials are unusable.
 *
 * ```ts
 * const laudio = createClient({ server: 'https://laudio.example.com', clientId, clientSecret });
 * const { data } = await laudio.worklists.list({ query: { status: 'new' } });
 * ```
 */
export function createClient(options: LaudioOptions = {}): Laudio {
  refuseUnknown('createClient', options, known);
  const { server, isOfEnvironment } = resolveServer(options);
  if (isUnencrypted(server))
    process.emitWarning(`The connection to ${server} is not encrypted: others on the way can read everything.`, {
      code: 'LAUDIO_UNENCRYPTED',
    });
  const { transport, close } = createHttpCall({ timeout: options.timeout ?? 30_000 });
  const { adminToken, retries, onRetry, headers } = options;
  const http: ClientOptions = {
    transport,
    server,
    clock: waitingClock,
    random: Math.random,
    uuid: randomUUID,
    ...(retries !== undefined && { retry: { limit: retries } }),
    ...(onRetry && { onRetry }),
    ...(headers && { headers }),
  };
  const client = createTypedClient({
    ...http,
    ...chooseTokens(http, isOfEnvironment ? { ...fromEnvironment(), ...options } : options),
    ...(adminToken !== undefined && { adminToken: async () => adminToken }),
  });
  return { ...client, server, close, [Symbol.asyncDispose]: close };
}

type Credentials = Pick<LaudioOptions, 'token' | 'clientId' | 'clientSecret'>;

/** An empty variable counts as none. */
const fromEnvironment = ({ LAUDIO_TOKEN, LAUDIO_CLIENT_ID, LAUDIO_CLIENT_SECRET } = process.env): Credentials => ({
  ...(LAUDIO_TOKEN && { token: LAUDIO_TOKEN }),
  ...(LAUDIO_CLIENT_ID && { clientId: LAUDIO_CLIENT_ID }),
  ...(LAUDIO_CLIENT_SECRET && { clientSecret: LAUDIO_CLIENT_SECRET }),
});

/** Secrets of the environment go to the server of the environment and to no other. */
function resolveServer({ server }: LaudioOptions): { server: string; isOfEnvironment: boolean } {
  const variable = process.env['LAUDIO_SERVER'];
  const named = server ?? variable;
  if (!named) {
    throw new AppError('CONFIGURATION', {
      message: 'createClient does not know the server.',
      hint: 'Give it as { server }, or set LAUDIO_SERVER.',
    });
  }
  const normal = normaliseServer(named);
  return { server: normal, isOfEnvironment: Boolean(variable) && normal === normaliseServer(variable ?? '') };
}

function chooseTokens(http: ClientOptions, { token, clientId, clientSecret }: Credentials): Partial<ClientOptions> {
  if (typeof token === 'function') return { token };
  if ((clientId === undefined) !== (clientSecret === undefined)) {
    const [given, missing] = clientId === undefined ? ['clientSecret', 'clientId'] : ['clientId', 'clientSecret'];
    throw new AppError('CONFIGURATION', {
      message: `createClient has ${given}, but no ${missing}.`,
      hint: 'An application logs in by both.',
    });
  }
  if (clientId === undefined || clientSecret === undefined) {
    return { token: token === undefined ? async () => refuseAnonymous() : async () => token };
  }
  if (token !== undefined && !isIssuedTo(token, clientId)) return { token: async () => token };
  return keptTokens(http.clock, () => logInMachine(http, clientBySecret(clientId, clientSecret), undefined), token);
}

function refuseAnonymous(): never {
  throw new AppError('LOGIN_REQUIRED', {
    message: 'This call needs an access token, and createClient has none.',
    hint: 'Give it { token }, or { clientId, clientSecret } of an application of type server; or set LAUDIO_SERVER with LAUDIO_TOKEN, or with LAUDIO_CLIENT_ID and LAUDIO_CLIENT_SECRET.',
  });
}
