/** Writes an object: up to one part by a single call, a longer one by parts, which are aborted if anything fails. */
import { cutPieces } from '../../node/files/pieces.ts';
import type { CutPiece } from '../../node/files/pieces.ts';
import { findText } from './answers.ts';
import type { S3Client } from './client.ts';
import { S3Error } from './errors.ts';

export interface Upload {
  readonly name: string;
  readonly content: AsyncIterable<Uint8Array>;
  readonly headers: Readonly<Record<string, string>>;
  /** Bytes of a part. */
  readonly partBytes?: number;
  readonly signal?: AbortSignal | undefined;
}

const defaultPart = 8 * 2 ** 20;

/** `isThere` says whether the object of this upload is there, for a call whose answer was lost. */
export async function uploadObject(client: S3Client, upload: Upload, isThere: () => Promise<boolean>): Promise<void> {
  const { name, content, headers, partBytes = defaultPart, signal } = upload;
  const parts = cutPieces(copyChunks(content), () => partBytes);
  try {
    const { value: first } = await parts.next();
    if (!first || first.isLast) {
      const body = first?.bytes ?? Buffer.alloc(0);
      await client.ask({ method: 'PUT', object: name, headers, body, expect: [200], signal });
    } else await uploadParts(client, upload, joinParts(first, parts), isThere);
  } finally {
    await parts.return(undefined);
  }
}

async function* joinParts(first: CutPiece, rest: AsyncIterable<CutPiece>): AsyncGenerator<Buffer> {
  yield first.bytes;
  for await (const { bytes } of rest) yield bytes;
}

async function uploadParts(
  client: S3Client,
  { name, headers, signal }: Upload,
  parts: AsyncIterable<Buffer>,
  isThere: () => Promise<boolean>,
): Promise<void> {
  const begun = await client.ask({
    method: 'POST',
    object: name,
    query: { uploads: '' },
    headers,
    expect: [200],
    signal,
  });
  const uploadId = findText(begun.xml, 'UploadId');
  if (!uploadId) throw new S3Error({ status: begun.status, code: 'INCOMPLETE_ANSWER' });
  try {
    const etags: string[] = [];
    for await (const body of parts) {
      const query = { partNumber: String(etags.length + 1), uploadId };
      const part = await client.ask({ method: 'PUT', object: name, query, body, expect: [200], signal });
      const { etag } = part.headers;
      if (!etag) throw new S3Error({ status: part.status, code: 'INCOMPLETE_ANSWER' });
      etags.push(etag);
    }
    await complete(client, { name, uploadId, etags, signal }).catch(async (error: unknown) => {
      const isLost = error instanceof S3Error && error.code === 'NoSuchUpload';
      if (!isLost || !(await isThere())) throw error;
    });
  } catch (error) {
    await client
      .ask({ method: 'DELETE', object: name, query: { uploadId }, expect: [200, 204, 404] })
      .catch(() => undefined);
    throw error;
  }
}

interface Completion {
  readonly name: string;
  readonly uploadId: string;
  readonly etags: readonly string[];
  readonly signal: AbortSignal | undefined;
}

async function complete(client: S3Client, { name, uploadId, etags, signal }: Completion): Promise<void> {
  const listed = etags.map(
    (etag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(etag)}</ETag></Part>`,
  );
  const { status, xml } = await client.ask({
    method: 'POST',
    object: name,
    query: { uploadId },
    body: Buffer.from(`<CompleteMultipartUpload>${listed.join('')}</CompleteMultipartUpload>`),
    expect: [200],
    signal,
  });
  if (xml?.name !== 'CompleteMultipartUploadResult') throw new S3Error({ status, code: 'INCOMPLETE_ANSWER' });
}

const escapeXml = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** The source may use the memory of its chunks again. */
async function* copyChunks(content: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of content) yield Buffer.from(chunk);
}
