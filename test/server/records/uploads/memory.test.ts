/** Audio is streamed to disk: a large upload does not make the server larger. */
import { request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { json } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { wavHeader } from '../../../support/audio.ts';
import { createUploadServer, uploadPath } from '../../../support/upload-server.ts';

const mebibyte = 1024 * 1024;
const data = 150 * mebibyte;
/** Divisible by 3, so that pieces of base64 can be put together. */
const piece = Buffer.alloc(48 * 1024);
const header = Buffer.concat([wavHeader(data, 16_000), Buffer.alloc(1)]);

/** The file, a piece at a time. */
function* pieces(): Generator<Buffer> {
  yield header;
  for (let left = data - 1; left > 0; left -= piece.length) yield left < piece.length ? piece.subarray(0, left) : piece;
}

const bodies = {
  'application/json': function* () {
    yield '{"audio":{"content_type":"audio/wav","data":"';
    for (const bytes of pieces()) yield bytes.toString('base64');
    yield '"}}';
  },
  'multipart/form-data; boundary=x': function* () {
    yield '--x\r\nContent-Disposition: form-data; name="audio"; filename="a.wav"\r\nContent-Type: audio/wav\r\n\r\n';
    yield* pieces();
    yield '\r\n--x--\r\n';
  },
};

test.each(Object.entries(bodies))('150 MiB in %s', async (type, body) => {
  const server = await createUploadServer();
  const { port } = new URL(await server.app.listen({ host: '127.0.0.1', port: 0 }));
  const before = process.memoryUsage().rss;
  let peak = before;
  const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 5);
  try {
    const outgoing = request({ port, path: uploadPath, method: 'POST', headers: { 'Content-Type': type } });
    const answer = new Promise((resolve, reject) =>
      outgoing.on('response', (incoming) => resolve(json(incoming))).on('error', reject),
    );
    await pipeline(Readable.from(body(), { objectMode: false }), outgoing);
    expect(await answer).toMatchObject({
      audio: { bytes: data + 44, seconds: data / 32_000, content_type: 'audio/wav' },
    });
  } finally {
    clearInterval(watch);
  }
  // Sender and server in one process, with what the collector has not taken yet. The file in memory would be 150 at least.
  expect((peak - before) / mebibyte).toBeLessThan(120);
});
