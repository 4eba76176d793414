/**
 * The objects of a bucket. A bucket that is gone, and a key that may not list, never look like an object that is missing: only
 * the answer `NoSuchKey` says so.
 */
import { randomUUID } from 'node:crypto';
import { findChildren, findText } from './answers.ts';
import { createS3Client, describeConnection, dropBody } from './client.ts';
import type { S3Answer, S3Client, S3ClientOptions } from './client.ts';
import { isMissing, isPassing, S3Error } from './errors.ts';
import { uploadObject } from './upload.ts';

export interface StoredObject {
  /** In bytes. */
  readonly size: number;
  readonly etag: string;
  /** Differs after every `put`: an ETag and a time in seconds do not. */
  readonly version: string;
}

export interface ListedObject {
  readonly name: string;
  readonly size: number;
  /** ms since 1970. */
  readonly changedAt: number;
}

export interface UnfinishedUpload {
  readonly name: string;
  readonly id: string;
  /** ms since 1970. */
  readonly begunAt: number;
}

/** Names are without the prefix of the address. Calls reject with S3Error. */
export interface Bucket {
  /** Writes the whole object or nothing, and rethrows an error of `content`. */
  put(name: string, content: AsyncIterable<Uint8Array>, options?: PutOptions): Promise<void>;
  find(name: string): Promise<StoredObject | undefined>;
  /** The bytes from `start` to `end`, both included; continues after a connection that broke. Rejects if the object was replaced. */
  read(name: string, object: StoredObject, range: ByteRange, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** An object that is already gone is no error. */
  remove(name: string, signal?: AbortSignal): Promise<void>;
  list(prefix: string, signal?: AbortSignal): AsyncIterable<ListedObject>;
  /** Objects of which not all parts have arrived. */
  listUploads(prefix: string, signal?: AbortSignal): AsyncIterable<UnfinishedUpload>;
  abortUpload(upload: Pick<UnfinishedUpload, 'name' | 'id'>, signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

export interface ByteRange {
  readonly start: number;
  readonly end: number;
}

export interface PutOptions {
  /** Bytes of a part; default 8 MiB. An object has at most 10,000 parts. */
  readonly partBytes?: number;
  readonly signal?: AbortSignal;
}

const versionHeader = 'x-amz-meta-version';

export function openBucket(options: S3ClientOptions): Bucket {
  const { prefix } = options.address;
  const client = createS3Client(options);

  /** The head of an object, by GET: the 404 of HEAD does not say which of bucket and object is missing. */
  async function head(name: string, range?: string): Promise<S3Answer | undefined> {
    const headers = range === undefined ? {} : { range };
    try {
      const answer = await client.open({ method: 'GET', object: name, headers, expect: [200, 206, 416] });
      await dropBody(answer);
      return answer;
    } catch (error) {
      return ignoreMissing(error);
    }
  }

  async function find(name: string): Promise<StoredObject | undefined> {
    const first = await head(name, 'bytes=0-0');
    // An empty object has no first byte.
    const answer = first?.status === 416 ? await head(name) : first;
    return answer && describeObject(answer.headers);
  }

  /** All pages of a list; `next` gives the query of the page after an answer. */
  async function* pages(query: Readonly<Record<string, string>>, next: NextPage, signal: AbortSignal | undefined) {
    for (let more: Readonly<Record<string, string>> | undefined = {}; more;) {
      const { xml } = await client.ask({ method: 'GET', query: { ...query, ...more }, expect: [200], signal });
      if (!xml) throw new S3Error({ status: 200, code: 'NOT_XML' });
      yield xml;
      more = findText(xml, 'IsTruncated') === 'true' ? next((name) => findText(xml, name)) : undefined;
    }
  }

  return {
    put: (name, content, how) => {
      const version = randomUUID();
      return uploadObject(client, { name, content, headers: { [versionHeader]: version }, ...how }, async () => {
        return (await find(name))?.version === version;
      });
    },
    find,
    read: (name, object, range, signal) => readObject(client, { name, object, range, signal }),
    async remove(name, signal) {
      await client.ask({ method: 'DELETE', object: name, expect: [200, 204], signal }).catch(ignoreMissing);
    },
    async *list(beginning, signal) {
      const query = { 'list-type': '2', prefix: prefix + beginning };
      const next: NextPage = (find) => ({ 'continuation-token': readText(find('NextContinuationToken')) });
      for await (const page of pages(query, next, signal)) {
        for (const each of findChildren(page, 'Contents')) {
          yield {
            name: readText(findText(each, 'Key')).slice(prefix.length),
            size: Number(findText(each, 'Size')),
            changedAt: Date.parse(findText(each, 'LastModified') ?? ''),
          };
        }
      }
    },
    async *listUploads(beginning, signal) {
      const query = { uploads: '', prefix: prefix + beginning };
      const next: NextPage = (find) => ({
        'key-marker': readText(find('NextKeyMarker')),
        'upload-id-marker': readText(find('NextUploadIdMarker')),
      });
      for await (const page of pages(query, next, signal)) {
        for (const each of findChildren(page, 'Upload')) {
          yield {
            name: readText(findText(each, 'Key')).slice(prefix.length),
            id: readText(findText(each, 'UploadId')),
            begunAt: Date.parse(findText(each, 'Initiated') ?? ''),
          };
        }
      }
    },
    async abortUpload({ name, id }, signal) {
      await client.ask({ method: 'DELETE', object: name, query: { uploadId: id }, expect: [200, 204, 404], signal });
    },
    close: client.close,
  };
}

type NextPage = (find: (name: string) => string | undefined) => Readonly<Record<string, string>>;

/** An answer without this text is none of an S3 server. */
function readText(text: string | undefined): string {
  if (text !== undefined && text !== '') return text;
  throw new S3Error({ status: 200, code: 'INCOMPLETE_ANSWER' });
}

function ignoreMissing(error: unknown): undefined {
  if (isMissing(error)) return undefined;
  throw error;
}

function describeObject(headers: Readonly<Record<string, string>>): StoredObject {
  const { etag = '', 'content-range': range, 'content-length': length, 'last-modified': changed } = headers;
  const size = Number(range === undefined ? length : range.split('/')[1]);
  if (!Number.isSafeInteger(size)) throw new S3Error({ status: 200, code: 'INCOMPLETE_ANSWER' });
  return { size, etag, version: headers[versionHeader] ?? `${etag} ${changed}` };
}

interface ReadRequest {
  readonly name: string;
  readonly object: StoredObject;
  readonly range: ByteRange;
  readonly signal: AbortSignal;
}

/** Attempts in a row that gave no byte. */
const maxStalls = 4;

async function* readObject(client: S3Client, { name, object, range, signal }: ReadRequest): AsyncGenerator<Uint8Array> {
  const { end } = range;
  let at = range.start;
  for (let stalls = 0; at <= end;) {
    signal.throwIfAborted();
    const answer = await client.open({
      method: 'GET',
      object: name,
      headers: { range: `bytes=${at}-${end}`, ...(object.etag && { 'if-match': object.etag }) },
      expect: [200, 206],
      signal,
    });
    if (!isSameObject(answer.headers, object, { start: at, end })) {
      await dropBody(answer);
      throw new S3Error({ status: answer.status, code: 'ANOTHER_OBJECT' });
    }
    const begun = at;
    try {
      for await (const chunk of answer.body) {
        at += chunk.byteLength;
        if (at > end + 1) throw new S3Error({ status: answer.status, code: 'ANOTHER_OBJECT' });
        yield chunk;
      }
      if (at <= end) throw new S3Error({ code: 'CUT_ANSWER' });
    } catch (error) {
      const failure = describeConnection(error);
      stalls = at > begun ? 0 : stalls + 1;
      if (signal.aborted || stalls === maxStalls || !isPassing(failure)) throw failure;
    }
  }
}

/** Whether the answer holds that range of the object, as it was when it was found. */
function isSameObject(
  headers: Readonly<Record<string, string>>,
  { size, version }: StoredObject,
  { start, end }: ByteRange,
): boolean {
  const found = describeObject(headers);
  const [given] = headers['content-range']?.split('/') ?? [`bytes 0-${size - 1}`];
  return found.size === size && found.version === version && given === `bytes ${start}-${end}`;
}
