/** What reaches a listening server before there is a request: malformed, too large, or from somewhere else. */
import { once } from 'node:events';
import { METHODS } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createServer } from '../../../server/index.ts';
import { contract } from '../../../src/contract/index.ts';
import { backupType } from '../../../src/contract/maintenance.ts';
import { examFields, startApi } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { everyEndpoint, someParams, takesJson } from './endpoints.ts';
import { exchange, head } from '../../support/raw-socket.ts';
import type { RawAnswer } from '../../support/raw-socket.ts';

const api = await startApi({ listen: true });
const { url } = api.server;
const { host, port } = new URL(url);
const authorization = `Bearer ${api.token}`;
const jobs = contract.jobs.endpoints.list.path;

/** The failure envelope with the headers of every answer. */
function refused(answer: RawAnswer, status: number, code: string): void {
  expect([answer.status, answer.json.error.code], answer.body).toEqual([status, code]);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/json; charset=utf-8',
    'x-request-id': expect.stringMatching(/^[\x21-\x7e]{1,128}$/),
    'x-processing-time': expect.stringMatching(/^\d+(\.\d)?$/),
  });
  expect(answer.json).toMatchObject({
    success: false,
    meta: { request_id: answer.headers['x-request-id'], timestamp: expect.any(String) },
  });
}

describe('Malformed requests', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown method', `BREW /coffee HTTP/1.1\r\nHost: ${host}\r\n\r\n`],
    ['a header without a colon', `GET ${jobs} HTTP/1.1\r\nHost: ${host}\r\nnonsense\r\n\r\n`],
    ['a space before the colon', `GET ${jobs} HTTP/1.1\r\nHost : ${host}\r\n\r\n`],
    ['a folded header', `GET ${jobs} HTTP/1.1\r\nHost: ${host}\r\nX-A: 1\r\n\u0000: 2\r\n\r\n`],
    ['a bad Content-Length', head('POST', jobs, { Host: host, 'Content-Length': '1x' })],
    [
      'two Content-Length',
      `POST ${jobs} HTTP/1.1\r\nHost: ${host}\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}`,
    ],
    [
      'Content-Length and Transfer-Encoding',
      `${head('POST', jobs, { Host: host, 'Content-Length': 5, 'Transfer-Encoding': 'chunked' })}0\r\n\r\n`,
    ],
    [
      'a bad chunk',
      `${head('POST', contract.worklists.endpoints.ingest.path, { Host: host, Authorization: authorization, 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' })}xyz\r\n`,
    ],
  ])('%s: 400', async (_name, request) => {
    refused(await exchange(url, request), 400, 'VALIDATION_FAILED');
  });

  test('a header of 20 kB: 431', async () => {
    refused(
      await exchange(url, head('GET', jobs, { Host: host, 'X-Large': 'x'.repeat(20_000) })),
      431,
      'HEADERS_TOO_LARGE',
    );
  });

  test('an address that cannot be decoded: 400', async () => {
    refused(await exchange(url, head('GET', '/api/v1/jobs/%zz', { Host: host })), 400, 'VALIDATION_FAILED');
  });
});

describe('Host and Origin', () => {
  const get = (headers: Record<string, string>, method = 'GET') =>
    exchange(url, head(method, jobs, { Authorization: authorization, ...headers }));

  test.each([host, `localhost:${port}`, `LOCALHOST:${port}`, `[::1]:${port}`])(
    'Host %s is this server',
    async (name) => {
      expect((await get({ Host: name })).status).toBe(200);
    },
  );

  test.each([
    'evil.test',
    `evil.test:${port}`,
    `127.0.0.1.evil.test:${port}`,
    `localhost.:${port}`,
    `0.0.0.0:${port}`,
    '',
    '127.0.0.1',
    `127.0.0.1:${Number(port) + 1}`,
    `localhost:${Number(port) + 1}`,
    `LOCALHOST:${Number(port) + 1}`,
    `LocalHost`,
    `[::1]:${Number(port) + 1}`,
    `2130706433:${port}`,
    `[::ffff:127.0.0.1]:${port}`,
    `user@localhost:${port}`,
    `localhost:${port}:${port}`,
    `localhost:0${port}0`,
  ])('Host "%s": 403, whatever the method', async (name) => {
    for (const method of ['GET', 'POST', 'OPTIONS', 'DELETE'])
      refused(await get({ Host: name }, method), 403, 'FORBIDDEN');
    // The target names the host itself, and so counts instead (RFC 9112 3.2.2).
    const whole = head('GET', `http://${name}${jobs}`, { Host: host, Authorization: authorization });
    refused(await exchange(url, whole), 403, 'FORBIDDEN');
  });

  test.each([
    ['whatever the Host says', `http://${host}${jobs}`, 'evil.test', 200],
    ['without a path', `http://${host}?a`, host, 200],
    ['of no page', `HTTP://${host}/api/v1/nothing`, host, 404],
    ['of another scheme', `ftp://${host}${jobs}`, host, 404],
  ])('a target in absolute form, %s', async (_name, target, name, status) => {
    const answer = await exchange(url, head('GET', target, { Host: name, Authorization: authorization }));
    expect(answer.status, answer.body).toBe(status);
  });

  test('a target in absolute form, without Host: 400', async () => {
    refused(await exchange(url, head('GET', `http://${host}${jobs}`, {})), 400, 'VALIDATION_FAILED');
  });

  test('no Host: 400', async () => {
    refused(await get({}), 400, 'VALIDATION_FAILED');
  });

  test('two Host headers: 400', async () => {
    const request = `GET ${jobs} HTTP/1.1\r\nHost: ${host}\r\nHost: evil.test\r\nConnection: close\r\n\r\n`;
    refused(await exchange(url, request), 400, 'VALIDATION_FAILED');
  });

  test.each([
    'null',
    'https://evil.test',
    `http://evil.test:${port}`,
    `http://127.0.0.1:${Number(port) + 1}`,
    `http://${host}.evil.test`,
    'file://',
  ])('Origin %s: 403, never reflected', async (origin) => {
    for (const method of ['GET', 'POST', 'OPTIONS']) {
      const answer = await get({ Host: host, Origin: origin }, method);
      refused(answer, 403, 'FORBIDDEN');
      expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))).toEqual([]);
    }
  });

  test('its own Origin is taken', async () => {
    expect((await get({ Host: host, Origin: `http://${host}` })).status).toBe(200);
  });
});

describe('X-Request-Id', () => {
  const get = (id: string) =>
    exchange(
      url,
      `GET ${jobs} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: ${authorization}\r\nConnection: close\r\nX-Request-Id: ${id}\r\n\r\n`,
    );

  test('with CR and LF is never echoed', async () => {
    for (const id of [
      'a\r\nX-Planted: yes',
      'a\rX-Planted: yes',
      'a\nX-Planted: yes',
      'a%0d%0aX-Planted: yes',
      'a\u0000b',
    ]) {
      const answer = await get(id);
      expect(answer.headers).not.toHaveProperty('x-planted');
      expect(answer.headers['x-request-id']).toMatch(/^(a|req_[0-9A-Z]{26})$/);
    }
  });

  test('of 10 kB is never echoed', async () => {
    const answer = await get('y'.repeat(10_000));
    expect(answer.status).toBe(200);
    expect(answer.headers['x-request-id']).toMatch(/^req_[0-9A-Z]{26}$/);
    expect(answer.body).not.toContain('yyyy');
  });

  test('of the caller is kept, and is in the envelope', async () => {
    const answer = await get('order-4417');
    expect(answer.headers['x-request-id']).toBe('order-4417');
    expect(answer.json).toMatchObject({ meta: { request_id: 'order-4417' } });
  });
});

describe('Too large', () => {
  const withBody = everyEndpoint.filter(
    ({ endpoint }) => endpoint.body && endpoint.access !== 'client' && takesJson(endpoint),
  );
  const headers = (access: string) => ({
    Host: host,
    Authorization: access === 'admin' ? `Bearer ${api.server.adminToken}` : authorization,
    'Content-Type': 'application/json',
  });
  const target = (endpoint: (typeof withBody)[number]['endpoint']) =>
    endpoint.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(someParams(endpoint)[name]));
  const limitOf = (endpoint: (typeof withBody)[number]['endpoint']): number => endpoint.bodyLimit ?? 1024 * 1024;

  test.each(withBody)('$name by its Content-Length: 413 before any of it is read', async ({ endpoint }) => {
    const limit = limitOf(endpoint);
    const answer = await exchange(
      url,
      head(endpoint.method, target(endpoint), { ...headers(endpoint.access), 'Content-Length': limit + 1 }),
    );
    refused(answer, 413, 'PAYLOAD_TOO_LARGE');
    expect(answer.json.error.details).toEqual({ limit_bytes: limit });
  });

  test.each(withBody)('$name in chunks: 413 once it is too much', async ({ endpoint }) => {
    // Of what may carry audio, all but the audio has a limit of its own.
    const limit = endpoint.takesAudio ? 4_000_000 : limitOf(endpoint);
    const body = Buffer.from(`{"text":"${'x'.repeat(limit)}`);
    const answer = await exchange(
      url,
      head(endpoint.method, target(endpoint), { ...headers(endpoint.access), 'Transfer-Encoding': 'chunked' }),
      `${body.length.toString(16)}\r\n`,
      body,
      '\r\n',
    );
    refused(answer, 413, 'PAYLOAD_TOO_LARGE');
    expect(answer.json.error.details).toEqual({ limit_bytes: limit });
  });

  test('a form by its Content-Length: 413', async () => {
    const { generate } = contract.records.endpoints;
    const answer = await exchange(
      url,
      head('POST', generate.path, {
        ...headers('bearer'),
        'Content-Type': 'multipart/form-data; boundary=x',
        'Content-Length': generate.bodyLimit + 1,
      }),
    );
    refused(answer, 413, 'PAYLOAD_TOO_LARGE');
  });
});

test.runIf(process.platform === 'linux')(
  'only this computer reaches it, by the address that it was given',
  async () => {
    const elsewhere = connect(Number(port), '127.0.0.2');
    await expect(once(elsewhere, 'connect')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  },
);

describe('Connections that say nothing', () => {
  test.each([
    ['nothing at all', ''],
    ['half a request', `GET ${jobs} HTTP/1.1\r\nHost: ${host}\r\n`],
    ['half of a second request', `GET /healthz HTTP/1.1\r\nHost: ${host}\r\n\r\nGET ${jobs} HTTP/1.1\r\n`],
  ])('%s: cut off once the time for headers is over', async (_name, sent) => {
    const slow = await createServer({ version: '0', store: { use: 'memory' }, port: 0, headersTimeout: 200 });
    onTestFinished(() => slow.close());
    const begun = performance.now();
    const answer = await exchange(slow.url, sent.replaceAll(host, new URL(slow.url).host));
    expect(answer.body).toContain('The request took too long to arrive.');
    // Before the 30 s in which Node would look by itself.
    expect(performance.now() - begun).toBeLessThan(25_000);
  });

  test('a backup may take longer to arrive than other requests, and only meanwhile', async () => {
    const limits = { headersTimeout: 200, requestTimeout: 250 };
    const slow = await createServer({ version: '0', store: { use: 'memory' }, port: 0, ...limits });
    onTestFinished(() => slow.close());
    const { host: own, port: at } = new URL(slow.url);
    const late = (path: string, type: string) =>
      `${head('POST', path, { Host: own, Authorization: `Bearer ${slow.adminToken}`, 'Content-Type': type, 'Content-Length': 8 })}late`;
    const { restore } = contract.maintenance.endpoints;
    const sending = connect(Number(at), '127.0.0.1');
    onTestFinished(() => void sending.destroy());
    let answer = '';
    sending.on('data', (bytes: Buffer) => (answer += bytes.toString()));
    sending.write(late(restore.path, backupType));
    // Each is cut off once its own time is over.
    for (let nth = 0; nth < 3; nth++) await exchange(slow.url, `GET ${jobs} HTTP/1.1\r\n`);
    sending.write('late');
    await vi.waitFor(() => expect(answer).toContain('\r\n\r\n'));
    expect(answer).not.toContain('too long to arrive');
    expect((await exchange(slow.url, late(contract.clients.endpoints.create.path, 'application/json'))).body).toContain(
      'The request took too long to arrive.',
    );
  });

  test('a thousand of them leave room for others', async () => {
    const idle = Array.from({ length: 1000 }, () => connect(Number(port), '127.0.0.1'));
    onTestFinished(() => idle.forEach((socket) => socket.destroy()));
    await Promise.all(idle.map((socket) => once(socket, 'connect')));
    expect((await exchange(url, head('GET', '/healthz', { Host: host }))).status).toBe(200);
  });
});

describe('A connection that closes in the middle', () => {
  test('of an upload: nothing is stored of it, and the server goes on', async () => {
    const before = await api.stored();
    const controller = new AbortController();
    const body = new ReadableStream({
      start(sink) {
        sink.enqueue(Buffer.from('{"audio":{"content_type":"audio/wav","data":"'));
        sink.enqueue(Buffer.from(wav({ seconds: 5 }).subarray(0, 30_000).toString('base64')));
        queueMicrotask(() => controller.abort());
      },
    });
    const request = {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body,
      duplex: 'half',
      signal: controller.signal,
    };
    await expect(fetch(url + contract.records.endpoints.generate.path, request as RequestInit)).rejects.toThrow(
      'aborted',
    );
    expect(await api.ingest(examFields())).toMatchObject({ inserted: 1 });
    expect(await api.stored()).toEqual({ ...before, items: before['items']! + 1 });
  });
});

describe('Methods that no call has', () => {
  test.each(METHODS.filter((method) => !['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'CONNECT'].includes(method)))(
    '%s: 405 with Allow',
    async (method) => {
      for (const body of ['', '{}']) {
        const headers = { Host: host, Authorization: authorization, 'Content-Type': 'application/json' };
        const answer = await exchange(
          url,
          `${head(method, jobs, { ...headers, 'Content-Length': body.length })}${body}`,
        );
        refused(answer, 405, 'METHOD_NOT_ALLOWED');
        expect(answer.headers).toMatchObject({ allow: 'GET, HEAD' });
      }
    },
  );
});
