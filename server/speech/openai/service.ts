/**
 * Client of any server that speaks OpenAI's API. Redirects are not followed, so that key and dictation reach only the
 * chosen address. Errors reveal nothing of request, response or key.
 */
import type { Form, IncomingAnswer } from '../../../src/client/transport.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createHttpCall } from '../../../src/node/http/http-call.ts';
import type { CommonReason, FailureOptions } from './failures.ts';

export interface ServiceOptions {
  /** Without a trailing slash: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly key: string | undefined;
  readonly clock: Clock;
  readonly failure: (reason: CommonReason, options?: FailureOptions) => AppError;
}

/** A refused request. */
export interface Refusal {
  /** The server's text, only for pattern matching. */
  readonly text: string;
  /** Whether the server may accept a request with fewer fields. */
  readonly isAboutForm: boolean;
  readonly failure: AppError;
}

export type ServiceAnswer =
  | { readonly contentType: string; readonly body: string; readonly refusal?: never }
  | { readonly refusal: Refusal };

type Body = string | Form;

export interface Service {
  /** Ids of the server's models; `undefined` if it has no list. Rejects with a failure. */
  models(signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** Posts JSON or a form. Rejects with a failure if there is no response, or with INTERRUPTED. */
  post(path: string, body: Body, signal: AbortSignal): Promise<ServiceAnswer>;
  close(): Promise<void>;
}

/** Maximum size of a response. */
const maxAnswerBytes = 1024 * 1024;
const maxRefusalBytes = 64 * 1024;

/** ms without a response. Engines set shorter deadlines. */
const silence = 10 * 60_000;

export function createService({ url, key, clock, failure }: ServiceOptions): Service {
  const http = createHttpCall({ timeout: silence });

  const send = (path: string, body: Body | undefined, signal: AbortSignal): Promise<IncomingAnswer> =>
    http.transport({
      method: body === undefined ? 'GET' : 'POST',
      url: `${url}${path}`,
      headers: {
        accept: 'application/json',
        ...(typeof body === 'string' && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(body !== undefined && { body }),
      signal,
    });
  const call = async (path: string, body: Body | undefined, signal: AbortSignal): Promise<IncomingAnswer> => {
    try {
      // The server may have closed a kept-alive connection just then.
      return await send(path, body, signal).catch((error: unknown) => {
        if (!isConnectionCut(error)) throw error;
        return send(path, body, signal);
      });
    } catch (error) {
      throw toUnreachable(error);
    }
  };

  /** Reads a response as text. An event stream ends with its last event, even if the connection stays open. */
  const read = async (answer: IncomingAnswer, limit: number): Promise<string> => {
    const decoder = new TextDecoder();
    let [text, bytes] = ['', 0];
    try {
      for await (const chunk of answer.body) {
        bytes += chunk.length;
        if (bytes > limit) throw failure('unreadable');
        text += decoder.decode(chunk, { stream: true });
        if (/^data:\s*\[DONE\]/m.test(text.slice(-chunk.length - 20))) break;
      }
    } catch (error) {
      throw toUnreachable(error);
    }
    return text + decoder.decode();
  };

  const toUnreachable = (error: unknown): unknown => {
    if (!(error instanceof AppError) || error.code !== 'NETWORK') return error;
    const { code, details } = failure('unreachable');
    const { message, hint } = error;
    return new AppError(code, { message, ...(hint !== undefined && { hint }), ...(details && { details }) });
  };

  const createFailure = ({ status, headers }: IncomingAnswer, text: string): AppError => {
    if (status === 401 || status === 403 || status === 407) return failure('key');
    if (status === 413 || isTooLong.test(text)) return failure('too_long');
    if (status < 500 && isDeclined.test(text)) return failure('declined');
    if (isAboutModel(text)) return failure('model');
    if (status === 404 || status === 405 || (status >= 300 && status < 400)) return failure('address');
    if (status === 408 || status === 504 || status === 524) return failure('slow');
    if (status === 429 || status === 503 || status === 529) {
      return failure('busy', { retryAfter: parseRetryAfter(headers['retry-after'], clock) });
    }
    return failure(status >= 500 ? 'failed' : 'refused');
  };

  return {
    async models(signal) {
      const answer = await call('/models', undefined, signal);
      const text = await read(answer, maxAnswerBytes);
      if (answer.status === 404 || answer.status === 405 || answer.status === 501) return undefined;
      if (answer.status !== 200) throw createFailure(answer, '');
      return parseModelIds(text);
    },
    async post(path, body, signal) {
      const answer = await call(path, body, signal);
      if (answer.status >= 200 && answer.status < 300) {
        return { contentType: answer.headers['content-type'] ?? '', body: await read(answer, maxAnswerBytes) };
      }
      const text = await read(answer, maxRefusalBytes);
      return { refusal: { text, isAboutForm: isAboutForm(answer, text), failure: createFailure(answer, text) } };
    },
    close: () => http.close(),
  };
}

const isConnectionCut = (error: unknown): boolean =>
  error instanceof AppError && /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(String(error.details?.['reason']));

function parseModelIds(text: string): string[] | undefined {
  try {
    const { data } = JSON.parse(text) as { data?: unknown };
    if (!Array.isArray(data)) return undefined;
    return data.flatMap((each: unknown) => {
      const { id } = Object(each) as { id?: unknown };
      return typeof id === 'string' ? [id] : [];
    });
  } catch {
    return undefined;
  }
}

/** Ollama omits the tag `latest`. */
export const hasModel = (models: readonly string[], model: string): boolean =>
  models.includes(model) || models.includes(`${model}:latest`);

const isTooLong =
  /context.?(?:length|window|size)|maximum context|too (?:long|many tokens)|exceeds? the (?:available )?context|content size limit|file size (?:limit )?exceed/i;
const isAboutModel = (refusal: string): boolean =>
  /model/i.test(refusal) &&
  /not.?found|not exist|unknown model|invalid model|no such model|not loaded|not installed/i.test(refusal);

const isDeclined = /content_?\s?(?:filter|policy|management)/i;

/** Whether a request with fewer fields may be accepted. */
const isAboutForm = ({ status }: IncomingAnswer, refusal: string): boolean =>
  (status === 400 || status === 422) && !isAboutModel(refusal) && !isTooLong.test(refusal) && !isDeclined.test(refusal);

/** Seconds or a date (RFC 9110 10.2.3). */
function parseRetryAfter(value: string | undefined, clock: Clock): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value));
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - clock.now()) / 1000));
}
