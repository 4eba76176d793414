/**
 * A chat completion server (`POST …/chat/completions`) of any maker. Servers differ in the fields that they accept: after a
 * refusal, later requests leave out the refused field. No error shows the text or the key.
 */
import type { IncomingAnswer } from '../../../src/client/transport.ts';
import { AppError } from '../../../src/contract/errors.ts';
import type { Clock } from '../../../src/domain/clock.ts';
import { createHttpCall } from '../../../src/node/http/http-call.ts';
import { contentOf } from './answers.ts';
import { failure } from './failures.ts';
import type { Message } from './prompt.ts';

export interface EndpointOptions {
  /** Without a slash at its end: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly clock: Clock;
}

/** How the form of an answer is asked for, the strictest first. */
export type Format = 'json_schema' | 'json_object' | 'none';

export interface Endpoint {
  /** What the server takes, as far as it is known. */
  readonly format: Format;
  /** Ids of the models that the server has; `undefined`: it does not tell. Rejects with a failure (failures.ts). */
  models(signal: AbortSignal): Promise<readonly string[] | undefined>;
  /** What the model answers. Rejects with a failure (failures.ts), or with INTERRUPTED. */
  ask(messages: readonly Message[], schema: object, signal: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** Bytes of an answer that are read. */
const longestAnswer = 1024 * 1024;
const longestRefusal = 64 * 1024;

/** ms without a sign of the server; the deadline of a document is the writer's affair, and shorter. */
const silence = 10 * 60_000;

/** A field of the request that some servers refuse. */
interface Extra {
  readonly fields: (schema: object) => object;
  /** How a server that refuses it names it. */
  readonly named: RegExp;
}

/** In the order in which they are given up where the server does not say what it refuses. */
const extras: Readonly<Record<'thinking' | 'temperature', Extra>> = {
  thinking: {
    fields: () => ({ reasoning_effort: 'none', chat_template_kwargs: { enable_thinking: false } }),
    named: /reasoning|thinking|chat_template/i,
  },
  temperature: { fields: () => ({ temperature: 0 }), named: /temperature/i },
};
type ExtraName = keyof typeof extras;

const formats: Readonly<Record<Format, (schema: object) => object>> = {
  json_schema: (schema) => ({
    response_format: { type: 'json_schema', json_schema: { name: 'sentences', strict: true, schema } },
  }),
  json_object: () => ({ response_format: { type: 'json_object' } }),
  none: () => ({}),
};
const weaker: Readonly<Record<Format, Format | undefined>> = {
  json_schema: 'json_object',
  json_object: 'none',
  none: undefined,
};
const namesFormat = /response_format|json_schema|json_object|guided|grammar|schema/i;

/** What is asked of the server besides model and messages. */
interface Profile {
  readonly extras: readonly ExtraName[];
  readonly format: Format;
}

/** What to ask less of a server that refused; `undefined`: nothing is left to give up. */
function lesser(profile: Profile, refusal: string): Profile | undefined {
  const format = weaker[profile.format];
  const named = profile.extras.filter((name) => extras[name].named.test(refusal));
  if (named.length > 0) return { ...profile, extras: profile.extras.filter((name) => !named.includes(name)) };
  if (namesFormat.test(refusal) && format) return { ...profile, format };
  if (profile.extras.length > 0) return { ...profile, extras: profile.extras.slice(1) };
  return format && { ...profile, format };
}

export function createEndpoint({ url, model, key, clock }: EndpointOptions): Endpoint {
  const http = createHttpCall({ timeout: silence });
  let profile: Profile = { extras: Object.keys(extras) as ExtraName[], format: 'json_schema' };

  const send = (path: string, body: object | undefined, signal: AbortSignal): Promise<IncomingAnswer> =>
    http.transport({
      method: body ? 'POST' : 'GET',
      url: `${url}${path}`,
      headers: {
        accept: 'application/json',
        ...(body && { 'content-type': 'application/json' }),
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
      },
      ...(body && { body: JSON.stringify(body) }),
      signal,
    });
  const call = async (path: string, body: object | undefined, signal: AbortSignal): Promise<IncomingAnswer> => {
    try {
      // A connection that was kept may have been ended by the server at that moment.
      return await send(path, body, signal).catch((error: unknown) => {
        if (!wasCut(error)) throw error;
        return send(path, body, signal);
      });
    } catch (error) {
      throw unreached(error);
    }
  };

  return {
    get format() {
      return profile.format;
    },
    async models(signal) {
      const answer = await call('/models', undefined, signal);
      const text = await read(answer, longestAnswer);
      if (answer.status === 404 || answer.status === 405 || answer.status === 501) return undefined;
      if (answer.status !== 200) throw refusalOf(answer, '', clock);
      return idsIn(text);
    },
    async ask(messages, schema, signal) {
      const known = profile;
      for (let asked = known; ;) {
        const fields = asked.extras.map((name) => extras[name].fields(schema));
        const body = Object.assign({ model, messages, stream: false }, ...fields, formats[asked.format](schema));
        const answer = await call('/chat/completions', body, signal);
        if (answer.status >= 200 && answer.status < 300) {
          const content = contentOf(answer.headers['content-type'] ?? '', await read(answer, longestAnswer));
          // Only what helped is left out from then on; another call may have found out more.
          if (profile === known) profile = asked;
          return content;
        }
        const refusal = await read(answer, longestRefusal);
        const less = isAboutForm(answer, refusal) ? lesser(asked, refusal) : undefined;
        if (!less) throw refusalOf(answer, refusal, clock);
        asked = less;
      }
    },
    close: () => http.close(),
  };
}

/** The text of an answer. One that comes as events is over with its last one, whether or not the connection ends. */
async function read(answer: IncomingAnswer, limit: number): Promise<string> {
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
    throw unreached(error);
  }
  return text + decoder.decode();
}

const wasCut = (error: unknown): boolean =>
  error instanceof AppError && /^(?:UND_ERR_SOCKET|ECONNRESET|EPIPE)$/.test(String(error.details?.['reason']));

function unreached(error: unknown): unknown {
  if (!(error instanceof AppError) || error.code !== 'NETWORK') return error;
  const { code, details } = failure('unreachable');
  const { message, hint } = error;
  return new AppError(code, { message, ...(hint !== undefined && { hint }), ...(details && { details }) });
}

function idsIn(text: string): string[] | undefined {
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

const isTooLong =
  /context.?(?:length|window|size)|maximum context|too (?:long|many tokens)|exceeds? the (?:available )?context/i;
const isAboutModel = (refusal: string): boolean =>
  /model/i.test(refusal) && /not.?found|not exist|unknown model|invalid model|no such model|not loaded/i.test(refusal);

const isDeclined = /content_?\s?(?:filter|policy|management)/i;

/** Whether the request may be taken with less in it. */
const isAboutForm = ({ status }: IncomingAnswer, refusal: string): boolean =>
  (status === 400 || status === 422) && !isAboutModel(refusal) && !isTooLong.test(refusal) && !isDeclined.test(refusal);

function refusalOf({ status, headers }: IncomingAnswer, refusal: string, clock: Clock): AppError {
  if (status === 401 || status === 403 || status === 407) return failure('key');
  if (status === 413 || isTooLong.test(refusal)) return failure('too_long');
  if (status < 500 && isDeclined.test(refusal)) return failure('declined');
  if (isAboutModel(refusal)) return failure('model');
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return failure('address');
  if (status === 408 || status === 504 || status === 524) return failure('slow');
  if (status === 429 || status === 503 || status === 529) {
    return failure('busy', { retryAfter: secondsOf(headers['retry-after'], clock) });
  }
  return failure(status >= 500 ? 'failed' : 'refused');
}

/** Seconds or a date (RFC 9110 10.2.3). */
function secondsOf(value: string | undefined, clock: Clock): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}(?:\.\d+)?$/.test(value)) return Math.ceil(Number(value));
  const at = Date.parse(value);
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - clock.now()) / 1000));
}
