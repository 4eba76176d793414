/** Sessions: the profile, the tokens and the client of a login together. */
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isUnencrypted, normaliseServer } from '../../client/address.ts';
import { createCaller, createClient } from '../../client/client.ts';
import type { Caller, Client, ClientOptions, Retry } from '../../client/client.ts';
import type { Transport } from '../../client/transport.ts';
import { isTransient } from '../../client/transient.ts';
import { AppError } from '../../contract/errors.ts';
import { testClientPrefix } from '../../contract/oauth.ts';
import type { Clock } from '../../domain/clock.ts';
import { createCredentialStore } from './credential-store.ts';
import type { CredentialStore, CredentialStoreKind, Credentials } from './credential-store.ts';
import { withFileLock } from '../files/file-lock.ts';
import type { Keychain } from './keychain.ts';
import type { LoginOptions, UserAgent } from './oauth-login.ts';
import { createTokenEndpoint } from './oauth-tokens.ts';
import { isFresh, isIssuedTo, keptTokens } from './token-source.ts';
import type { TokenSource } from './token-source.ts';
import type { TokenEndpoint } from './oauth-tokens.ts';
import { checkLogin } from '../lost-settings.ts';
import { revocationsFile } from '../paths.ts';
import type { UserPaths } from '../paths.ts';
import { createProfiles, defaultProfile } from './profiles.ts';
import type { Profile, Profiles } from './profiles.ts';
import type { ResolvedSettings } from '../settings.ts';
import { suggestWord } from '../../domain/nearest-word.ts';

export interface SessionsDeps {
  readonly settings: ResolvedSettings;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly paths: UserPaths;
  readonly clock: Clock;
  readonly transport: Transport;
  readonly keychain: Keychain;
  readonly onRetry: (retry: Retry) => void;
  /** Receives warnings for the person: tokens in a plain file, an unencrypted connection. */
  readonly warn: (message: string) => void;
}

export interface Session {
  readonly server: string;
  /** Absent with LAUDIO_TOKEN and with LAUDIO_CLIENT_ID. */
  readonly profile: Profile | undefined;
  readonly client: Client;
  /** For calls whose endpoint is only known at run time. */
  readonly call: Caller;
  /** The source of the token, for people. */
  readonly tokenFrom: string;
  /** A token for other programs. `scope`: fewer scopes, separated by spaces; USAGE if the token cannot have fewer. */
  newToken(scope?: string): Promise<HeldToken>;
}

/** Without an expiry and scopes if only the server knows them. */
export type HeldToken = Pick<Credentials, 'access_token'> & Partial<Pick<Credentials, 'expires_at' | 'scope'>>;

/** The logins of this computer's user. */
export interface Sessions {
  readonly profiles: Profiles;
  /** LOGIN_REQUIRED if there is no login for the configured profile and server. */
  open(): Promise<Session>;
  /** Logs in, asks the server for the user, and saves the login under the profile of the settings (or "default"). */
  start(request: LoginRequest): Promise<{ profile: Profile; tokenFrom: string }>;
  /** Revokes, then deletes. LOGIN_REQUIRED when there is no login to end. */
  end(): Promise<EndedSession>;
}

export const createSessions = (deps: SessionsDeps): Sessions => ({
  profiles: profilesOf(deps),
  open: () => openSession(deps),
  start: (request) => startSession(deps, request),
  end: () => endSession(deps),
});

const profilesOf = ({ paths, clock }: SessionsDeps): Profiles => createProfiles(paths.config, clock);

/** The options that every client of this process shares; the caller adds `token` or `adminToken`. */
export const clientOptions = (
  deps: Pick<SessionsDeps, 'settings' | 'transport' | 'clock' | 'onRetry'>,
  server: string,
): ClientOptions => ({
  transport: deps.transport,
  server,
  clock: deps.clock,
  random: Math.random,
  uuid: () => randomUUID(),
  retry: { limit: deps.settings.values.retries },
  onRetry: deps.onRetry,
});

const createStore = (deps: SessionsDeps, kind: CredentialStoreKind): CredentialStore =>
  createCredentialStore({ kind, stateDirectory: deps.paths.state, keychain: deps.keychain, warn: deps.warn });

async function openSession(deps: SessionsDeps): Promise<Session> {
  const fixed = deps.env['LAUDIO_TOKEN'];
  if (fixed) return fixedSession(deps, fixed);
  const clientId = deps.env['LAUDIO_CLIENT_ID'];
  if (clientId) return machineSession(deps, clientId);
  const profile = await chosenProfile(deps);
  const store = createStore(deps, profile.credential_store);
  const source = tokenSource(deps, profile, store);
  await sendRevocations(deps);
  const options = { ...clientOptions(deps, profile.server), ...source };
  return {
    server: profile.server,
    profile,
    client: createClient(options),
    call: createCaller(options),
    tokenFrom: store.describe(profile.name),
    async newToken(scope) {
      if (scope !== undefined) throw wholeToken();
      await source.token();
      return loadOrRefuse(store, profile.name);
    },
  };
}

const wholeToken = (): AppError =>
  new AppError('USAGE', {
    message: 'The token of a login has the scopes of the login.',
    hint: 'Only a client in the environment (LAUDIO_CLIENT_ID) gets tokens with fewer.',
  });

/** A file from somebody's repository must not decide where a secret from the environment is sent. */
const serverOfPerson = ({ settings: { values, origins } }: SessionsDeps): string | undefined =>
  origins.server.from === 'project' ? undefined : values.server;

/** Tokens of the client in the environment, fetched on demand and kept in memory. */
async function machineSession(deps: SessionsDeps, clientId: string): Promise<Session> {
  const [{ logInMachine, machineClient }, server] = await Promise.all([
    import('./machine-login.ts'),
    serverOfMachine(deps),
  ]);
  const machine = await machineClient(clientId, deps.env, () => deps.clock.now());
  warnIfUnencrypted(deps, server);
  const http = clientOptions(deps, server);
  const options = { ...http, ...keptTokens(deps.clock, () => logInMachine(http, machine, undefined)) };
  return {
    server,
    profile: undefined,
    client: createClient(options),
    call: createCaller(options),
    tokenFrom: 'memory, by the credentials in the environment (LAUDIO_CLIENT_ID)',
    newToken: (scope) => logInMachine(http, machine, scope),
  };
}

/** The configured server, that of the configured profile, or the only one on this computer. */
async function serverOfMachine(deps: SessionsDeps): Promise<string> {
  const { profile, data_dir: dataDirectory } = deps.settings.values;
  const chosen = serverOfPerson(deps) ?? (profile && (await profilesOf(deps).get(profile))?.server);
  if (chosen) return chosen;
  const { findServer } = await import('../running-server.ts');
  const local = await findServer(deps.paths.state, dataDirectory).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'NETWORK') return undefined;
    throw error;
  });
  if (local) return local.url;
  throw new AppError('CONFIGURATION', {
    message: 'LAUDIO_CLIENT_ID is set, but not the server that it is for.',
    hint: 'Set LAUDIO_SERVER or use --server.',
  });
}

function warnIfUnencrypted({ warn }: SessionsDeps, server: string): void {
  if (isUnencrypted(server))
    warn(`The connection to ${server} is not encrypted: others on the way can read everything.`);
}

async function fixedSession(deps: SessionsDeps, token: string): Promise<Session> {
  const { profiles } = await profilesOf(deps).list();
  checkLogin(deps.settings, profiles.length);
  const server = serverOfPerson(deps) ?? (await profilesOf(deps).get(deps.settings.values.profile))?.server;
  if (server === undefined) {
    throw new AppError('CONFIGURATION', {
      message: 'LAUDIO_TOKEN is set, but not the server that it is for.',
      hint: 'Set LAUDIO_SERVER or use --server.',
    });
  }
  const http = clientOptions(deps, server);
  const options = { ...http, ...(await renewable(deps, http, token)) };
  return {
    server,
    profile: undefined,
    client: createClient(options),
    call: createCaller(options),
    tokenFrom: 'the environment (LAUDIO_TOKEN)',
    async newToken(scope) {
      if (scope !== undefined) throw wholeToken();
      return { access_token: token };
    },
  };
}

/** A run may outlast its token: the client in the environment gets another, if the token is its own. */
async function renewable(
  deps: SessionsDeps,
  http: ClientOptions,
  token: string,
): Promise<Pick<ClientOptions, 'token' | 'refresh'>> {
  const clientId = deps.env['LAUDIO_CLIENT_ID'];
  if (!clientId || !isIssuedTo(token, clientId)) return { token: async () => token };
  const { logInMachine, machineClient } = await import('./machine-login.ts');
  const client = await machineClient(clientId, deps.env, () => deps.clock.now());
  return keptTokens(deps.clock, () => logInMachine(http, client, undefined), token);
}

/** Tokens go to the server that issued them and nowhere else, whatever the settings say. */
async function chosenProfile(deps: SessionsDeps): Promise<Profile> {
  const { profile: name, server } = deps.settings.values;
  const { current, profiles } = await profilesOf(deps).list();
  checkLogin(deps.settings, profiles.length);
  const named = profiles.find((profile) => profile.name === (name ?? current));
  if (named && (server === undefined || named.server === server)) return named;
  const other = name === undefined ? profiles.find((profile) => profile.server === server) : undefined;
  if (other) return other;
  const suggestion =
    name !== undefined && !named
      ? suggestWord(
          name,
          profiles.map((each) => each.name),
        )
      : undefined;
  throw new AppError('LOGIN_REQUIRED', {
    message:
      named && server !== undefined
        ? `You are not logged in at ${server}${name === undefined ? '' : ` as "${name}"`}.`
        : name === undefined
          ? 'You are not logged in.'
          : `There is no login named "${name}".`,
    hint: [suggestion, 'Run "laudio login".'].filter(Boolean).join(' '),
  });
}

function tokenSource(deps: SessionsDeps, profile: Profile, store: CredentialStore): TokenSource {
  const { clock } = deps;
  let known: Credentials | undefined;
  let renewal: Promise<string> | undefined;
  // Lock, read again, and only then refresh: the first holder of the lock may have refreshed already.
  const renew = (refused: string): Promise<string> =>
    withFileLock(lockPath(deps, profile.name), { clock, timeout: 60_000 }, async () => {
      const stored = await loadOrRefuse(store, profile.name);
      known = stored.access_token !== refused && isFresh(clock, stored) ? stored : await renewed(deps, profile, stored);
      if (known !== stored) await store.save(profile.name, known);
      return known.access_token;
    });
  // The calls of this process share one refresh, so they need not queue at the lock.
  const refresh = (refused: string): Promise<string> =>
    (renewal ??= renew(refused).finally(() => {
      renewal = undefined;
    }));
  return {
    token: async () => {
      known ??= await loadOrRefuse(store, profile.name);
      return isFresh(clock, known) ? known.access_token : refresh(known.access_token);
    },
    refresh,
  };
}

const lockPath = ({ paths }: SessionsDeps, profile: string): string => join(paths.state, 'locks', `${profile}.lock`);

async function loadOrRefuse(store: CredentialStore, profile: string): Promise<Credentials> {
  const stored = await store.load(profile);
  if (stored) return stored;
  throw new AppError('LOGIN_REQUIRED', { message: 'The tokens of this login are gone.', hint: 'Run "laudio login".' });
}

async function renewed(deps: SessionsDeps, profile: Profile, stored: Credentials): Promise<Credentials> {
  if (stored.refresh_token === undefined) {
    throw new AppError('LOGIN_REQUIRED', { message: 'The login has ended.', hint: 'Run "laudio login".' });
  }
  return createEndpoint(deps, profile, stored).refresh(stored.refresh_token);
}

const createEndpoint = (
  deps: SessionsDeps,
  { server, client_id }: Pick<Profile, 'server' | 'client_id'>,
  stored: Credentials,
) =>
  createTokenEndpoint(clientOptions(deps, server), {
    client_id,
    client_secret: stored.client_secret ?? deps.env['LAUDIO_CLIENT_SECRET'] ?? '',
  });

export interface LoginRequest extends Omit<LoginOptions, 'http' | 'userAgent'> {
  readonly server: string;
  /** `device`: a browser elsewhere, in which the person types a code. */
  readonly userAgent: UserAgent | { readonly kind: 'device' };
}

async function startSession(
  deps: SessionsDeps,
  request: LoginRequest,
): Promise<{ profile: Profile; tokenFrom: string }> {
  const { credential_store: kind, profile: name = defaultProfile } = deps.settings.values;
  const server = normaliseServer(request.server);
  const store = createStore(deps, kind);
  warnIfUnencrypted(deps, server);
  await store.prepare(name);
  const http = clientOptions(deps, server);
  const credentials = await logInBy(request.userAgent, { ...request, http });
  const { data } = await createClient({ ...http, token: async () => credentials.access_token }).oauth.validate();
  const profile: Profile = {
    name,
    server,
    client_id: request.client.client_id,
    scope: credentials.scope,
    user: data.user?.display_name ?? null,
    test_mode: request.client.client_id.startsWith(testClientPrefix),
    credential_store: kind,
  };
  await withFileLock(lockPath(deps, name), { clock: deps.clock, timeout: 60_000 }, () => store.save(name, credentials));
  await profilesOf(deps).save(profile);
  await sendRevocations(deps);
  return { profile, tokenFrom: store.describe(name) };
}

/** Only a login needs these modules; its HTTP server takes as long to load as Node itself. */
async function logInBy(
  userAgent: LoginRequest['userAgent'],
  options: Omit<LoginOptions, 'userAgent'>,
): Promise<Credentials> {
  if (userAgent.kind === 'device') return (await import('./device-login.ts')).logInDevice(options);
  return (await import('./oauth-login.ts')).logIn({ ...options, userAgent });
}

export interface EndedSession {
  readonly profile: Profile;
  /** Whether the server has revoked the tokens; otherwise why not. They are deleted here in any case. */
  readonly revoked: boolean;
  /** Whether it will be revoked once the server answers. */
  readonly queued: boolean;
  readonly error: AppError | undefined;
}

async function endSession(deps: SessionsDeps): Promise<EndedSession> {
  const profile = await chosenProfile(deps);
  const store = createStore(deps, profile.credential_store);
  return withFileLock(lockPath(deps, profile.name), { clock: deps.clock, timeout: 60_000 }, async () => {
    const stored = await store.load(profile.name);
    const { error, queued } = stored ? await revokeOrQueue(deps, profile, stored) : nothingToRevoke;
    await store.remove(profile.name);
    await profilesOf(deps).remove(profile.name);
    return { profile, revoked: error === undefined, queued, error };
  });
}

type Revocation = Pick<EndedSession, 'error' | 'queued'>;

const nothingToRevoke: Revocation = { error: undefined, queued: false };

async function revokeOrQueue(deps: SessionsDeps, profile: Profile, stored: Credentials): Promise<Revocation> {
  const error = await revocationError(createEndpoint(deps, profile, stored), stored);
  return { error, queued: error !== undefined && (await queueRevocation(deps, profile, stored, error)) };
}

/** Loaded only if revocations wait, or one is added. */
async function openRevocations(deps: SessionsDeps) {
  const { createRevocations } = await import('./revocations.ts');
  return createRevocations({
    stateDirectory: deps.paths.state,
    clock: deps.clock,
    storeOf: (kind) => createStore({ ...deps, warn: () => undefined }, kind),
    revoke: (ended, stored) => revoke(createEndpoint(deps, ended, stored), stored),
  });
}

const ignoreRefusal = (error: unknown): false => {
  if (error instanceof AppError) return false;
  throw error;
};

/** Waiting revocations never delay a command. */
async function sendRevocations(deps: SessionsDeps): Promise<void> {
  if (existsSync(join(deps.paths.state, revocationsFile))) {
    await (await openRevocations(deps)).send().catch(ignoreRefusal);
  }
}

async function queueRevocation(
  deps: SessionsDeps,
  { server, client_id, credential_store }: Profile,
  stored: Credentials,
  error: AppError,
): Promise<boolean> {
  if (!isTransient(error)) return false;
  // In that case the client's secret does not come from the environment.
  const client_secret = stored.client_secret ?? deps.env['LAUDIO_CLIENT_SECRET'] ?? '';
  const queue = (await openRevocations(deps)).add(
    { server, client_id, credential_store },
    { ...stored, client_secret },
  );
  return queue.then(() => true, ignoreRefusal);
}

const revoke = (tokens: TokenEndpoint, stored: Credentials): Promise<void> =>
  stored.refresh_token === undefined
    ? tokens.revoke(stored.access_token, 'access_token')
    : tokens.revoke(stored.refresh_token, 'refresh_token');

async function revocationError(tokens: TokenEndpoint, stored: Credentials): Promise<AppError | undefined> {
  try {
    await revoke(tokens, stored);
    return undefined;
  } catch (error) {
    if (error instanceof AppError) return error;
    throw error;
  }
}
