/** What a data directory has from the first start on: the built-in test client, so that nobody needs an account. */
import { builtIn, findTestUser, makeClient, putTestUser } from './accounts.ts';
import type { AuthorizationServices } from './exchange.ts';
import { endAccess } from './grants.ts';

/** What the ready line tells of the built-in test client. */
export const builtInTestClient = {
  client_id: builtIn.id,
  client_secret: builtIn.secret,
  redirect_uri: 'http://127.0.0.1/callback',
} as const;

/**
 * Makes the built-in test client with its user, where they are missing; `testClient: false` takes it away again, with
 * every token it was given, since its secret is known to all.
 */
export async function bootstrap(
  services: AuthorizationServices,
  { testClient }: { readonly testClient: boolean },
): Promise<void> {
  const { store, clock } = services;
  const kept = await store.get('clients', builtIn.id);
  if (!testClient) {
    if (!kept) return;
    await store.transact(async (tx) => {
      tx.remove('clients', builtIn.id);
      await endAccess(tx, clock, { client: builtIn.id });
    });
    return;
  }
  if (kept && (await findTestUser(store, kept.space))) return;
  const { client } = await makeClient(services, {
    name: 'Laudio test client',
    redirect_uris: [builtInTestClient.redirect_uri, 'http://[::1]/callback'],
    kind: 'mobile',
    test_mode: true,
    credentials: builtIn,
  });
  await store.transact(async (tx) => {
    if (!(await tx.get('clients', client.id))) tx.put('clients', client);
    await putTestUser(tx, services, client.space);
  });
}
