/** The port through which the client reaches a server: one function, which each platform implements. */
import type { Method } from '../contract/endpoint.ts';
import type { Interruption } from '../domain/pause.ts';

/** A file that the transport streams. */
export interface OutgoingFile {
  readonly contentType: string;
  /** Size in bytes, if known beforehand. */
  readonly size?: number;
  /** Starts reading. Called once per attempt, so that a repeated request sends the whole file again. */
  open(): AsyncIterable<Uint8Array>;
  /** The file can be read only once (standard input), so the client never repeats the request. */
  readonly once?: true;
}

/** A `multipart/form-data` body (RFC 7578) of text fields and one file. */
export interface Form {
  /** Several values are several fields of one name. */
  readonly fields: Readonly<Record<string, string | readonly string[]>>;
  readonly file: OutgoingFile;
  /** Name of the file's part. */
  readonly part: string;
  /** Name of the file, which never comes from a person; default: the name of the part. */
  readonly fileName?: string;
}

export interface OutgoingRequest {
  readonly method: Method;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** A form is encoded by the transport, which also adds its content type. */
  readonly body?: string | Uint8Array | AsyncIterable<Uint8Array> | Form;
  readonly signal?: Interruption;
}

export interface IncomingAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of `Set-Cookie`, which cannot be joined like those of other headers. */
  readonly cookies?: readonly string[];
  readonly body: AsyncIterable<Uint8Array>;
  /** The whole body as UTF-8 text. BAD_ANSWER when it is longer than `limit` bytes. */
  text(limit: number): Promise<string>;
}

/**
 * Sends one request and returns its answer, whatever the status; redirects are not followed. Throws NETWORK when there
 * is no answer, INTERRUPTED when the signal was aborted. No header of the request may appear in an error.
 */
export type Transport = (request: OutgoingRequest) => Promise<IncomingAnswer>;

export const isForm = (body: OutgoingRequest['body']): body is Form =>
  typeof body === 'object' && !(body instanceof Uint8Array) && 'fields' in body;
