/** S3 servers that misbehave: nothing is taken for missing, written or whole that is not. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { waitingClock } from '../../src/node/clock.ts';
import { parseAccessKey, parseBucketAddress } from '../../src/protocols/s3/address.ts';
import { openBucket } from '../../src/protocols/s3/bucket.ts';
import type { Bucket } from '../../src/protocols/s3/bucket.ts';
import { openCheckedBucket } from '../../src/protocols/s3/check-bucket.ts';

interface Asked {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly headers: IncomingMessage['headers'];
  readonly body: Buffer;
}
type Answer = (asked: Asked, response: ServerResponse) => unknown;

const names = { setting: '--blobs', variable: 'LAUDIO_BLOBS_KEY' };
const content = Buffer.from('0123456789'.repeat(1000));

/** A server that answers each call by `answer`, and what it was asked. */
async function serve(answer: Answer, timeout = 5000) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    void buffer(request).then((body) => {
      const { pathname, searchParams } = new URL(request.url ?? '', 'http://s3');
      const call = {
        method: request.method ?? '',
        path: pathname,
        query: searchParams,
        headers: request.headers,
        body,
      };
      asked.push(call);
      return answer(call, response);
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { bucket: openAt(server, timeout), host: `127.0.0.1:${port}`, asked };
}

function openAt(server: Server, timeout: number): Bucket {
  const { port } = server.address() as AddressInfo;
  const address = parseBucketAddress(`s3://127.0.0.1:${port}/sound/a b?tls=off`, names);
  const bucket = openBucket({
    address,
    key: parseAccessKey('id:secret', names, ''),
    clock: waitingClock,
    timeout,
    rest: 1,
  });
  onTestFinished(async () => {
    await bucket.close();
    server.closeAllConnections();
    server.close();
  });
  return bucket;
}

const refuse =
  (status: number, code: string): Answer =>
  (_asked, response) =>
    response.writeHead(status).end(`<?xml version="1.0"?><Error><Code>${code}</Code></Error>`);
const inTurn = (...answers: Answer[]): Answer => {
  let at = 0;
  return (asked, response) => answers[Math.min(at++, answers.length - 1)]?.(asked, response);
};
/** The object, by range. */
const give =
  (how: { readonly cutAfter?: number; readonly version?: string; readonly shift?: number } = {}): Answer =>
  ({ headers: { range = '' } }, response) => {
    const [start = 0, end = 0] = (/(\d+)-(\d+)/.exec(range) ?? []).slice(1).map(Number);
    const last = Math.min(end, content.length - 1);
    const shift = how.shift ?? 0;
    response.writeHead(206, {
      etag: '"1"',
      'x-amz-meta-version': how.version ?? 'v1',
      'content-range': `bytes ${start + shift}-${last + shift}/${content.length}`,
      'content-length': last - start + 1,
    });
    if (how.cutAfter === undefined) return response.end(content.subarray(start, last + 1));
    return response.write(content.subarray(start, Math.min(last + 1, start + how.cutAfter)), () => response.destroy());
  };
const whole = { start: 0, end: content.length - 1 };
const read = async (bucket: Bucket): Promise<Buffer> => {
  const found = await bucket.find('blb_A');
  if (!found) throw new Error('not found');
  return buffer(bucket.read('blb_A', found, whole, new AbortController().signal));
};
async function* pieces(bytes: number, size = 2 ** 20): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes; at += size) yield Buffer.alloc(Math.min(size, bytes - at), 1);
}

describe('an object', () => {
  test('is missing by NoSuchKey alone', async () => {
    const { bucket } = await serve(refuse(404, 'NoSuchKey'));
    expect(await bucket.find('blb_A')).toBeUndefined();
    await bucket.remove('blb_A');
  });

  test.each([
    ['a bucket that is gone', refuse(404, 'NoSuchBucket'), 'NoSuchBucket'],
    ['a key that is unknown', refuse(404, 'XAdminUserNotFound'), 'XAdminUserNotFound'],
    ['a key that may not list', refuse(403, 'AccessDenied'), 'AccessDenied'],
    ['a proxy’s page', (_asked, response) => response.writeHead(404).end('<html><br>Not found'), 'HTTP_404'],
    ['no word', (_asked, response) => response.writeHead(404).end(), 'HTTP_404'],
  ] as [string, Answer, string][])('is not missing for %s', async (_what, answer, code) => {
    const { bucket, asked } = await serve(answer);
    await expect(bucket.find('blb_A')).rejects.toMatchObject({ code });
    await expect(bucket.remove('blb_A')).rejects.toMatchObject({ code });
    // Another attempt would change nothing.
    expect(asked.map(({ method }) => method)).toEqual(['GET', 'DELETE']);
  });

  test('is found by its head, though the connection was cut behind it', async () => {
    const { bucket, asked } = await serve((_asked, response) => {
      response.writeHead(206, { 'content-range': 'bytes 0-0/7', 'content-length': 1 }).flushHeaders();
      response.socket?.end();
    });
    expect(await bucket.find('blb_A')).toMatchObject({ size: 7 });
    expect(asked).toHaveLength(1);
  });

  test('is read on where the connection was cut', async () => {
    const { bucket, asked } = await serve(inTurn(give(), give({ cutAfter: 3000 }), give({ cutAfter: 10 }), give()));
    expect(await read(bucket)).toEqual(content);
    expect(asked.slice(1).map(({ headers }) => headers.range)).toEqual([
      'bytes=0-9999',
      'bytes=3000-9999',
      'bytes=3010-9999',
    ]);
    expect(asked.slice(1).every(({ headers }) => headers['if-match'] === '"1"')).toBe(true);
  });

  test.each([
    ['another put took its place', give({ version: 'v2' })],
    ['other bytes come than were asked for', give({ shift: 5 })],
    ['no byte ever comes', give({ cutAfter: 0 })],
    ['the service finds another ETag', refuse(412, 'PreconditionFailed')],
    ['it was removed', refuse(404, 'NoSuchKey')],
  ])('is not read where %s', async (_what, answer) => {
    const { bucket } = await serve(inTurn(give(), answer));
    await expect(read(bucket)).rejects.toThrow('S3');
  });
});

describe('a call', () => {
  test('is tried four times while its failure may pass, with the same signed body', async () => {
    const busy = refuse(503, 'SlowDown');
    const { bucket, asked } = await serve(
      inTurn(busy, refuse(400, 'RequestTimeout'), busy, (_asked, response) => response.end()),
    );
    await bucket.put('blb_A', pieces(1000));
    const sha256 = createHash('sha256').update(Buffer.alloc(1000, 1)).digest('hex');
    expect(asked).toHaveLength(4);
    for (const { headers, body } of asked)
      expect([headers['x-amz-content-sha256'], body.length]).toEqual([sha256, 1000]);
    expect(asked[0]?.path).toBe('/sound/a%20b/blb_A');
    expect(asked[0]?.headers.authorization).toMatch(
      /^AWS4-HMAC-SHA256 Credential=id\/\d{8}\/us-east-1\/s3\/aws4_request, /,
    );
    const { bucket: down, asked: calls } = await serve(busy);
    await expect(down.put('blb_A', pieces(1000))).rejects.toMatchObject({ code: 'SlowDown', status: 503 });
    expect(calls).toHaveLength(4);
  });

  test('lasts as long as the service takes more, and ends where it takes nothing', async () => {
    const timeout = 300;
    let attempts = 0;
    let isStuck = false;
    const server = createServer((request, response) => {
      attempts++;
      const end = performance.now() + 3 * timeout;
      // Takes a little at a time, for longer than the limit.
      const take = (): void => {
        if (isStuck) return;
        for (let taken = 0; taken < 2 ** 18;) taken += (request.read() as Buffer | null)?.length ?? 2 ** 18;
        if (performance.now() < end) setTimeout(take, 10);
        else request.resume();
      };
      take();
      request.on('end', () => response.end());
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const bucket = openAt(server, timeout);
    const whole = { partBytes: 2 ** 26 };
    await bucket.put('blb_A', pieces(2 ** 24), whole);
    expect(attempts).toBe(1);
    isStuck = true;
    await expect(bucket.put('blb_A', pieces(2 ** 24), whole)).rejects.toMatchObject({
      code: 'UND_ERR_HEADERS_TIMEOUT',
    });
  });

  test('ends where the service stays silent', async () => {
    const { bucket } = await serve(() => undefined, 50);
    await expect(bucket.find('blb_A')).rejects.toMatchObject({ code: 'UND_ERR_HEADERS_TIMEOUT' });
  });

  test('names neither object nor key in its error', async () => {
    const { bucket } = await serve(refuse(500, 'InternalError'));
    const error = await bucket.find('blb_A').catch((failure: unknown) => failure);
    expect(`${String(error)} ${JSON.stringify(error)}`).not.toMatch(/blb_A|secret|a b/);
  });
});

describe('parts', () => {
  const twelve = 12 * 2 ** 20;
  const xml =
    (text: string): Answer =>
    (_asked, response) =>
      response.end(`<?xml version="1.0"?>\n${text}`);
  const begin = xml(
    '<InitiateMultipartUploadResult><UploadId>u&#x2B;1&amp;</UploadId></InitiateMultipartUploadResult>',
  );
  const part: Answer = ({ query }, response) =>
    response.writeHead(200, { etag: `"${query.get('partNumber')}&"` }).end();
  const completed = xml('<CompleteMultipartUploadResult><ETag>"x"</ETag></CompleteMultipartUploadResult>');
  /** Each call by its place in an upload. */
  const upload =
    (complete: Answer, rest: Answer = (_asked, response) => response.writeHead(204).end()): Answer =>
    (asked, response) => {
      const { method, query } = asked;
      const answer = query.has('uploads')
        ? begin
        : query.has('partNumber')
          ? part
          : method === 'POST'
            ? complete
            : rest;
      return answer(asked, response);
    };

  test('are completed by their ETags', async () => {
    const { bucket, asked } = await serve(upload(completed));
    await bucket.put('blb_A', pieces(twelve));
    expect(asked.map(({ method, query }) => `${method} ${query}`)).toEqual([
      'POST uploads=',
      'PUT partNumber=1&uploadId=u%2B1%26',
      'PUT partNumber=2&uploadId=u%2B1%26',
      'POST uploadId=u%2B1%26',
    ]);
    expect(asked.at(-1)?.body.toString()).toContain('<PartNumber>2</PartNumber><ETag>"2&amp;"</ETag>');
    expect(asked[0]?.headers['x-amz-meta-version']).toMatch(/^[0-9a-f-]{36}$/);
  });

  test.each([
    ['a 200 that holds an error', xml('<Error><Code>EntityTooSmall</Code></Error>'), 'EntityTooSmall'],
    ['a 200 without a word', (_asked: Asked, response: ServerResponse) => response.end(), 'INCOMPLETE_ANSWER'],
    ['a 200 that says that it may pass, each time', xml('<Error><Code>InternalError</Code></Error>'), 'InternalError'],
  ])('are aborted after %s', async (_what, complete, code) => {
    const { bucket, asked } = await serve(upload(complete));
    await expect(bucket.put('blb_A', pieces(twelve))).rejects.toMatchObject({ code });
    expect(asked.at(-1)).toMatchObject({ method: 'DELETE' });
    expect(asked.at(-1)?.query.get('uploadId')).toBe('u+1&');
  });

  test.each([
    ['is there', true],
    ['is not there', false],
  ])('whose answer was lost are complete only if the object %s', async (_what, isThere) => {
    let version = '';
    const complete = inTurn((_asked, response) => response.destroy(), refuse(404, 'NoSuchUpload'));
    const { bucket } = await serve((asked, response) => {
      version ||= String(asked.headers['x-amz-meta-version'] ?? '');
      const found = give({ version: isThere ? version : 'another' });
      return upload(complete, asked.method === 'GET' ? found : undefined)(asked, response);
    });
    const put = bucket.put('blb_A', pieces(twelve));
    if (isThere) await put;
    else await expect(put).rejects.toMatchObject({ code: 'NoSuchUpload' });
  });
});

describe('a start over a bucket', () => {
  /** A service that keeps one object, and answers by `uploads` where it is asked for uploads. */
  async function open(uploads: Answer): Promise<void> {
    let object: Asked | undefined;
    const { host } = await serve((asked, response) => {
      const { method, query, path } = asked;
      if (query.has('uploads')) return uploads(asked, response);
      if (query.has('list-type')) return response.end('<ListBucketResult/>');
      if (method === 'DELETE') return response.writeHead(204).end();
      if (method === 'PUT') object = asked;
      if (method === 'PUT' || !object || object.path !== path) return response.end();
      const end = asked.headers.range === 'bytes=0-0' ? 0 : object.body.length - 1;
      const headers = { 'content-range': `bytes 0-${end}/${object.body.length}`, 'x-amz-meta-version': 'v' };
      return response.writeHead(206, headers).end(object.body.subarray(0, end + 1));
    });
    const bucket = await openCheckedBucket({ address: `s3://${host}/sound?tls=off`, key: 'id:secret', names });
    await bucket.close();
  }

  test('needs the right to list unfinished uploads, where the service can', async () => {
    await open((_asked, response) => response.end('<ListMultipartUploadsResult/>'));
    await open(refuse(501, 'NotImplemented'));
    await expect(open(refuse(403, 'AccessDenied'))).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: expect.stringMatching(/^The key of LAUDIO_BLOBS_KEY has no right to list unfinished uploads in /),
      hint: expect.stringContaining('s3:ListBucketMultipartUploads'),
    });
  });
});

describe('a list', () => {
  test('has all pages, with every character of its names', async () => {
    const page =
      (keys: string, more: string): Answer =>
      (_asked, response) =>
        response.end(`<ListBucketResult>${keys}<IsTruncated>${more !== ''}</IsTruncated>${more}</ListBucketResult>`);
    const entry = (name: string) =>
      `<Contents><Key>a b/${name}</Key><Size>7</Size><LastModified>2026-03-02T09:00:00Z</LastModified></Contents>`;
    const { bucket, asked } = await serve(
      inTurn(
        page(entry('blb_&#34;&#x9;&amp;') + entry('blb_B'), '<NextContinuationToken>t+ /&lt;</NextContinuationToken>'),
        page(entry('blb_C'), ''),
      ),
    );
    const found = [];
    for await (const each of bucket.list('blb_')) found.push(each);
    expect(found.map(({ name }) => name)).toEqual(['blb_"\t&', 'blb_B', 'blb_C']);
    expect(found[0]).toMatchObject({ size: 7, changedAt: Date.UTC(2026, 2, 2, 9) });
    expect(asked.map(({ query }) => [query.get('prefix'), query.get('continuation-token')])).toEqual([
      ['a b/blb_', null],
      ['a b/blb_', 't+ /<'],
    ]);
  });

  test.each([
    ['says that more follows, and not where', '<ListBucketResult><IsTruncated>true</IsTruncated></ListBucketResult>'],
    ['is a page of a proxy', 'Welcome'],
  ])('that %s is a failure', async (_what, body) => {
    const { bucket } = await serve((_asked, response) => response.end(body));
    const list = async () => {
      for await (const _ of bucket.list('')) continue;
    };
    await expect(list()).rejects.toThrow('S3');
  });
});
