/** Somebody who calls a server, once at a time. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contract } from '../../src/contract/index.ts';
import type { Client as RegisteredClient } from '../../src/contract/admin.ts';
import type { Endpoint } from '../../src/contract/endpoint.ts';
import { allScopes } from '../../src/contract/scopes.ts';
import { fillPath } from '../../src/client/address.ts';
import { createClient } from '../../src/client/client.ts';
import type { Client } from '../../src/client/client.ts';
import { systemClock } from '../../src/node/clock.ts';
import { createHttpCall } from '../../src/node/http/http-call.ts';
import type { Ready } from '../support/process.ts';

export interface Sent {
  readonly params?: Readonly<Record<string, string>>;
  /** Begins with `?`. */
  readonly query?: string;
  /** JSON where it is a text, a form otherwise. */
  readonly body?: string | FormData;
  readonly headers?: Readonly<Record<string, string>>;
  /** The status that it has to be answered with; default: any of success. */
  readonly status?: number;
}

/** Gives back the data of the answer, `undefined` where it has none. Throws where the answer is another than it should be. */
export type Call = <T>(endpoint: Endpoint, sent?: Sent) => Promise<T>;

export const callerOf =
  (url: string, token: string): Call =>
  async <T>(endpoint: Endpoint, { params = {}, query = '', body, headers, status }: Sent = {}) => {
    const answer = await fetch(new URL(fillPath(endpoint.path, params) + query, url), {
      method: endpoint.method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const text = await answer.text();
    const isRight = status === undefined ? answer.ok : answer.status === status;
    if (!isRight) throw new Error(`${endpoint.method} ${endpoint.path} was answered with ${answer.status}`);
    return (text.startsWith('{') ? (JSON.parse(text) as { data?: unknown }).data : undefined) as T;
  };

/** The typed client of that token, and an end to its connections. */
export function clientOf(url: string, token: string): { readonly client: Client; close(): Promise<void> } {
  const http = createHttpCall({ timeout: 60_000 });
  const client = createClient({
    transport: http.transport,
    server: url,
    clock: systemClock,
    random: () => 0,
    uuid: () => crypto.randomUUID(),
    token: async () => token,
  });
  return { client, close: () => http.close() };
}

export async function adminTokenOf({ data_dir }: Ready): Promise<string> {
  const { admin_token } = JSON.parse(await readFile(join(data_dir, 'server.json'), 'utf8')) as { admin_token: string };
  return admin_token;
}

/** The operator of the server. */
export const operatorOf = async (ready: Ready): Promise<Call> => callerOf(ready.url, await adminTokenOf(ready));

/** A further test client, with a space of its own: what `testToken` needs. */
export async function addTestClient(operator: Call, redirect_uri: string): Promise<Ready['test_client']> {
  const body = JSON.stringify({ name: 'Another', redirect_uris: [redirect_uri], scopes: allScopes, test_mode: true });
  const { id, secret } = await operator<RegisteredClient>(contract.clients.endpoints.create, { body });
  return { client_id: id, client_secret: secret!, redirect_uri };
}
