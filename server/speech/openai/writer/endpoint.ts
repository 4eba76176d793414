/**
 * Any chat completion server (`POST …/chat/completions`). Servers differ in the fields that they accept: after a
 * refusal, later requests omit the refused field.
 */
import type { Clock } from '../../../../src/domain/clock.ts';
import { createService } from '../service.ts';
import type { Service } from '../service.ts';
import { readContent } from './answers.ts';
import { failure } from './failures.ts';
import type { Message } from './prompt.ts';

export interface EndpointOptions {
  /** Without a trailing slash: `http://127.0.0.1:11434/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly clock: Clock;
}

/** How the form of a response is requested, the strictest first. */
export type Format = 'json_schema' | 'json_object' | 'none';

export interface Endpoint extends Pick<Service, 'models' | 'close'> {
  /** The format that the server accepts, as far as known. */
  readonly format: Format;
  /** Returns the model's response. Rejects with a failure (failures.ts), or with INTERRUPTED. */
  ask(messages: readonly Message[], schema: object, signal: AbortSignal): Promise<string>;
}

/** An optional field that some servers refuse. */
interface Extra {
  readonly fields: (schema: object) => object;
  /** Matches refusals that name it. */
  readonly named: RegExp;
}

/** In the order in which they are dropped if the refusal names none. */
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

/** The optional fields of a request. */
interface Profile {
  readonly extras: readonly ExtraName[];
  readonly format: Format;
}

/** The profile to try after a refusal; `undefined` if nothing is left to drop. */
function reduceProfile(profile: Profile, refusal: string): Profile | undefined {
  const format = weaker[profile.format];
  const named = profile.extras.filter((name) => extras[name].named.test(refusal));
  if (named.length > 0) return { ...profile, extras: profile.extras.filter((name) => !named.includes(name)) };
  if (namesFormat.test(refusal) && format) return { ...profile, format };
  if (profile.extras.length > 0) return { ...profile, extras: profile.extras.slice(1) };
  return format && { ...profile, format };
}

export function createEndpoint({ model, ...options }: EndpointOptions): Endpoint {
  const service = createService({ ...options, failure });
  let profile: Profile = { extras: Object.keys(extras) as ExtraName[], format: 'json_schema' };

  return {
    get format() {
      return profile.format;
    },
    models: service.models,
    async ask(messages, schema, signal) {
      const known = profile;
      for (let asked = known; ;) {
        const fields = asked.extras.map((name) => extras[name].fields(schema));
        const body = Object.assign({ model, messages, stream: false }, ...fields, formats[asked.format](schema));
        const answer = await service.post('/chat/completions', JSON.stringify(body), signal);
        if (!answer.refusal) {
          const content = readContent(answer.contentType, answer.body);
          // Keeps what worked, unless a concurrent call learnt more.
          if (profile === known) profile = asked;
          return content;
        }
        const { isAboutForm, text, failure: refused } = answer.refusal;
        const less = isAboutForm ? reduceProfile(asked, text) : undefined;
        if (!less) throw refused;
        asked = less;
      }
    },
    close: service.close,
  };
}
