/** Large answers that anybody may ask for: made once, compressed, with an entity tag, and counted by address. */
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createServer } from '../../../server/index.ts';
import { endpoints } from '../../../src/contract/index.ts';
import { chooseCoding } from '../../../src/node/http/content-coding.ts';
import { createFixedContent } from '../../../src/node/http/fixed-content.ts';
import { cheapSecrets } from '../../support/cheap-secrets.ts';

/** Bytes from which on an answer is large. */
const large = 32 * 1024;
const addresses = [
  ...endpoints.filter(({ access, method }) => access === 'public' && method === 'GET').map(({ path }) => path),
  '/',
  '/docs',
  '/login',
  '/consent',
  '/device',
  '/portal',
  '/inspector',
  '/nowhere',
];

const start = async (rateLimit: number) => {
  const server = await createServer({
    version: '0.0.0-test',
    store: { use: 'memory' },
    secretCosts: cheapSecrets,
    setupCode: '4F7K9-2QDXM',
    rateLimit,
  });
  onTestFinished(() => server.close());
  return server;
};

test('every large answer without a login has a tag, is compressed, and is counted by address', async () => {
  const server = await start(1000);
  const get = (url: string, headers = {}) => server.inject({ url, headers: { accept: 'text/html', ...headers } });
  const found: string[] = [];
  for (const url of addresses) {
    const plain = await get(url);
    if (plain.rawPayload.length < large) continue;
    found.push(url);
    expect(plain.headers).toMatchObject({
      etag: expect.stringMatching(/^"/),
      vary: 'Accept-Encoding',
      'x-ratelimit-remaining': expect.anything(),
    });
    for (const [coding, decode] of [
      ['br', brotliDecompressSync],
      ['gzip', gunzipSync],
    ] as const) {
      const packed = await get(url, { 'accept-encoding': `deflate, ${coding};q=0.5` });
      expect(packed.headers['content-encoding']).toBe(coding);
      expect(packed.rawPayload.length).toBeLessThan(plain.rawPayload.length / 5);
      expect(decode(packed.rawPayload).equals(plain.rawPayload)).toBe(true);
      expect(packed.headers.etag).not.toBe(plain.headers.etag);
      const same = await get(url, { 'accept-encoding': coding, 'if-none-match': `"other", W/${packed.headers.etag}` });
      expect([same.statusCode, same.rawPayload.length, same.headers['content-length']]).toEqual([304, 0, undefined]);
    }
    expect((await get(url, { 'if-none-match': '"other"' })).statusCode).toBe(200);
    const head = await server.inject({ method: 'HEAD', url });
    expect([url, head.statusCode, head.headers.etag]).toEqual([url, 200, plain.headers.etag]);
    expect([head.headers['content-length'], head.rawPayload.length]).toEqual([plain.headers['content-length'], 0]);
  }
  expect(found).toEqual(['/openapi.json', '/docs']);
});

test('a client that asks too often is refused, and others are not', async () => {
  const server = await start(3);
  const ask = async (url: string, remoteAddress: string) =>
    (await server.inject({ url, remoteAddress, headers: { 'if-none-match': '*' } })).statusCode;
  expect([await ask('/openapi.json', '192.0.2.1'), await ask('/docs', '192.0.2.1')]).toEqual([304, 304]);
  expect(await ask('/openapi.json', '192.0.2.1')).toBe(304);
  for (const url of ['/openapi.json', '/docs']) {
    expect(await ask(url, '192.0.2.1')).toBe(429);
    expect(await ask(url, '192.0.2.2')).toBe(304);
  }
  expect(await ask('/healthz', '192.0.2.1')).toBe(200);
});

test('is made and compressed once for all that ask at once, and again where that failed', async () => {
  let made = 0;
  const content = createFixedContent(
    async () => {
      made++;
      if (made === 1) throw new Error('not yet');
      return Buffer.alloc(100_000, 'word ');
    },
    { 'Content-Type': 'text/plain' },
  );
  await expect(content(() => undefined)).rejects.toThrow('not yet');
  const asked = (coding: string) => content((name) => (name === 'accept-encoding' ? coding : undefined));
  const answers = await Promise.all(Array.from({ length: 100 }, () => asked('gzip')));
  // The same bytes, so that a hundred slow readers take no more memory than one.
  expect([made, new Set(answers.map(({ body }) => body)).size]).toEqual([2, 1]);
});

test.each<[accepted: string | undefined, coding: string | undefined]>([
  [undefined, undefined],
  ['', undefined],
  ['identity', undefined],
  ['gzipped', undefined],
  ['gzip', 'gzip'],
  ['GZIP ; Q=0.5', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.1, gzip', 'gzip'],
  ['br;q=0, gzip;q=0.0', undefined],
  ['br;q=0, *', 'gzip'],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['gzip, *;q=0', 'gzip'],
  ['identity, gzip;q=0.5', undefined],
  ['identity;q=0', undefined],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['gzip, gzip;q=0', undefined],
  ['br;q=1.5, gzip;q=x', undefined],
  ['br;level=1', undefined],
  [', ;, br;q=1.000', 'br'],
])('of %j a reader gets %j', (accepted, coding) => {
  expect(chooseCoding(accepted)).toBe(coding);
});

test('files compressed by the build are sent as they are, and missing ones are compressed again', async () => {
  const text = Buffer.from('word '.repeat(10_000));
  const built = gzipSync(text, { level: 1 });
  const asked = async (gzip: () => Promise<Buffer>) =>
    createFixedContent(() => text, { 'Content-Type': 'text/plain' }, { gzip })(() => 'gzip');
  expect((await asked(async () => built)).body).toBe(built);
  const other = await asked(() => Promise.reject(new Error('gone')));
  expect(gunzipSync(other.body!).equals(text)).toBe(true);
});
