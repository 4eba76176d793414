/**
 * Every error of Laudio, once: its HTTP status, its default sentence, and the exit code with which the command line
 * ends. Messages and details never hold patient data, tokens or paths.
 */

import { textOf } from './messages/message.ts';
import type { Sentence } from './messages/message.ts';

/** Exit codes of the command line (docs: `laudio help exit-codes`). */
export const exitCodes = {
  done: 0,
  defect: 1,
  usage: 2,
  notFound: 3,
  login: 4,
  forbidden: 5,
  invalid: 6,
  rateLimited: 7,
  unavailable: 8,
  failedOrPartial: 9,
  pending: 10,
  conflict: 11,
  hungUp: 129,
  interrupted: 130,
  terminated: 143,
} as const;

interface ErrorKind {
  /** HTTP status, or `null` for an error that only a client can encounter. */
  readonly status: number | null;
  readonly exit: number;
  readonly title: string;
}

const kind = (status: number | null, exit: keyof typeof exitCodes, title: string): ErrorKind => ({
  status,
  exit: exitCodes[exit],
  title,
});

export const errors = {
  VALIDATION_FAILED: kind(400, 'invalid', 'The request is invalid.'),
  INVALID_JSON: kind(400, 'invalid', 'The body is not valid JSON.'),
  UNAUTHORIZED: kind(401, 'login', 'The access token is missing, unknown, expired or revoked.'),
  INSUFFICIENT_SCOPE: kind(403, 'forbidden', 'The access token does not have the scope that this call needs.'),
  FORBIDDEN: kind(403, 'forbidden', 'This call is not allowed.'),
  NOT_FOUND: kind(404, 'notFound', 'There is nothing here.'),
  METHOD_NOT_ALLOWED: kind(405, 'invalid', 'This address does not take that method.'),
  INVALID_TRANSITION: kind(409, 'conflict', 'The present status does not allow that change.'),
  JOB_NOT_CANCELLABLE: kind(409, 'conflict', 'The job has ended and can no longer be cancelled.'),
  JOB_NOT_FINISHED: kind(409, 'conflict', 'The job has not finished yet.'),
  /** 412 when an `If-Match` did not match, 409 otherwise. */
  VERSION_CONFLICT: kind(409, 'conflict', 'Somebody changed it meanwhile.'),
  REQUEST_IN_PROGRESS: kind(409, 'conflict', 'A request with this idempotency key is still running.'),
  IDENTIFIER_CONFLICT: kind(409, 'conflict', 'The identifiers belong to two different stored items.'),
  OFFSET_CONFLICT: kind(409, 'conflict', 'The sound does not go on where the stored sound ends.'),
  OPEN_FINDINGS: kind(409, 'conflict', 'The document has open warnings.'),
  JOB_RESULT_GONE: kind(410, 'notFound', 'The record that this job produced was deleted.'),
  PAYLOAD_TOO_LARGE: kind(413, 'invalid', 'The request is too large.'),
  UNSUPPORTED_MEDIA_TYPE: kind(415, 'invalid', 'This content type is not supported here.'),
  IDEMPOTENCY_KEY_REUSED: kind(422, 'conflict', 'This idempotency key was used with another payload.'),
  HEADERS_TOO_LARGE: kind(431, 'invalid', 'The request headers are too large.'),
  RATE_LIMIT_EXCEEDED: kind(429, 'rateLimited', 'Too many requests.'),
  INTERNAL_ERROR: kind(500, 'unavailable', 'Something failed on our side; the request id helps to find it.'),
  SERVER_BUSY: kind(503, 'unavailable', 'The server is busy. Nothing was done; try again.'),
  STORAGE_UNAVAILABLE: kind(503, 'unavailable', 'Storage is not available. Nothing was done; try again.'),
  /** The disk failed during the write and during its rollback, or the connection to the store broke during the commit. */
  OUTCOME_UNKNOWN: kind(
    503,
    'unavailable',
    'Storage failed while it was writing. Whether the request was carried out is not known; send it again with the same idempotency key.',
  ),
  ENGINE_UNAVAILABLE: kind(
    503,
    'unavailable',
    'The transcription engine is not available. Nothing was done; try again.',
  ),
  // A HAR recording of another service returns these in that service's place.
  NOT_RECORDED: kind(404, 'notFound', 'The recording has no such call.'),
  UPSTREAM_UNAVAILABLE: kind(502, 'unavailable', 'The service behind the recording could not be reached.'),
  // Only clients encounter these.
  USAGE: kind(null, 'usage', 'The command was not understood.'),
  CONFIGURATION: kind(null, 'usage', 'The configuration is not usable.'),
  LOGIN_REQUIRED: kind(null, 'login', 'You are not logged in.'),
  LOGIN_FAILED: kind(null, 'login', 'The login did not succeed.'),
  DATA_DAMAGED: kind(null, 'failedOrPartial', 'Stored data is missing or damaged.'),
  CREDENTIAL_STORE: kind(null, 'usage', 'The credential store is not available.'),
  NETWORK: kind(null, 'unavailable', 'The server could not be reached.'),
  BAD_ANSWER: kind(null, 'unavailable', 'The server answered with something that is not this API.'),
  JOB_FAILED: kind(null, 'failedOrPartial', 'The job failed.'),
  PARTIAL: kind(null, 'failedOrPartial', 'A part of the batch was refused.'),
  STILL_PENDING: kind(null, 'pending', 'It has not finished yet.'),
  INTERRUPTED: kind(null, 'interrupted', 'Interrupted.'),
} as const satisfies Record<string, ErrorKind>;

export type ErrorCode = keyof typeof errors;

/** Codes inside `error.details.errors[]` and of the items refused in a batch, with their meanings. */
export const detailCodeMeanings = {
  FIELD_REQUIRED: 'a required field is missing',
  INVALID_FORMAT: 'the text does not have the format of the field',
  INVALID_TYPE: 'the value has the wrong JSON type',
  INVALID_VALUE: 'the value is not allowed',
  INVALID_MODALITY: 'the modality is not a DICOM modality',
  UNKNOWN_FIELD: 'the request has no such field',
  TOO_LONG: 'the value is too long or too large',
  TEST_DATA_REQUIRED: 'a test client sent the name of a patient who is not a test patient',
  IDENTIFIER_CONFLICT: 'the accession number and the study UID belong to two different worklist items',
  PATIENT_MISMATCH: 'the item matches the exam of another patient',
  INVALID_TRANSITION: 'the exam cannot have that status after its present one',
  INSUFFICIENT_SCOPE: 'the token lacks the scope that the field needs',
} as const;
export type DetailCode = keyof typeof detailCodeMeanings;
export const detailCodes = Object.keys(detailCodeMeanings) as DetailCode[];

/** One problem of a request. `field` is a dotted path (`items.3.modality`), empty for the whole body. */
export interface FieldError {
  field: string;
  message: string;
  code: DetailCode;
}

export interface AppErrorOptions {
  /** Overrides the title; one sentence, no patient data. */
  readonly message?: Sentence;
  readonly details?: Record<string, unknown>;
  /** The reader's next step, one sentence. */
  readonly hint?: Sentence;
  /** Seconds after which a retry makes sense. */
  readonly retryAfter?: number;
  /** HTTP status, if the error came from a server. */
  readonly status?: number;
  readonly requestId?: string;
  readonly cause?: unknown;
}

/** The only error class: the server throws it, the API sends it, the client throws it again, the CLI prints it. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly details: Record<string, unknown> | undefined;
  readonly hint: string | undefined;
  /** The message and the hint as they were given, for a page that translates them. */
  readonly sentences: { readonly message: Sentence; readonly hint: Sentence | undefined };
  readonly retryAfter: number | undefined;
  readonly status: number | null;
  readonly requestId: string | undefined;

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    const { message = errors[code].title, hint } = options;
    super(textOf(message), options.cause === undefined ? undefined : { cause: options.cause });
    this.name = 'AppError';
    this.code = code;
    this.details = options.details;
    this.hint = hint === undefined ? undefined : textOf(hint);
    this.sentences = { message, hint };
    this.retryAfter = options.retryAfter;
    this.status = options.status ?? errors[code].status;
    this.requestId = options.requestId;
  }
}

/** Whether storage failed: a retry may succeed. */
export const isStorageFailure = (error: unknown): error is AppError =>
  error instanceof AppError && (error.code === 'STORAGE_UNAVAILABLE' || error.code === 'OUTCOME_UNKNOWN');

/** Whether what the caller asked for may have been carried out all the same: it must not remove what that needs. */
export const isOutcomeUnknown = (error: unknown): boolean =>
  error instanceof AppError && error.code === 'OUTCOME_UNKNOWN';

/** 400 VALIDATION_FAILED that lists the fields at fault. */
export const validationFailed = (fieldErrors: readonly FieldError[], message?: string): AppError =>
  new AppError('VALIDATION_FAILED', {
    message: message ?? `The request is invalid: ${fieldErrors[0]?.message ?? 'see details'}`,
    details: { errors: fieldErrors },
  });

/** A code that this version knows, or the general one of the status: other servers may have additional codes. */
export function errorCodeFor(code: unknown, status: number): ErrorCode {
  if (typeof code === 'string' && Object.hasOwn(errors, code)) return code as ErrorCode;
  const general = (Object.keys(errors) as ErrorCode[]).find((name) => errors[name].status === status);
  return general ?? (status >= 500 ? 'INTERNAL_ERROR' : 'VALIDATION_FAILED');
}
