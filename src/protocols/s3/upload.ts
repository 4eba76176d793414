/** Writes an object: up to one part by a single call, a longer one by parts, which are aborted if anything fails. */
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
  const parts = cutIntoParts(content, partBytes);
  try {
    const { value: first = Buffer.alloc(0) } = await parts.next();
    // A content of exactly one part is known to be that only now.
    const second = first.byteLength < partBytes ? undefined : (await parts.next()).value;
    if (second)
      await uploadParts(
        client,
        upload,
        (async function* () {
          yield first;
          yield second;
          yield* parts;
        })(),
        isThere,
      );
    else await client.ask({ method: 'PUT', object: name, headers, body: first, expect: [200], signal });
  } finally {
    await parts.return(undefined);
  }
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

/** Parts of exactly that many bytes; the last may be shorter. Chunks are copied: their source may use their memory again. */
async function* cutIntoParts(content: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Buffer, undefined> {
  let gathered: Buffer[] = [];
  let size = 0;
  const take = (): Buffer => {
    const part = Buffer.concat(gathered);
    gathered = [];
    size = 0;
    return part;
  };
  for await (const chunk of content) {
    for (let at = 0; at < chunk.byteLength;) {
      const piece = chunk.subarray(at, at + bytes - size);
      gathered.push(Buffer.from(piece));
      size += piece.byteLength;
      at += piece.byteLength;
      if (size === bytes) yield take();
    }
  }
  if (size > 0) yield take();
  return undefined;
}
