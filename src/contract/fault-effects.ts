/**
 * The effects of faults, each defined once: as a field of a rule, as an option of the command line, and as a word of
 * `X-Laudio-Simulate`.
 */
import { dictionary, integer, meanings, string } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';

/** The longest delay of a fault, in ms. */
export const maxFaultMs = 10 * 60 * 1000;

const duration = '\\d{1,6}(?:ms|s|min)?';

/** ms of `2s`, `250ms`, `1min`, or of a bare number, which means ms; at most `maxFaultMs`. */
export function faultMs(text: string): number {
  const [, count, unit = 'ms'] = /^(\d{1,6})(ms|s|min)?$/.exec(text) ?? [];
  const ms = Number(count) * { ms: 1, s: 1000, min: 60_000 }[unit as 'ms'];
  return Math.min(ms, maxFaultMs);
}

/** Duration of a slow body unless the rule sets it, in ms. */
export const slowBodyMs = 5000;

interface Effect<S extends Schema = Schema> {
  /** The values, for help and documentation. */
  readonly form: string;
  readonly schema: S;
  /** The target of the effect. */
  readonly of: 'call' | 'job' | 'delivery';
  /** The header lacks the effect: several calls share its state, or its value does not fit in a list of words. */
  readonly isOfRules?: true;
}

const effect = <const S extends Schema>(
  of: Effect['of'],
  form: string,
  schema: S,
  rest: Pick<Effect, 'isOfRules'> = {},
): Effect<S> => ({ of, form, schema, ...rest });

/** A text of this form; `says` is the message for any other. */
const formed = (pattern: string, says: string, description: string, examples: readonly string[]): Schema<string> =>
  string({ pattern: `^(?:${pattern})$`, 'x-error-message': says, description, examples });

/** Statuses for which the server has an answer; others need `content`. */
export const faultStatuses = [403, 404, 429, 500, 502, 503, 504] as const;

/** Maximum length of `content`. */
const maxContent = 64 * 1024;
const maxHeaders = 32;

/** In the order in which they affect a call. */
export const faultEffects = {
  latency: effect(
    'call',
    'DURATION',
    formed(
      duration,
      'latency must be a length of time such as 250ms, 2s or 1min, or a number of milliseconds',
      'Waits so long before the call is handled, in real time also under a clock that stands: `250ms`, `2s`, `1min`, or milliseconds; at most 10 minutes.',
      ['2s'],
    ),
  ),
  cut: effect('call', 'before|after', {
    ...string({ enum: ['before', 'after'] }),
    description: meanings('Cuts the connection instead of an answer.', {
      before: 'nothing is done',
      after: 'the call is done, and nobody hears of it',
    }),
  } as Schema<'before' | 'after'>),
  token: effect('call', 'expired|revoked', {
    ...string({ enum: ['expired', 'revoked'] }),
    description: meanings('What becomes of the access token that the call brings.', {
      expired:
        'it is refused as expired, now and later; the token that the client gets for it by its refresh token is good',
      revoked: 'its whole authorization is revoked, refresh token included; the client has to log in again',
    }),
  } as Schema<'expired' | 'revoked'>),
  quota: effect(
    'call',
    'N',
    integer({
      minimum: 1,
      maximum: 1_000_000,
      description:
        'How many of the calls that match each client may make in a minute: headers and 429 are those of a rate limit of that size.',
      examples: [10],
    }),
    { isOfRules: true },
  ),
  status: effect(
    'call',
    `${faultStatuses.join('|')}`,
    integer({
      minimum: 200,
      maximum: 599,
      description: `${meanings('Refuses the call with this status before anything is done.', {
        403: 'it is not allowed',
        404: 'there is nothing here',
        429: 'too many requests, with the headers of the rate limit',
        500: 'something failed',
        502: 'a page of HTML from a proxy, not an answer of this API',
        503: 'the server is busy',
        504: 'a page of HTML from a proxy',
      })} Any other needs \`content\`.`,
      examples: [503],
    }),
  ),
  retry_after: effect(
    'call',
    'SECONDS',
    integer({
      minimum: 0,
      maximum: 86_400,
      description: 'What `Retry-After` says with a `status` of 429 or 503. Default: 1.',
      examples: [5],
    }),
  ),
  content: effect(
    'call',
    'TEXT|@FILE',
    string({
      maxLength: maxContent,
      'x-text': 'free',
      description:
        'The body of the answer, as it is, instead of that of the API: with `status` before anything is done, without it once the call is done. Its `Content-Type` is JSON, HTML or plain text, as the text looks, unless `headers` says otherwise.',
      examples: ['<html>Maintenance until 6 p.m.</html>'],
    }),
    { isOfRules: true },
  ),
  headers: effect(
    'call',
    'NAME: VALUE',
    {
      ...dictionary(
        string({
          pattern: '^[\\x20-\\x7e]{0,1024}$',
          'x-error-message': 'a header must be at most 1,024 characters of ASCII',
          description: 'Value of the header.',
        }),
      ),
      maxProperties: maxHeaders,
      description: 'Headers that the answer has, or has instead of its own; an empty value removes the header.',
      examples: [{ 'Retry-After': 'soon', Server: 'proxy' }],
    },
    { isOfRules: true },
  ),
  body: effect(
    'call',
    'slow[:DURATION]|partial[:N]|malformed',
    formed(
      `slow(?::${duration})?|partial(?::\\d{1,9})?|malformed`,
      'body must be slow, slow:DURATION, partial, partial:N or malformed',
      'What becomes of the body of the answer. `slow`: it trickles, 5 s for the whole or as long as `slow:20s` says; `partial`: it breaks off in its middle, of an event stream after one event, or after as many bytes or events as `partial:3` says; `malformed`: its latter half is missing as though it were whole.',
      ['partial'],
    ),
  ),
  job: effect(
    'job',
    'stuck|slow:DURATION|fail[:CODE]',
    formed(
      `stuck|slow:${duration}|fail(?::[A-Z][A-Z_]{2,39})?`,
      'job must be stuck, slow:DURATION, fail or fail:CODE',
      'What becomes of the job that a call makes. `stuck`: it stays in progress until it is cancelled or the fault is removed; `slow:30s`: it takes so long, by the clock of the server; `fail`: it fails with SIMULATED_FAILURE, or with the code that `fail:ENGINE_UNAVAILABLE` says.',
      ['slow:30s'],
    ),
  ),
  webhook: effect(
    'delivery',
    'down|timeout|STATUS',
    formed(
      'down|timeout|[345]\\d\\d',
      'webhook must be down, timeout or a status from 300 to 599',
      'What the receiver of a webhook does. `down`: it refuses the connection; `timeout`: it does not answer; `500`: it answers with that status. Nothing is sent, and the delivery is tried again as ever.',
      ['down'],
    ),
    { isOfRules: true },
  ),
} as const satisfies Record<string, Effect>;

export type EffectName = keyof typeof faultEffects;
export const effectNames = Object.keys(faultEffects) as EffectName[];

/** The requested effects. */
export type FaultEffects = {
  readonly [E in EffectName]?: TypeOf<(typeof faultEffects)[E]['schema']>;
};
