/** The refusal of an S3 server, without the name of an object or a key. */
import { findText } from './answers.ts';
import type { XmlElement } from './answers.ts';

export interface S3Failure {
  /** `undefined`: there was no answer. */
  readonly status?: number | undefined;
  /** The server's code, such as `NoSuchBucket`, or the code of the connection. */
  readonly code?: string | undefined;
  /** The region that the server names as that of the bucket. */
  readonly region?: string | undefined;
  /** Why there was no answer, as a sentence. */
  readonly reason?: string | undefined;
  readonly cause?: unknown;
}

export class S3Error extends Error {
  override readonly name = 'S3Error';
  readonly status: number | undefined;
  readonly code: string;
  readonly region: string | undefined;
  readonly reason: string | undefined;

  constructor({ status, code, region, reason, cause }: S3Failure) {
    super(`S3: ${[status, code].filter((each) => each !== undefined).join(' ') || 'no answer'}`, { cause });
    this.status = status;
    this.code = code ?? (status === undefined ? 'NO_ANSWER' : `HTTP_${status}`);
    this.region = region;
    this.reason = reason;
  }
}

/** `xml`: the answer's body. */
export const createRefusal = (status: number, xml: XmlElement | undefined): S3Error =>
  new S3Error({
    status,
    code: xml?.name === 'Error' ? findText(xml, 'Code') : undefined,
    region: findText(xml, 'Region'),
  });

/** The codes of answers that another attempt may change, whatever their status. */
const passing: ReadonlySet<string> = new Set([
  'InternalError',
  'OperationAborted',
  'RequestTimeout',
  'ServiceUnavailable',
  'SlowDown',
]);

/** Whether another attempt may succeed. */
export const isPassing = (error: unknown): boolean =>
  error instanceof S3Error &&
  (error.status === undefined ||
    error.status === 429 ||
    (error.status >= 500 && error.status !== 501) ||
    passing.has(error.code));

/** Whether the object is not there, which no other answer says. */
export const isMissing = (error: unknown): boolean =>
  error instanceof S3Error && error.status === 404 && error.code === 'NoSuchKey';
