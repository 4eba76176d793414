/** A test client for one run of tests, with an isolated space, or in the space of the built-in test client. */
import type { Client, ClientOptions } from '../client/client.ts';
import { AppError } from '../contract/errors.ts';
import { faultProfiles } from '../contract/fault.ts';
import type { FaultInput } from '../contract/fault.ts';
import { testClientPrefix } from '../contract/oauth.ts';
import { allScopes } from '../contract/scopes.ts';
import { logInTestClient, testRedirectUris } from './login/test-login.ts';

export interface TestClient {
  readonly client_id: string;
  readonly client_secret: string;
  /** Any port will do. */
  readonly redirect_uri: string;
}

export interface TestSpace {
  readonly space: string;
  /**
   * Logs in by client credentials (`client_credentials`), or as the test physician (`authorization_code`), without a
   * browser.
   */
  readonly testClient: TestClient;
  /** Adds faults to calls; in an isolated space only to those of its client. Returns the names of the faults. */
  addFaults(faults: readonly FaultInput[]): Promise<string[]>;
  /** Removes the client and its faults, and in an isolated space all of its content. */
  close(): Promise<void>;
}

/** The space of the built-in test client, and of the app's test mode. */
export const builtInSpace = `${testClientPrefix}local`;

/** `isolated`: in a separate space. */
export async function openTestSpace(
  operator: Pick<Client, 'clients' | 'faults' | 'maintenance'>,
  { name, isolated }: { readonly name: string; readonly isolated: boolean },
): Promise<TestSpace> {
  const { data } = await operator.clients.create({
    body: {
      name,
      kind: 'server',
      test_mode: true,
      scopes: [...allScopes],
      redirect_uris: [...testRedirectUris],
      ...(!isolated && { space: builtInSpace }),
    },
  });
  const { id, space, secret = '' } = data;
  const added: string[] = [];
  return {
    space,
    testClient: { client_id: id, client_secret: secret, redirect_uri: testRedirectUris[0] },
    async addFaults(faults) {
      const names: string[] = [];
      for (const body of isolated ? faults.flatMap((fault) => expandFault(id, fault)) : faults)
        names.push(...(await operator.faults.add({ body })).data.items.map(({ name }) => name));
      added.push(...names);
      return names;
    },
    async close() {
      for (const name of added) await operator.faults.remove({ params: { name } }).catch(ignoreMissing);
      if (isolated) await operator.maintenance.reset({ body: { space, accounts: true } });
      else await operator.clients.delete({ params: { id } }).catch(ignoreMissing);
    },
  };
}

/** The fault, or those of its profile, for one client, under names that are unique to the client. */
function expandFault(client_id: string, { profile, name, ...rule }: FaultInput): FaultInput[] {
  const suffix = client_id.slice(-8).toLowerCase();
  const ofClient = (each: FaultInput): FaultInput => ({
    ...each,
    ...rule,
    ...(each.name !== undefined && { name: `${each.name}-${suffix}` }),
    client_id,
  });
  if (profile === undefined) return [ofClient(name === undefined ? {} : { name })];
  return faultProfiles[profile].faults.map(ofClient);
}

/** It may have been removed already. */
function ignoreMissing(error: unknown): void {
  if (!(error instanceof AppError && error.code === 'NOT_FOUND')) throw error;
}

/**
 * The environment of a program under test, with which laudio's commands, `createClient` and the program itself log in.
 */
export const testEnvironment = async (
  http: ClientOptions,
  client: TestClient,
): Promise<Record<'LAUDIO_SERVER' | 'LAUDIO_TOKEN' | 'LAUDIO_CLIENT_ID' | 'LAUDIO_CLIENT_SECRET', string>> => ({
  LAUDIO_SERVER: http.server,
  LAUDIO_TOKEN: (await logInTestClient(http, client)).access_token,
  LAUDIO_CLIENT_ID: client.client_id,
  LAUDIO_CLIENT_SECRET: client.client_secret,
});
