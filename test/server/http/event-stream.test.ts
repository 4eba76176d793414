/** The contract's `GET /api/v1/worklists/events`: server-sent events over a real connection. */
import { beforeAll, describe, expect, test } from 'vitest';
import type { User } from '../../../src/contract/admin.ts';
import { contract } from '../../../src/contract/index.ts';
import type { TokenResponse } from '../../../src/contract/oauth.ts';
import { allScopes } from '../../../src/contract/scopes.ts';
import { startApi, succeeded } from '../../support/api.ts';
import type { Credentials } from '../../support/api.ts';

const api = await startApi({ listen: true, rateLimit: 1000 });
/** Of these, one lets the hours pass, and one is closed. */
const aged = await startApi({ listen: true });
const closed = await startApi({ listen: true });
const { events, setStatus } = contract.worklists.endpoints;

interface Stream {
  readonly response: Response;
  /** Reads on until the text holds it; gives all that was read. */
  until(text: string): Promise<string>;
  /** The rest, once the stream has ended. */
  rest(): Promise<string>;
  cut(): void;
}

async function follow(token: string, lastSeen?: string, { server } = api): Promise<Stream> {
  const controller = new AbortController();
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'text/event-stream',
    ...(lastSeen !== undefined && { 'last-event-id': lastSeen }),
  };
  const response = await fetch(server.url + events.path, { headers, signal: controller.signal });
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  const pull = async (): Promise<boolean> => {
    const { done, value } = await reader.read();
    read += value ?? '';
    return !done;
  };
  return {
    response,
    async until(text) {
      while (!read.includes(text)) if (!(await pull())) throw new Error(`The stream ended without ${text}`);
      return read;
    },
    async rest() {
      while (await pull());
      return read;
    },
    cut: () => controller.abort(),
  };
}

describe('GET /api/v1/worklists/events', () => {
  test('sends insertions, updates and moves', async () => {
    const stream = await follow(api.token);
    expect(stream.response.status).toBe(200);
    expect(stream.response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(stream.response.headers.get('x-request-id')).toMatch(/^req_/);
    const id = await api.exam({ accession_number: 'SL-SSE' });
    expect(await stream.until('\n\nevent')).toMatch(/^:\nid: .+\n\n/);
    await api.ingest({ accession_number: 'SL-SSE', exam_room: 'Sala 2' });
    succeeded(await api.call(setStatus, { params: { id }, body: { status: 'in_progress' } }));
    const text = await stream.until('"change":"status"}\n\n');
    stream.cut();
    const told = [...text.matchAll(/^event: item\nid: (.+)\ndata: (.+)$/gm)].map(([, eventId, data]) => [
      eventId,
      JSON.parse(data!),
    ]);
    expect(told).toEqual([
      [expect.any(String), { id, accession_number: 'SL-SSE', status: 'new', version: 1, change: 'inserted' }],
      [expect.any(String), { id, accession_number: 'SL-SSE', status: 'new', version: 2, change: 'updated' }],
      [expect.any(String), { id, accession_number: 'SL-SSE', status: 'in_progress', version: 3, change: 'status' }],
    ]);
    expect(new Set(told.map(([eventId]) => eventId)).size).toBe(3);
  });

  test('a reader that reconnects with Last-Event-ID gets the events since; after a restart, it must list again', async () => {
    const stream = await follow(api.token);
    const [, position = ''] = /^id: (.+)$/m.exec(await stream.until('\n\n')) ?? [];
    stream.cut();
    const id = await api.exam({ accession_number: 'SL-MISSED' });
    const again = await follow(api.token, position);
    expect(await again.until('"change":"inserted"}\n\n')).toContain(`"id":"${id}"`);
    again.cut();
    const late = await follow(api.token, 'run-of-yesterday.7');
    expect(await late.until('data: {}\n\n')).toContain('event: reset\n');
    late.cut();
  });

  test('a comment every 15 seconds keeps it open', async () => {
    const stream = await follow(api.token);
    await stream.until('\n\n');
    api.clock.advance(15_000);
    await stream.until('\n\n:\n\n');
    stream.cut();
  });

  test('nothing of another space is sent', async () => {
    const client = await api.createClient({ test_mode: true });
    const other = (await api.tokens({ client })).access_token;
    const stream = await follow(other);
    await api.exam();
    const id = await api.exam({}, { token: other });
    const text = await stream.until('event: item');
    expect(text).toContain(id);
    expect(text.match(/^event/gm)).toHaveLength(1);
    stream.cut();
  });

  test('it ends with the token', async () => {
    const { access_token } = await aged.tokens();
    const stream = await follow(access_token, undefined, aged);
    aged.clock.advance(3_600_000);
    expect(await stream.rest()).toMatch(/^:\nid: .+\n\n/);
  });

  test('without a token, or without the scope, it does not begin', async () => {
    expect((await api.call(events, { token: null })).status).toBe(401);
    const { access_token: token } = await api.tokens({ scopes: ['worklists:write'] });
    expect(await api.call(events, { token })).toMatchObject({
      status: 403,
      error: { details: { required_scope: 'worklists:read' } },
    });
  });
});

describe('An open stream', () => {
  // The clock stands still: nothing here waits for a heartbeat.
  const revoke = (body: Record<string, string>, by: Credentials) =>
    api.call(contract.oauth.endpoints.revoke, {
      body: { client_id: by.client_id, client_secret: by.client_secret, ...body },
    });
  const refresh = (refresh_token: string, by: Credentials) =>
    api.call(contract.oauth.endpoints.token, {
      body: { grant_type: 'refresh_token', client_id: by.client_id, client_secret: by.client_secret, refresh_token },
    });
  const scopes = allScopes.filter((scope) => scope !== 'worklists:read');
  const endings: Record<string, (by: Credentials, tokens: Required<TokenResponse>, user: User) => Promise<unknown>> = {
    'its refresh token is revoked, as by logging out': (by, { refresh_token: token }) => revoke({ token }, by),
    'its access token is revoked': (by, { access_token: token }) => revoke({ token }, by),
    'a used refresh token comes again': async (by, { refresh_token }) => {
      await refresh(refresh_token, by);
      return refresh(refresh_token, by);
    },
    'its client is removed': ({ client_id: id }) => api.call(contract.clients.endpoints.delete, { params: { id } }),
    'the scope is taken from its client': ({ client_id: id }) =>
      api.call(contract.clients.endpoints.update, { params: { id }, body: { scopes } }),
    'its user is deleted': (_by, _tokens, { id }) => api.call(contract.users.endpoints.delete, { params: { id } }),
    'its user has a new password': (_by, _tokens, { id }) =>
      api.call(contract.users.endpoints.setPassword, { params: { id }, body: { password: 'another one' } }),
  };
  let people = 0;
  const person = async () => {
    const login = { username: `person-${++people}`, password: 'correct horse' };
    return { login, user: await api.createUser(login) };
  };
  let ris = '';
  let somebody: Awaited<ReturnType<typeof person>>;
  beforeAll(async () => {
    somebody = await person();
    ris = (await api.tokens({ client: await api.createClient(), login: somebody.login })).access_token;
  });

  test.each(Object.keys(endings))('it ends at once when %s, and sends nothing more', async (name) => {
    const { login, user } = name.includes('user') ? await person() : somebody;
    const client = await api.createClient();
    const tokens = (await api.tokens({ client, login })) as Required<TokenResponse>;
    const [stream, beside] = await Promise.all([follow(tokens.access_token), follow(ris)]);
    await stream.until('\n\n');
    await endings[name]!(client, tokens, user);
    await api.exam({}, { token: ris });
    expect(await stream.rest()).not.toContain('event:');
    await beside.until('event: item');
    beside.cut();
  });

  test('it goes on when another scope is taken, and when the client gets a new secret', async () => {
    const client = await api.createClient();
    const { access_token: token } = await api.tokens({ client, login: somebody.login });
    const stream = await follow(token);
    const params = { id: client.client_id };
    const body = { scopes: ['worklists:read', 'worklists:write'] };
    succeeded(await api.call(contract.clients.endpoints.update, { params, body }));
    succeeded(await api.call(contract.clients.endpoints.rotateSecret, { params }));
    await api.exam({}, { token });
    await stream.until('event: item');
    stream.cut();
  });
});

test('closing the server ends it, after pending events', async () => {
  const { access_token: token } = await closed.tokens();
  const stream = await follow(token, undefined, closed);
  const id = await closed.exam({}, { token });
  await stream.until(`"id":"${id}"`);
  let hasEnded = false;
  const rest = stream.rest().finally(() => (hasEnded = true));
  expect((await closed.call(events, { token: null })).status).toBe(401);
  expect(hasEnded).toBe(false);
  const [text] = await Promise.all([rest, closed.close()]);
  expect(text).toMatch(/^event: item\n(?:id|data): [^]*\n\n$/m);
});
