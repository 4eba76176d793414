/** Reads messages for a recording: JSON and forms entirely, of files and audio only the size. */
import { Readable } from 'node:stream';
import type { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress, createGunzip, createInflate, createZstdDecompress } from 'node:zlib';
import { Busboy } from '@fastify/busboy';
import { textBefore } from '../../../src/domain/text-before.ts';

/** Maximum size in bytes of a JSON document or form; longer ones are not recorded. */
const maxDocumentBytes = 16 * 1024 * 1024;

export interface FormFile {
  readonly name: string;
  readonly contentType: string;
  readonly size: number;
}

export type Content =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'form'; readonly fields: readonly (readonly [name: string, value: string])[] }
  | {
      readonly kind: 'multipart';
      readonly fields: readonly (readonly [name: string, value: string])[];
      readonly files: readonly FormFile[];
    }
  | { readonly kind: 'text'; readonly text: string }
  /** Not read: audio, files, pages, and documents that are too long or invalid. */
  | { readonly kind: 'bytes'; readonly size: number };

type Headers = Readonly<Record<string, unknown>>;

export const mediaTypeOf = (headers: Headers): string =>
  textBefore(String(headers['content-type'] ?? ''), ';')
    .trim()
    .toLowerCase();

const decoders: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
  zstd: createZstdDecompress,
};

/** Consumes the source. Never rejects: broken content becomes `bytes`. */
export async function readContent(source: AsyncIterable<Uint8Array>, headers: Headers): Promise<Content> {
  const meter = { size: 0 };
  try {
    const stream = Readable.from(countBytes(source, meter), { objectMode: false });
    const coding = String(headers['content-encoding'] ?? 'identity').toLowerCase();
    const decoder = decoders[coding];
    if (!decoder && coding !== 'identity') return await drain(stream, meter);
    const decoded = decoder ? stream.pipe(decoder()) : stream;
    if (decoder) stream.once('error', (error) => decoded.destroy(error));
    return await decodeContent(decoded, headers, meter);
  } catch {
    // The rest must be consumed, or the sender would block.
    try {
      for await (const chunk of source) meter.size += chunk.length;
    } catch {}
    return meter.size === 0 ? { kind: 'none' } : { kind: 'bytes', size: meter.size };
  }
}

async function* countBytes(source: AsyncIterable<Uint8Array>, meter: { size: number }): AsyncGenerator<Uint8Array> {
  for await (const chunk of source) {
    meter.size += chunk.length;
    yield chunk;
  }
}

async function drain(stream: AsyncIterable<Uint8Array>, meter: { readonly size: number }): Promise<Content> {
  for await (const _ of stream);
  return meter.size === 0 ? { kind: 'none' } : { kind: 'bytes', size: meter.size };
}

async function decodeContent(stream: Readable, headers: Headers, meter: { readonly size: number }): Promise<Content> {
  const type = mediaTypeOf(headers);
  if (type === 'multipart/form-data') return readForm(stream, headers);
  const isJson = /[/+]json$/.test(type);
  const isForm = type === 'application/x-www-form-urlencoded';
  if (!isJson && !isForm && type !== 'text/event-stream') return drain(stream, meter);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream as AsyncIterable<Uint8Array>) {
    size += chunk.length;
    if (size <= maxDocumentBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  if (size === 0) return { kind: 'none' };
  if (size > maxDocumentBytes) return { kind: 'bytes', size };
  const text = Buffer.concat(chunks).toString('utf8');
  if (isForm) return { kind: 'form', fields: [...new URLSearchParams(text)] };
  if (!isJson) return { kind: 'text', text };
  try {
    return { kind: 'json', value: JSON.parse(text) as unknown };
  } catch {
    return { kind: 'bytes', size };
  }
}

async function readForm(stream: Readable, headers: Headers): Promise<Content> {
  const fields: (readonly [string, string])[] = [];
  const files: FormFile[] = [];
  const form = new Busboy({
    headers: { 'content-type': String(headers['content-type']) },
    limits: { fieldSize: maxDocumentBytes, fields: 1000, files: 100 },
  });
  form.on('field', (name, value) => fields.push([name, value]));
  form.on('file', (name, file, _fileName, _encoding, contentType) => {
    let size = 0;
    file.on('data', (chunk: Buffer) => (size += chunk.length));
    file.on('end', () => files.push({ name, contentType, size }));
  });
  await pipeline(stream, form);
  return { kind: 'multipart', fields, files };
}
