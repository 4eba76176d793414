/** One person's connection to the service: a client with tokens, and whether the service answers. */
import { appMessage } from '../../../src/contract/messages/app.ts';
import { createClient } from '../../../src/client/client.ts';
import type { Client, ClientOptions } from '../../../src/client/client.ts';
import type { Transport } from '../../../src/client/transport.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Credentials, CredentialStore } from '../../../src/node/login/credential-store.ts';
import { createTokenEndpoint } from '../../../src/node/login/oauth-tokens.ts';
import type { TokenEndpoint } from '../../../src/node/login/oauth-tokens.ts';
import type { MachineDeps } from '../service.ts';

/** An access token that expires within this many ms is no longer used. */
const margin = 30_000;
/** A person waits for the answer, so there is one retry; the outbox sends the rest again. */
const retry = { limit: 1, base: 200, patience: 10_000 } as const;

export interface ConnectionDeps extends MachineDeps {
  /** Base URL of the service. */
  readonly server: string;
  readonly clientId: string;
  /** Stores this person's tokens under `key`. */
  readonly store: CredentialStore;
  readonly key: string;
  /** Called when the service starts or stops answering, and when the login ends or is renewed. */
  readonly onChange: () => void;
}

export interface ServiceConnection {
  readonly client: Client;
  /** An access token that is still good. Rejects with LOGIN_REQUIRED, NETWORK. */
  token(): Promise<string>;
  readonly online: boolean;
  /** The login has ended: no tokens can be renewed. */
  readonly expired: boolean;
  /** Takes over new tokens and revokes the old ones. */
  renew(credentials: Credentials): Promise<void>;
  /** Revokes and deletes the tokens; offline it only deletes them. */
  end(): Promise<void>;
}

export function createConnection(deps: ConnectionDeps): ServiceConnection {
  const { store, key, clock, onChange } = deps;
  let online = true;
  let expired = false;
  let known: Credentials | undefined;
  let renewal: Promise<string> | undefined;

  const set = (state: { online?: boolean; expired?: boolean }): void => {
    const changed = (state.online ?? online) !== online || (state.expired ?? expired) !== expired;
    online = state.online ?? online;
    expired = state.expired ?? expired;
    if (changed) onChange();
  };
  /** Each heartbeat of an open stream of events shows that the service answers, also after a call that failed. */
  async function* heard(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of body) {
      set({ online: true });
      yield chunk;
    }
  }
  const watched: Transport = async (request) => {
    try {
      const answer = await deps.transport(request);
      set({ online: true });
      return { ...answer, body: heard(answer.body) };
    } catch (error) {
      if (error instanceof AppError && error.code === 'NETWORK') set({ online: false });
      throw error;
    }
  };
  const options: ClientOptions = {
    transport: watched,
    server: deps.server,
    clock,
    random: deps.random,
    uuid: deps.uuid,
    retry,
  };

  const load = async (): Promise<Credentials> => {
    known ??= await store.load(key);
    if (known) return known;
    set({ expired: true });
    throw ended();
  };
  const isFresh = ({ expires_at }: Credentials): boolean => expires_at - clock.now() > margin;
  const tokensOf = ({ client_secret = '' }: Credentials): TokenEndpoint =>
    createTokenEndpoint(options, { client_id: deps.clientId, client_secret });
  const renewed = async (refused: string): Promise<string> => {
    const stored = await load();
    if (stored.access_token !== refused && isFresh(stored)) return stored.access_token;
    try {
      if (stored.refresh_token === undefined) throw ended();
      const fresh = await tokensOf(stored).refresh(stored.refresh_token);
      // The person may have logged in again in the meantime.
      if (known === stored) {
        known = fresh;
        await store.save(key, fresh);
      }
      set({ expired: false });
      return known?.access_token ?? fresh.access_token;
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'LOGIN_REQUIRED') throw error;
      if (known === stored) set({ expired: true });
      throw ended();
    }
  };
  const refresh = (refused: string): Promise<string> =>
    (renewal ??= renewed(refused).finally(() => {
      renewal = undefined;
    }));
  const token = async (): Promise<string> => {
    const stored = await load();
    return isFresh(stored) ? stored.access_token : refresh(stored.access_token);
  };
  const client = createClient({ ...options, token, refresh });
  const revoke = async (stored: Credentials | undefined): Promise<void> => {
    if (!stored) return;
    const { refresh_token: token } = stored;
    const tokens = tokensOf(stored);
    await (token === undefined
      ? tokens.revoke(stored.access_token, 'access_token')
      : tokens.revoke(token, 'refresh_token'));
  };
  /** Tokens that can't be revoked now expire eventually. */
  const tryRevoke = (stored: Credentials | undefined): Promise<void> =>
    revoke(stored).catch((error: unknown) => {
      if (!(error instanceof AppError)) throw error;
      deps.log({ level: 'warn', event: 'tokens_not_revoked', code: error.code });
    });

  return {
    client,
    token,
    get online() {
      return online;
    },
    get expired() {
      return expired;
    },
    async renew(credentials) {
      const previous = known ?? (await store.load(key).catch(() => undefined));
      await store.save(key, credentials);
      known = credentials;
      expired = false;
      online = true;
      onChange();
      await tryRevoke(previous);
    },
    async end() {
      const previous = known ?? (await store.load(key).catch(() => undefined));
      known = undefined;
      await store.remove(key);
      await tryRevoke(previous);
    },
  };
}

const ended = (): AppError =>
  new AppError('LOGIN_REQUIRED', {
    message: appMessage('login_over'),
    hint: appMessage('login_over_hint'),
  });
