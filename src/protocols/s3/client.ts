/** Signed calls to one bucket: every body by its SHA-256, every call within a limit, failures that pass tried again. */
import { createHash } from 'node:crypto';
import { AwsV4Signer } from 'aws4fetch';
import { AppError } from '../../contract/errors.ts';
import type { Clock } from '../../domain/clock.ts';
import { pause } from '../../domain/pause.ts';
import { createHttpCall } from '../../node/http/http-call.ts';
import type { AccessKey, BucketAddress } from './address.ts';
import { parseXml } from './answers.ts';
import type { XmlElement } from './answers.ts';
import { createRefusal, isMissing, isPassing, S3Error } from './errors.ts';

export interface S3Call {
  readonly method: 'GET' | 'PUT' | 'POST' | 'DELETE';
  /** The object, without the prefix of the bucket’s address; `undefined`: the bucket itself. */
  readonly object?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Uint8Array;
  /** The statuses that are no failure. */
  readonly expect: readonly number[];
  readonly signal?: AbortSignal | undefined;
}

/** An answer whose body was not read. */
export type S3Answer = Awaited<ReturnType<ReturnType<typeof createHttpCall>['transport']>>;

export interface S3Text {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly xml: XmlElement | undefined;
}

export interface S3Client {
  /** The answer with its XML. Rejects with S3Error, also for a 200 that holds an error. */
  ask(call: S3Call): Promise<S3Text>;
  /** The answer before its body was read. A failure in the body is the caller's. */
  open(call: S3Call): Promise<S3Answer>;
  /** Runs an attempt, up to four times while its failure may pass. */
  retry<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T>;
  close(): Promise<void>;
}

export interface S3ClientOptions {
  readonly address: BucketAddress;
  readonly key: AccessKey;
  /** Signs calls, and measures pauses: the machine's. */
  readonly clock: Clock;
  /** ms without a sign of the server; default 30,000. */
  readonly timeout?: number;
  /** Gets the outcome of each attempt. `failed`: there was no answer, or a failure that may pass. */
  readonly onCall?: ((outcome: 'done' | 'refused' | 'failed') => void) | undefined;
  /** ms before the second attempt; four times as many before each that follows. Default 100. */
  readonly rest?: number;
}

const attempts = 4;
/** Bytes of an answer in XML; a list of 1,000 names has about half a million. */
const maxAnswer = 8 * 2 ** 20;

export function createS3Client({
  address,
  key,
  clock,
  timeout = 30_000,
  rest = 100,
  onCall,
}: S3ClientOptions): S3Client {
  const http = createHttpCall({ timeout });
  /** Keys that sign, by day. */
  const cache = new Map<string, ArrayBuffer>();

  async function sign({ method, object, query, headers, body = new Uint8Array() }: S3Call) {
    const path = object === undefined ? '' : `/${encodePath(address.prefix + object)}`;
    // Servers and signers read a plus sign differently.
    const search = new URLSearchParams(query).toString().replaceAll('+', '%20');
    const signer = new AwsV4Signer({
      method,
      url: `${address.url}${path}${search && `?${search}`}`,
      headers: { ...headers, 'x-amz-content-sha256': createHash('sha256').update(body).digest('hex') },
      accessKeyId: key.id,
      secretAccessKey: key.secret,
      service: 's3',
      region: address.region,
      cache,
      datetime: new Date(clock.now()).toISOString().replaceAll(/[:-]|\.\d{3}/g, ''),
    });
    const signed = await signer.sign();
    return { url: String(signed.url), headers: Object.fromEntries(signed.headers) };
  }

  async function call(outgoing: S3Call): Promise<S3Answer> {
    const { method, body, expect, signal } = outgoing;
    const { url, headers } = await sign(outgoing);
    const answer = await http
      .transport({ method, url, headers, ...(body && { body }), ...(signal && { signal }) })
      .catch((error: unknown) => {
        throw describeConnection(error);
      });
    if (expect.includes(answer.status)) return answer;
    const text = await answer.text(maxAnswer).catch(() => '');
    throw createRefusal(answer.status, parseXml(text));
  }

  async function retry<T>(attempt: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    for (let tried = 1; ; tried++) {
      try {
        const result = await attempt();
        onCall?.('done');
        return result;
      } catch (error) {
        onCall?.(isMissing(error) ? 'done' : isPassing(error) ? 'failed' : 'refused');
        if (tried === attempts || signal?.aborted || !isPassing(error)) throw error;
      }
      await pause(clock, rest * 4 ** (tried - 1), signal);
    }
  }

  return {
    retry,
    open: (outgoing) => retry(() => call(outgoing), outgoing.signal),
    ask: (outgoing) =>
      retry(async () => {
        const answer = await call(outgoing);
        const text = await answer.text(maxAnswer).catch((error: unknown) => {
          throw describeConnection(error);
        });
        const xml = parseXml(text);
        if (xml?.name === 'Error' && answer.status < 300) throw createRefusal(answer.status, xml);
        return { status: answer.status, headers: answer.headers, xml };
      }, outgoing.signal),
    close: http.close,
  };
}

/** The failure of a connection as an S3Error. The original may quote the address of an object, and is dropped. */
export function describeConnection(error: unknown): S3Error {
  if (error instanceof S3Error) return error;
  const { message, details } = Object(error) as { message?: string; details?: { reason?: string } };
  return new S3Error({
    code: error instanceof AppError ? (details?.reason ?? error.code) : undefined,
    reason: error instanceof AppError ? message : undefined,
  });
}

/** Bytes of a body that are read rather than lose the connection. */
const worthReading = 65_536;

/** Ends an answer whose body is of no use. */
export async function dropBody({ body }: S3Answer): Promise<void> {
  let bytes = 0;
  try {
    for await (const chunk of body) if ((bytes += chunk.byteLength) > worthReading) return;
  } catch {
    // The head of the answer has said all.
  }
}

/** Every byte outside the unreserved ones of RFC 3986 as %XX; slashes stay. */
const encodePath = (name: string): string =>
  encodeURIComponent(name)
    .replaceAll('%2F', '/')
    .replaceAll(/[!'()*]/g, (each) => `%${each.charCodeAt(0).toString(16).toUpperCase()}`);
