/** The contract's `GET /api/v1/worklists/events`: server-sent events over a real connection. */
import { describe, expect, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { startApi, succeeded } from '../../support/api.ts';

const api = await startApi({ listen: true, rateLimit: 1000 });
const { events, setStatus } = contract.worklists.endpoints;

interface Stream {
  readonly response: Response;
  /** Reads on until the text holds it; gives all that was read. */
  until(text: string): Promise<string>;
  /** The rest, once the stream has ended. */
  rest(): Promise<string>;
  cut(): void;
}

async function follow(token: string, lastSeen?: string): Promise<Stream> {
  const controller = new AbortController();
  const headers = {
    authorization: `Bearer ${token}`,
    accept: 'text/event-stream',
    ...(lastSeen !== undefined && { 'last-event-id': lastSeen }),
  };
  const response = await fetch(api.server.url + events.path, { headers, signal: controller.signal });
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
  test('tells what was inserted, updated and moved', async () => {
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
      [expect.any(String), { id, status: 'new', version: 1, change: 'inserted' }],
      [expect.any(String), { id, status: 'new', version: 2, change: 'updated' }],
      [expect.any(String), { id, status: 'in_progress', version: 3, change: 'status' }],
    ]);
    expect(new Set(told.map(([eventId]) => eventId)).size).toBe(3);
  });

  test('who connects again with Last-Event-ID gets what came meanwhile; after a restart, to read the list anew', async () => {
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

  test('nothing of another space is told', async () => {
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
    const { access_token } = await api.tokens();
    const stream = await follow(access_token);
    api.clock.advance(3_600_000);
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

  test('closing the server ends it', async () => {
    const { access_token } = await api.tokens();
    const stream = await follow(access_token);
    await stream.until(':');
    await Promise.all([api.close(), stream.rest()]);
  });
});
