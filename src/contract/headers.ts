/** The headers that matter to callers: those of requests, of answers and of webhooks, each with its form. */
import { faultEffects } from './fault-effects.ts';
import type { EffectName } from './fault-effects.ts';
import { integer, string } from './schema.ts';
import type { JsonSchema } from './schema.ts';

export interface Header {
  readonly description: string;
  readonly schema: JsonSchema;
  /** Whether every answer that can have the header has it. */
  readonly required?: true;
}

/** The words of `X-Laudio-Simulate`: the effects of a fault, for one call. */
const simulationWords = [
  ...Object.entries<(typeof faultEffects)[EffectName]>(faultEffects)
    .filter(([, effect]) => !('isOfRules' in effect))
    .map(([name, { form, schema }]) => `\`${name}=${form}\`: ${schema.description}`),
  '`drop`: the same as `cut=after`.',
].join(' ');

export const requestHeaders = {
  'Idempotency-Key': {
    description:
      'A UUID of your own for this request. If you send the request again within 24 hours, the answer is the first one and nothing happens twice. Default: every request counts.',
    schema: string({ pattern: '^[\\x21-\\x7e]{1,255}$' }),
  },
  'X-Source-System': {
    description: 'Identifier of the sending RIS or PACS; the items show it as `source_system`.',
    schema: string(),
  },
  'If-Match': {
    description:
      'The `ETag` that you read. The call is refused with 412 where somebody has changed it since. Default: no check.',
    schema: string({ examples: ['"3"'] }),
  },
  'If-None-Match': {
    description:
      'The `ETag` of the answer that you have. Where it is still the same, the answer is 304 without a body.',
    schema: string(),
  },
  Range: {
    description: 'The bytes to send, one range: the answer is 206. Default: the whole file.',
    schema: string({ examples: ['bytes=0-65535'] }),
  },
  'If-Range': {
    description: 'The `ETag` that you read. Where the file is another one now, the whole file is sent.',
    schema: string(),
  },
  'X-Laudio-Simulate': {
    description: `Simulates trouble, for calls of test clients alone; the header of any other client is ignored. Several are separated by commas. For example \`latency=1500,status=503\`. ${simulationWords}`,
    schema: string({ examples: ['latency=1ms'] }),
  },
} as const satisfies Record<string, Header>;

export type RequestHeader = keyof typeof requestHeaders;

/** Headers of answers. */
export const answerHeaders = {
  'X-Request-Id': {
    description: 'Id of the request. Give it to support when you report a problem.',
    schema: string({ pattern: '^[\\x21-\\x7e]{1,128}$', examples: ['req_01JNBK4V9Q0000000000000000'] }),
    required: true,
  },
  'X-Processing-Time': {
    description: 'Time in milliseconds that the service took.',
    schema: integer({ minimum: 0, examples: [12] }),
    required: true,
  },
  'X-RateLimit-Limit': {
    description: 'How many requests a minute the client may make. Absent where the server has no limit.',
    schema: integer({ minimum: 1, examples: [100] }),
  },
  'X-RateLimit-Remaining': {
    description: 'How many requests the client may still make in this minute.',
    schema: integer({ minimum: 0, examples: [99] }),
  },
  'X-RateLimit-Reset': {
    description: 'Seconds until all requests may be made again.',
    schema: integer({ minimum: 1, examples: [42] }),
  },
  'RateLimit-Policy': {
    description: 'The limit, in the form of draft-ietf-httpapi-ratelimit-headers.',
    schema: string({ examples: ['"default";q=100;w=60'] }),
  },
  RateLimit: {
    description: 'What is left of the limit, in the form of draft-ietf-httpapi-ratelimit-headers.',
    schema: string({ examples: ['"default";r=99;t=42'] }),
  },
  'Retry-After': {
    description: 'Seconds after which another try makes sense.',
    schema: integer({ minimum: 0, examples: [1] }),
  },
  'WWW-Authenticate': {
    description: 'What the credentials lack (RFC 6750 3; RFC 7617 for client credentials).',
    schema: string({ examples: ['Bearer realm="laudio", error="invalid_token"'] }),
  },
  ETag: {
    description: 'The version, for the `If-Match` of a change. Of a file: its content, for `If-Range`.',
    schema: string({ pattern: '^"[^"]+"$', examples: ['"3"'] }),
    required: true,
  },
  'Idempotency-Replayed': {
    description: '`true`: the answer is the one of the first request with this `Idempotency-Key`. Absent otherwise.',
    schema: string({ enum: ['true'] }),
  },
  Location: { description: 'The address to go on with.', schema: string(), required: true },
  'Content-Disposition': {
    description:
      'A name for the file: of a document the day, modality and description of its exam and the end of its id, in ASCII; of a dictation its id. No name of a patient, and no number of one.',
    schema: string({ examples: ['attachment; filename="2026-03-02_CT_torax-com-contraste_8Q2DX7AM.pdf"'] }),
    required: true,
  },
  'Accept-Ranges': {
    description: 'Always `bytes`: range requests work.',
    schema: string({ enum: ['bytes'] }),
    required: true,
  },
  'Content-Range': {
    description: 'Which bytes were sent, and of how many.',
    schema: string({ pattern: '^bytes (\\d+-\\d+|\\*)/\\d+$', examples: ['bytes 0-65535/1048576'] }),
    required: true,
  },
} as const satisfies Record<string, Header>;

export type AnswerHeader = keyof typeof answerHeaders;

/** Headers of a request to a webhook (Standard Webhooks 1.0), as Node spells them. */
export const webhookHeaders = {
  id: 'webhook-id',
  timestamp: 'webhook-timestamp',
  signature: 'webhook-signature',
} as const;

export const webhookHeaderForms: Readonly<Record<(typeof webhookHeaders)[keyof typeof webhookHeaders], Header>> = {
  'webhook-id': {
    description: 'Id of the delivery, the same at every attempt. An event that you had already is safe to ignore.',
    schema: string({ examples: ['dlv_01JNBK4V9Q0000000000000000'] }),
  },
  'webhook-timestamp': {
    description: 'When the attempt was sent, in seconds since 1970. Refuse what is older than five minutes.',
    schema: string({ pattern: '^\\d+$', examples: ['1772451000'] }),
  },
  'webhook-signature': {
    description:
      'Signatures, separated by spaces, each `v1,` and the base64 of HMAC-SHA256 over `id.timestamp.body` with the secret of the webhook. One that is right is enough; there are two while a secret changes.',
    schema: string({ pattern: '^v1,[A-Za-z0-9+/]+=*( v1,[A-Za-z0-9+/]+=*)*$' }),
  },
};
