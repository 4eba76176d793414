/** Audio in JSON and in multipart/form-data (specification 4.3), and what must not stay on disk. */
import { createHash } from 'node:crypto';
import { connect } from 'node:net';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import type { FastifyRequest } from 'fastify';
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/contract/errors.ts';
import { beginnings, wav, wavHeader } from '../../../support/audio.ts';
import { createUploadServer, uploadPath } from '../../../support/upload-server.ts';
import type { UploadServer } from '../../../support/upload-server.ts';

const json = (body: unknown): string => JSON.stringify(body);
const inJson = (bytes: Buffer, rest: object = {}) =>
  json({ ...rest, audio: { content_type: 'audio/x', data: bytes.toString('base64') } });

const sendJson = async (
  { app }: UploadServer,
  payload: string | Buffer | Readable,
  headers: Record<string, string> = {},
) =>
  app.inject({ method: 'POST', url: uploadPath, headers: { 'content-type': 'application/json', ...headers }, payload });

const boundary = 'x-boundary';
const part = (disposition: string, content: string | Buffer, type?: string): Buffer =>
  Buffer.concat([
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; ${disposition}\r\n${type ? `Content-Type: ${type}\r\n` : ''}\r\n`,
    ),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);
const file = (bytes: Buffer, name = 'audio'): Buffer => part(`name="${name}"; filename="a.bin"`, bytes, 'audio/wav');
const end = Buffer.from(`--${boundary}--\r\n`);
const sendForm = async ({ app }: UploadServer, ...parts: Buffer[]) =>
  app.inject({
    method: 'POST',
    url: uploadPath,
    headers: { 'content-type': `multipart/form-data; boundary=${boundary}` },
    payload: Buffer.concat(parts),
  });

/** What is kept of the audio that came. */
const contentOf = async ({ blobs }: UploadServer, { upload }: FastifyRequest): Promise<Buffer> =>
  buffer((await blobs.read(upload!.audio.blob))!.stream);

const sent = wav({ seconds: 2 });
const stored = {
  bytes: sent.length,
  sha256: createHash('sha256').update(sent).digest('hex'),
  content_type: 'audio/wav',
  seconds: 2,
};

test('audio in JSON is on disk while the handler runs, and the body is the rest', async () => {
  const server = await createUploadServer();
  server.handle(async (request) => (await contentOf(server, request)).equals(sent));
  const answer = await sendJson(
    server,
    inJson(sent, { mode: 'async', metadata: { a: [1, -2.5e3, true, null, 'ç\u0001"'] } }),
  );
  expect(answer.json()).toMatchObject({
    body: {
      mode: 'async',
      metadata: { a: [1, -2500, true, null, 'ç\u0001"'] },
      audio: { content_type: 'audio/x', data: '' },
    },
    audio: stored,
    told: true,
  });
});

test('audio in a form is on disk while the handler runs, and the other parts are fields', async () => {
  const server = await createUploadServer();
  server.handle(async (request) => (await contentOf(server, request)).equals(sent));
  const answer = await sendForm(
    server,
    part('name="mode"', 'async'),
    file(sent),
    part('name="metadata"', json({ a: 1 })),
    part('name="text"', 'pulmões'),
    end,
  );
  expect(answer.json()).toMatchObject({
    body: { mode: 'async', metadata: { a: 1 }, text: 'pulmões', audio: { content_type: 'audio/wav', data: '' } },
    audio: stored,
    told: true,
  });
});

test('a request without audio has no upload', async () => {
  const server = await createUploadServer();
  expect((await sendJson(server, json({ text: 'a' }))).json()).toMatchObject({ body: { text: 'a' }, audio: null });
  expect((await sendForm(server, part('name="text"', 'a'), end)).json()).toMatchObject({
    body: { text: 'a' },
    audio: null,
  });
});

test('audio stays when a document took it, and goes otherwise', async () => {
  const server = await createUploadServer();
  await sendJson(server, inJson(sent));
  expect(await server.files()).toEqual([]);
  server.handle(() => Promise.reject(new AppError('ENGINE_UNAVAILABLE')));
  expect((await sendJson(server, inJson(sent))).statusCode).toBe(503);
  expect(await server.files()).toEqual([]);
  server.handle((request) => request.upload!.keep());
  const { audio } = (await sendJson(server, inJson(sent))).json();
  expect(await server.blobs.list()).toEqual([audio.blob]);
});

test.each(Object.entries(beginnings))(
  '%s is recognised by its first bytes, truncated as it is',
  async (type, bytes) => {
    const server = await createUploadServer();
    for (const answer of [await sendJson(server, inJson(bytes)), await sendForm(server, file(bytes), end)]) {
      expect(answer.statusCode).toBe(200);
      expect(answer.json().audio).toMatchObject({ content_type: type, bytes: bytes.length });
    }
  },
);

test('a header that promises more than there is does not count', async () => {
  const server = await createUploadServer();
  const piped = Buffer.concat([wavHeader(0xffffffff), Buffer.alloc(16_000)]);
  expect((await sendJson(server, inJson(piped))).json().audio.seconds).toBeCloseTo(1, 1);
});

const text = Buffer.from('This is not audio at all. '.repeat(400));
const png = Buffer.concat([Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex'), Buffer.alloc(64)]);
test.each([
  ['text', text],
  ['an image', png],
  ['zeros', Buffer.alloc(10_000)],
])('%s is a 415 that lists the accepted types', async (_name, bytes) => {
  const server = await createUploadServer();
  for (const answer of [await sendJson(server, inJson(bytes)), await sendForm(server, file(bytes), end)]) {
    expect(answer.statusCode).toBe(415);
    expect(answer.json().error).toMatchObject({
      code: 'UNSUPPORTED_MEDIA_TYPE',
      details: { supported: expect.arrayContaining(['audio/wav']) },
    });
  }
  expect(await server.files()).toEqual([]);
});

const bad: [string, string | Buffer, number, string][] = [
  ['an empty body', ' ', 400, 'INVALID_JSON'],
  ['no JSON', 'hello', 400, 'INVALID_JSON'],
  ['a trailing comma', '{"text":"a",}', 400, 'INVALID_JSON'],
  ['something after the end', '{"text":"a"} x', 400, 'INVALID_JSON'],
  ['JSON cut off', '{"text":"a', 400, 'INVALID_JSON'],
  ['audio cut off', inJson(sent).slice(0, -20), 400, 'INVALID_JSON'],
  ['audio cut off before its object ends', inJson(sent).slice(0, -2), 400, 'INVALID_JSON'],
  ['bytes that are not UTF-8', Buffer.from([0x22, 0xff, 0x22]), 400, 'INVALID_JSON'],
  ['a prototype', '{"__proto__":{"a":1}}', 400, 'INVALID_JSON'],
  ['empty audio', inJson(Buffer.alloc(0)), 400, 'VALIDATION_FAILED'],
  ['bad base64', json({ audio: { data: `${sent.toString('base64')}*` } }), 400, 'VALIDATION_FAILED'],
  [
    'audio twice',
    `{"audio":{"data":"${sent.toString('base64')}","data":"${sent.toString('base64')}"}}`,
    400,
    'VALIDATION_FAILED',
  ],
  ['100 levels', `{"metadata":${'['.repeat(100)}${']'.repeat(100)}}`, 400, 'VALIDATION_FAILED'],
  ['a million levels', '['.repeat(1_000_000), 400, 'VALIDATION_FAILED'],
  ['a text of 5 MB', json({ text: 'x'.repeat(5_000_000) }), 413, 'PAYLOAD_TOO_LARGE'],
  ['a key of 5 MB', json({ ['x'.repeat(5_000_000)]: 1 }), 413, 'PAYLOAD_TOO_LARGE'],
  ['a number of 5 MB', `{"a":${'1'.repeat(5_000_000)}}`, 413, 'PAYLOAD_TOO_LARGE'],
];
test.each(bad)('JSON: %s is refused, and nothing stays', async (_name, body, status, code) => {
  const server = await createUploadServer();
  const answer = await sendJson(server, body);
  expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
  expect(await server.files()).toEqual([]);
  expect(server.log).toEqual([]);
});

test('bad base64 is reported by its field', async () => {
  const server = await createUploadServer();
  const answer = await sendJson(server, json({ audio: { data: '***' } }));
  expect(answer.json().error.details.errors).toEqual([
    { field: 'audio.data', message: 'audio.data must be base64', code: 'INVALID_FORMAT' },
  ]);
});

const badForms: [string, Buffer[], number, string][] = [
  ['no end', [file(sent)], 400, 'VALIDATION_FAILED'],
  ['a file cut off', [file(sent).subarray(0, 500)], 400, 'VALIDATION_FAILED'],
  ['a field cut off', [part('name="text"', 'abc').subarray(0, -3)], 400, 'VALIDATION_FAILED'],
  ['no form', [Buffer.from('hello')], 400, 'VALIDATION_FAILED'],
  ['an empty file', [file(Buffer.alloc(0)), end], 400, 'VALIDATION_FAILED'],
  ['two files', [file(sent), file(sent), end], 400, 'VALIDATION_FAILED'],
  ['a file by another name', [file(sent, 'recording'), end], 400, 'VALIDATION_FAILED'],
  [
    'a field twice',
    [file(sent), part('name="mode"', 'sync'), part('name="mode"', 'sync'), end],
    400,
    'VALIDATION_FAILED',
  ],
  ['metadata that is no JSON', [file(sent), part('name="metadata"', '{'), end], 400, 'VALIDATION_FAILED'],
  [
    'metadata of 100 levels',
    [file(sent), part('name="metadata"', `${'['.repeat(100)}${']'.repeat(100)}`), end],
    400,
    'VALIDATION_FAILED',
  ],
  ['a prototype', [file(sent), part('name="__proto__"', 'x'), end], 400, 'VALIDATION_FAILED'],
  ['a field of 5 MB', [file(sent), part('name="text"', 'x'.repeat(5_000_000)), end], 413, 'PAYLOAD_TOO_LARGE'],
  [
    'many fields',
    [file(sent), ...Array.from({ length: 30 }, (_, n) => part(`name="f${n}"`, 'x')), end],
    400,
    'VALIDATION_FAILED',
  ],
];
test.each(badForms)('form: %s is refused, and nothing stays', async (_name, parts, status, code) => {
  const server = await createUploadServer();
  const answer = await sendForm(server, ...parts);
  expect([answer.statusCode, answer.json().error.code]).toEqual([status, code]);
  expect(await server.files()).toEqual([]);
  expect(server.log).toEqual([]);
});

test('a form without a boundary is a 400, another content type a 415', async () => {
  const server = await createUploadServer();
  const send = async (type: string) =>
    server.app.inject({ method: 'POST', url: uploadPath, headers: { 'content-type': type }, payload: 'x' });
  expect((await send('multipart/form-data')).statusCode).toBe(400);
  expect((await send('audio/wav')).statusCode).toBe(415);
});

test('a body over the limit of the endpoint is a 413 with the limit', async () => {
  const server = await createUploadServer({ bodyLimit: 10_000 });
  const answer = await sendJson(server, inJson(sent));
  expect(answer.statusCode).toBe(413);
  expect(answer.json().error.details).toEqual({ limit_bytes: 10_000 });
  expect(await server.files()).toEqual([]);
});

test('the body means the same wherever the network cuts it', async () => {
  const server = await createUploadServer();
  const body = Buffer.from(
    inJson(wav({ seconds: 0.01 }), { text: 'coração ✓ 𝄞 \\ " é', metadata: { n: 12.5e-1, b: false } }),
  );
  const whole = JSON.parse(body.toString());
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 40 }), async (size) => {
      const pieces = Array.from({ length: Math.ceil(body.length / size) }, (_, at) =>
        body.subarray(at * size, (at + 1) * size),
      );
      const answer = await sendJson(server, Readable.from(pieces, { objectMode: false }));
      expect(answer.json().body).toEqual({ ...whole, audio: { ...whole.audio, data: '' } });
      expect(answer.json().audio.bytes).toBe(wav({ seconds: 0.01 }).length);
    }),
    { numRuns: 20 },
  );
});

test('when the caller hangs up in the middle, nothing stays', async () => {
  const server = await createUploadServer();
  const address = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  const form = Buffer.concat([file(sent), end]);
  for (const [type, body] of [
    ['application/json', Buffer.from(inJson(sent))],
    [`multipart/form-data; boundary=${boundary}`, form],
  ] as const) {
    const socket = connect(Number(address.port), address.hostname);
    socket.write(
      `POST ${uploadPath} HTTP/1.1\r\nHost: x\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body.subarray(0, body.length / 2));
    await expect.poll(() => server.files()).toHaveLength(1);
    socket.destroy();
    await expect.poll(() => server.files()).toEqual([]);
  }
});

test('audio of a caller who hangs up while the handler works goes when that is through, unless it was kept', async () => {
  const server = await createUploadServer();
  const address = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  for (const keep of [false, true]) {
    const begun = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    server.handle(async (request) => {
      begun.resolve();
      await go.promise;
      if (keep) request.upload!.keep();
    });
    const controller = new AbortController();
    const request = fetch(new URL(uploadPath, address), {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: inJson(sent),
      signal: controller.signal,
    }).catch(() => undefined);
    await begun.promise;
    controller.abort();
    await request;
    expect(await server.blobs.list()).toHaveLength(1);
    go.resolve();
    await expect.poll(() => server.blobs.list()).toHaveLength(keep ? 1 : 0);
  }
});

test('finding out how long audio is ends when the caller hangs up, and nothing stays', async () => {
  const server = await createUploadServer();
  const address = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  // A disk that never answers: only the caller's leaving ends it.
  let asked = 0;
  server.readBlobs(() => {
    asked++;
    return new Promise(() => {});
  });
  const controller = new AbortController();
  const request = fetch(new URL(uploadPath, address), {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: inJson(sent),
    signal: controller.signal,
  }).catch(() => undefined);
  await expect.poll(() => asked).toBe(1);
  controller.abort();
  await request;
  await expect.poll(() => server.files()).toEqual([]);
});

test('a file without audio in its first bytes is not inspected', async () => {
  const server = await createUploadServer();
  for (const bytes of [gzipSync(wav()), Buffer.from('PK\u0003\u0004'), Buffer.from('%PDF-1.7'), Buffer.alloc(5000)]) {
    expect((await sendJson(server, inJson(bytes))).statusCode).toBe(415);
  }
  expect(await server.files()).toEqual([]);
});
