/** Creates the built-in test client at the first start, so that Laudio can be tried without an account. */
import { allScopes } from '../../src/contract/scopes.ts';
import type { RegisteredScope } from '../../src/contract/scopes.ts';
import { builtIn, findTestUser, makeClient, putTestUser } from './accounts.ts';
import { serviceActor } from '../storage/actor.ts';
import type { AuthorizationServices } from './exchange.ts';
import { endAccess } from './grants.ts';

/** The built-in test client, as printed at startup. */
export const builtInTestClient = {
  client_id: builtIn.id,
  client_secret: builtIn.secret,
  redirect_uri: 'http://127.0.0.1/callback',
} as const;

/** The scopes of the first version, which didn't store its list of scopes. */
const firstScopes: readonly RegisteredScope[] = [
  'medical_records:read',
  'medical_records:write',
  'medical_records:delete',
  'jobs:read',
  'jobs:write',
  'worklists:write',
  'worklists:manage',
  'worklists:read',
];

const createStartActor = () => serviceActor('start');

/** Id of the setting that holds the scopes of the last start. */
const scopesId = 'scopes';

/**
 * Adds a new version's scopes to clients that had registered for all earlier ones, because their logins ask for all.
 * Tokens keep the scopes that were consented to. Server clients get none, because nobody consents to their tokens.
 */
async function offerNewScopes({ store }: AuthorizationServices): Promise<void> {
  await store.transact(async (tx) => {
    const stored = await tx.get('settings', scopesId);
    const previous = (stored?.value as readonly RegisteredScope[] | undefined) ?? firstScopes;
    const added = allScopes.filter((scope) => !previous.includes(scope));
    if (stored && added.length === 0) return;
    for (const client of await tx.find('clients', {})) {
      const missing = added.filter((scope) => !client.scopes.includes(scope));
      const hasAll = previous.every((scope) => client.scopes.includes(scope));
      if (client.kind !== 'server' && hasAll && missing.length > 0)
        tx.put('clients', { ...client, scopes: [...client.scopes, ...missing] });
    }
    tx.put('settings', { id: scopesId, value: allScopes });
  }, createStartActor);
}

/**
 * Creates the built-in test client and its user if missing. `testClient: false` removes the client and its tokens,
 * because its secret is public.
 */
export async function bootstrap(
  services: AuthorizationServices,
  { testClient }: { readonly testClient: boolean },
): Promise<void> {
  const { store, clock } = services;
  await offerNewScopes(services);
  const client = await store.get('clients', builtIn.id);
  if (!testClient) {
    if (!client) return;
    await store.transact(async (tx) => {
      tx.remove('clients', builtIn.id);
      await endAccess(tx, clock, { client: builtIn.id });
    }, createStartActor);
    return;
  }
  if (client && (await findTestUser(store, client.space))) return;
  const { client: made } = await makeClient(services, {
    name: 'Laudio test client',
    redirect_uris: [builtInTestClient.redirect_uri, 'http://[::1]/callback'],
    kind: 'mobile',
    test_mode: true,
    credentials: builtIn,
  });
  await store.transact(async (tx) => {
    if (!(await tx.get('clients', made.id))) tx.put('clients', made);
    await putTestUser(tx, services, made.space);
  }, createStartActor);
}
