/** Reads answers: the envelope of section 2.7 of the specification, or the error in it. */
import type { AnswerStyle, Endpoint } from '../contract/endpoint.ts';
import { AppError, errorCodeFor } from '../contract/errors.ts';
import type { AppErrorOptions } from '../contract/errors.ts';
import { OAuthErrorBody } from '../contract/oauth.ts';
import type { JsonSchema, TypeOf } from '../contract/schema.ts';
import { ErrorEnvelope, Meta } from '../contract/shared.ts';
import { shownLine } from '../domain/characters.ts';
import { conforms } from './conforms.ts';
import type { IncomingAnswer } from './transport.ts';

/** Longest JSON answer that the client reads, in bytes. */
const maxJsonBytes = 64 * 1024 * 1024;
/** Longest error that the client reads, in bytes: a full batch with an error in every field takes 2 MiB. */
const maxErrorBytes = 8 * 1024 * 1024;

export interface JsonAnswer {
  readonly status: number;
  readonly data: unknown;
  readonly meta: Meta | undefined;
  readonly headers: Readonly<Record<string, string>>;
}

/** Makes another machine's text fit for a terminal: one line of limited length. */
const plainText = (text: string): string => shownLine(text.slice(0, 1000));

const mediaType = (headers: Readonly<Record<string, string>>): string =>
  (headers['content-type'] ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';

const isJson = (type: string): boolean => type === 'application/json' || /^application\/[\w.-]+\+json$/.test(type);

/** Seconds, from `Retry-After` in either form (RFC 9110 10.2.3). */
export function parseRetryAfter(headers: Readonly<Record<string, string>>, now: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined || value === '') return undefined;
  if (/^\d+$/.test(value)) return Number(value);
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / 1000));
}

export interface AnswerContext {
  /** Scheme, host and port, for messages. */
  readonly base: string;
  /** Milliseconds since 1970. */
  readonly now: number;
}

async function parsedBody(answer: IncomingAnswer, limit: number): Promise<unknown> {
  if (!isJson(mediaType(answer.headers))) return undefined;
  try {
    return JSON.parse(await answer.text(limit)) as unknown;
  } catch (error) {
    if (error instanceof AppError) throw error;
    return undefined;
  }
}

function badAnswer(answer: IncomingAnswer, { base, now }: AnswerContext): AppError {
  const type = plainText(mediaType(answer.headers)) || 'no content type';
  const retryAfter = parseRetryAfter(answer.headers, now);
  return new AppError('BAD_ANSWER', {
    message: `${base} answered ${answer.status} (${type}), which is not an answer of this API.`,
    hint: 'Check the server address; a proxy or another program may be answering there.',
    status: answer.status,
    ...readRequestId(answer.headers),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

const readRequestId = (headers: Readonly<Record<string, string>>): { requestId?: string } => {
  const id = headers['x-request-id'];
  return id === undefined ? {} : { requestId: plainText(id) };
};

/**
 * The data of a success. `schemas` gives the shape for each status; `style` says whether the data has an envelope.
 * BAD_ANSWER for any other answer.
 */
export async function readJson(
  answer: IncomingAnswer,
  style: AnswerStyle,
  schemas: Endpoint['responses'],
  context: AnswerContext,
): Promise<JsonAnswer> {
  const schema: JsonSchema | undefined = (schemas as Readonly<Record<number, JsonSchema>>)[answer.status];
  const body = await parsedBody(answer, maxJsonBytes);
  const { status, headers } = answer;
  if (schema === undefined || body === undefined) throw badAnswer(answer, context);
  if (style === 'plain') {
    if (!conforms(schema, body)) throw badAnswer(answer, context);
    return { status, data: body, meta: undefined, headers };
  }
  const { success, data, meta } = Object(body) as { success?: unknown; data?: unknown; meta?: unknown };
  if (success !== true || !conforms(Meta, meta) || !conforms(schema, data)) throw badAnswer(answer, context);
  return { status, data, meta: meta as Meta, headers };
}

/** The error in a failed answer; BAD_ANSWER if the answer is no error of this API. */
export async function readError(answer: IncomingAnswer, context: AnswerContext): Promise<AppError> {
  const body = await parsedBody(answer, maxErrorBytes).catch(() => undefined);
  const common: AppErrorOptions = { status: answer.status, ...readRequestId(answer.headers) };
  const retryAfter = parseRetryAfter(answer.headers, context.now);
  if (conforms(ErrorEnvelope, body) && (body as TypeOf<typeof ErrorEnvelope>).success === false) {
    const { error, meta } = body as TypeOf<typeof ErrorEnvelope>;
    const { hint, retry_after: retryAfterDetail } = error.details ?? {};
    const seconds =
      retryAfter ?? (typeof retryAfterDetail === 'number' && retryAfterDetail >= 0 ? retryAfterDetail : undefined);
    return new AppError(errorCodeFor(error.code, answer.status), {
      ...common,
      message: plainText(error.message),
      requestId: plainText(meta.request_id),
      ...(error.details && { details: error.details }),
      ...(typeof hint === 'string' && { hint: plainText(hint) }),
      ...(seconds !== undefined && { retryAfter: seconds }),
    });
  }
  if (conforms(OAuthErrorBody, body)) {
    const { error, error_description: description } = body as TypeOf<typeof OAuthErrorBody>;
    return new AppError(errorCodeFor(undefined, answer.status), {
      ...common,
      message: plainText(description ?? error),
      details: { oauth_error: plainText(error) },
      ...(retryAfter !== undefined && { retryAfter }),
    });
  }
  return badAnswer(answer, context);
}
