/** Makes the built-in test client at the first start, so that nobody needs an account to try Laudio. */
import { builtIn, findTestUser, makeClient, putTestUser } from './accounts.ts';
import type { AuthorizationServices } from './exchange.ts';
import { endAccess } from './grants.ts';

/** The built-in test client, as the ready line shows it. */
export const builtInTestClient = {
  client_id: builtIn.id,
  client_secret: builtIn.secret,
  redirect_uri: 'http://127.0.0.1/callback',
} as const;

/**
 * Makes the built-in test client and its user if they are missing. `testClient: false` removes the client and all its tokens,
 * because its secret is public.
 */
export async function bootstrap(
  services: AuthorizationServices,
  { testClient }: { readonly testClient: boolean },
): Promise<void> {
  const { store, clock } = services;
  const client = await store.get('clients', builtIn.id);
  if (!testClient) {
    if (!client) return;
    await store.transact(async (tx) => {
      tx.remove('clients', builtIn.id);
      await endAccess(tx, clock, { client: builtIn.id });
    });
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
  });
}
