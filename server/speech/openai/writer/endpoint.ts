/**
 * A chat completion server (`POST …/chat/completions`) of any maker. Servers differ in the fields that they accept: after a
 * refusal, later requests leave out the refused field.
 */
import type { Clock } from '../../../../src/domain/clock.ts';
import { createService } from '../service.ts';
import type { Service } from '../service.ts';
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

export interface Endpoint extends Pick<Service, 'models' | 'close'> {
  /** What the server takes, as far as it is known. */
  readonly format: Format;
  /** What the model answers. Rejects with a failure (failures.ts), or with INTERRUPTED. */
  ask(messages: readonly Message[], schema: object, signal: AbortSignal): Promise<string>;
}

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
          const content = contentOf(answer.contentType, answer.body);
          // Only what helped is left out from then on; another call may have found out more.
          if (profile === known) profile = asked;
          return content;
        }
        const { isAboutForm, text, failure: refused } = answer.refusal;
        const less = isAboutForm ? lesser(asked, text) : undefined;
        if (!less) throw refused;
        asked = less;
      }
    },
    close: service.close,
  };
}
