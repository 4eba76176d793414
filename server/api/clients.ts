/** The operator's calls for partner applications. */
import { defaultSpace } from '../../src/contract/admin.ts';
import type { Client, clients, Jwks } from '../../src/contract/admin.ts';
import type { Handlers } from '../../src/contract/endpoint.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import type { Clock } from '../../src/domain/clock.ts';
import { redirectUriProblem } from '../../src/domain/redirect-uri.ts';
import { unknownWord } from '../../src/domain/unknown-word.ts';
import type { Call } from '../http/call.ts';
import { makeClient, makeClientSecret, putTestUser } from '../auth/accounts.ts';
import type { AuthorizationServices } from '../auth/exchange.ts';
import { readPublicKeys } from '../auth/public-keys.ts';
import { endAccess, narrowAccess } from '../auth/grants.ts';
import type { StoredClient } from '../auth/stored-account.ts';
import { readPage } from '../http/paging.ts';
import type { Reader } from '../storage/store.ts';

export function clientRoutes(services: AuthorizationServices): Handlers<typeof clients, Call> {
  const { store, clock, hashing } = services;
  const shown = createClientView(clock);

  return {
    async create({ body }, call) {
      const { kind = 'web', redirect_uris = [] } = body;
      checkRedirectUris(kind, redirect_uris);
      const jwks = body.jwks && (await readKeys(kind, body.jwks));
      const { client, secret } = await makeClient(services, { ...body, ...(jwks && { jwks }) });
      return call.commit(async (tx) => {
        await checkSpace(tx, client);
        tx.put('clients', client);
        if (client.test_mode) await putTestUser(tx, services, client.space);
        return { status: 201, data: { ...shown(client), ...(secret !== undefined && { secret }) } };
      });
    },
    async list({ query }) {
      return { status: 200, data: await readPage(store, 'clients', '', {}, query, shown) };
    },
    get: async ({ params }) => ({ status: 200, data: shown(await getClient(store, params.id)) }),
    async update({ params, body }, call) {
      const { kind } = await getClient(store, params.id);
      if (body.redirect_uris) checkRedirectUris(kind, body.redirect_uris);
      const jwks = body.jwks && (await readKeys(kind, body.jwks));
      const { keep_old_seconds, ...fields } = body;
      return call.commit(async (tx) => {
        const present = await getClient(tx, params.id);
        const kept = keep_old_seconds === undefined ? present : limitPreviousSecret(present, keep_old_seconds, clock);
        const changed = { ...kept, ...fields };
        const client = jwks ? withKeys(changed, jwks) : changed;
        tx.put('clients', client);
        if (body.scopes) await narrowAccess(tx, clock, client);
        return { status: 200, data: shown(client) };
      });
    },
    async rotateSecret({ params, query }, call) {
      const { test_mode } = await getClient(store, params.id);
      const secret = makeClientSecret(test_mode);
      const secret_hash = await hashing.hash(secret, 'client');
      return call.commit(async (tx) => {
        const { former_secret: _former, ...former } = await getClient(tx, params.id);
        if (former.jwks || former.secret_hash === null) throw refuseSecret();
        const client = {
          ...former,
          secret_hash,
          ...keepPreviousSecret(former.secret_hash, query.keep_old_seconds ?? 0, clock),
        };
        tx.put('clients', client);
        return { status: 200, data: { ...shown(client), secret } };
      });
    },
    delete: ({ params }, call) =>
      call.commit(async (tx) => {
        const { id } = await getClient(tx, params.id);
        tx.remove('clients', id);
        await endAccess(tx, clock, { client: id });
        return { status: 200, data: { id, deleted: true } };
      }),
  };
}

/** NOT_FOUND with the id that may be meant. */
export async function getClient(reader: Reader, id: string): Promise<StoredClient> {
  const client = await reader.get('clients', id);
  if (client) return client;
  const ids = (await reader.find('clients', { limit: 200 })).map((each) => each.id);
  throw unknownWord('There is no such client.', id, ids, 'laudio client list shows all clients.', 'NOT_FOUND');
}

const keepPreviousSecret = (hash: string, seconds: number, clock: Clock): Pick<StoredClient, 'former_secret'> =>
  seconds > 0 ? { former_secret: { hash, until: new Date(clock.now() + seconds * 1000).toISOString() } } : {};

/** Whether the previous secret is still valid. */
const isStillValid = (
  previous: StoredClient['former_secret'],
  clock: Clock,
): previous is NonNullable<typeof previous> => previous !== undefined && Date.parse(previous.until) > clock.now();

/** The client with a new end of its previous secret, in seconds from now. VALIDATION_FAILED if that secret has ended. */
function limitPreviousSecret(
  { former_secret: former, ...client }: StoredClient,
  seconds: number,
  clock: Clock,
): StoredClient {
  if (isStillValid(former, clock)) return { ...client, ...keepPreviousSecret(former.hash, seconds, clock) };
  const message = 'this application has no previous secret that is still valid';
  throw validationFailed([{ field: 'keep_old_seconds', message, code: 'INVALID_VALUE' }]);
}

const refuseSecret = (): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: 'This application logs in with its key and has no secret.',
    hint: 'Register another key instead.',
  });

/** The keys in the form that is stored. */
async function readKeys(kind: Client['kind'], jwks: Jwks): Promise<Jwks> {
  if (kind !== 'server')
    throw validationFailed([{ field: 'jwks', message: 'jwks is for kind server', code: 'INVALID_VALUE' }]);
  const read = await readPublicKeys(jwks);
  if ('problems' in read) throw validationFailed(read.problems);
  return read.jwks;
}

/** The client with only these keys: its secrets become invalid. */
function withKeys({ former_secret: _former, ...client }: StoredClient, jwks: Jwks): StoredClient {
  return { ...client, jwks, secret_hash: null };
}

/** Applications with people need redirect URIs; servers may do without. */
function checkRedirectUris(kind: Client['kind'], uris: readonly string[]): void {
  if (kind !== 'server' && uris.length === 0) {
    const message = 'redirect_uris is required: the browser returns there after the login';
    throw validationFailed([{ field: 'redirect_uris', message, code: 'FIELD_REQUIRED' }]);
  }
  const problems = uris.map((uri, at) => ({
    field: `redirect_uris.${at}`,
    message: redirectUriProblem(uri) ?? (URL.canParse(uri) ? undefined : 'a redirect URI must be a valid URI'),
  }));
  const errors = problems.flatMap(({ field, message }) =>
    message === undefined ? [] : [{ field, message, code: 'INVALID_VALUE' as const }],
  );
  if (errors.length > 0) throw validationFailed(errors);
}

/** A space holds test data or real data, never both: test clients and other clients never share one. */
async function checkSpace(reader: Reader, client: StoredClient): Promise<void> {
  const others = await reader.find('clients', { is: { space: client.space } });
  const isMixed = others.some((other) => other.test_mode !== client.test_mode);
  if (!isMixed && !(client.test_mode && client.space === defaultSpace)) return;
  const message = client.test_mode
    ? 'space holds real data; a test client may not see it'
    : 'space is that of a test client';
  throw validationFailed([{ field: 'space', message, code: 'INVALID_VALUE' }]);
}

const createClientView =
  (clock: Clock) =>
  ({ secret_hash: _kept, former_secret: former, ...client }: StoredClient): Client => ({
    ...client,
    ...(isStillValid(former, clock) && { old_secret_until: former.until }),
  });
