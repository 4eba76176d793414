/** The server's recent calls, without any content of patients (extension). */
import { ClientId } from './shared.ts';
import { endpoint, group } from './endpoint.ts';
import {
  anything,
  array,
  boolean,
  dictionary,
  extended,
  integer,
  meanings,
  named,
  nullable,
  number,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';

/** The number of calls that the server remembers. */
export const rememberedCalls = 1000;
/** The newest this many keep their bodies and headers. */
export const rememberedBodies = 200;

const ordinal = integer({ minimum: 1, description: 'Number of the call since the server started.', examples: [12] });
const bytes = (what: string) => nullable(integer({ description: `Size of the ${what}, in bytes. \`null\`: unknown.` }));

export const InspectedCall = named(
  'InspectedCall',
  object({
    number: ordinal,
    at: timestamp('When the call arrived.'),
    method: string({ description: 'Method of the request.', examples: ['POST'] }),
    path: string({
      description: 'Path of the request. A segment that is no id and no word of the API stands as `{…}`.',
      examples: ['/api/v1/worklists/ingest'],
    }),
    query: {
      ...dictionary(anything),
      description: 'Query parameters that the call knows. A text that is no word of the API stands as its size.',
    },
    client_id: nullable(ClientId),
    scope: nullable(string({ description: 'Scope that the call needs. `null`: none.', examples: ['worklists:write'] })),
    test_mode: boolean({ description: 'Whether a test client called.' }),
    decision: string({
      description:
        '`allowed`, the code of the error that refused the call, or `cut_off` where the connection ended before the answer.',
      examples: ['allowed', 'INSUFFICIENT_SCOPE'],
    }),
    fault: nullable(
      string({
        description:
          'Names of the faults that struck the call, or `X-Laudio-Simulate`, separated by commas. `null`: none did.',
        examples: ['flaky-503'],
      }),
    ),
    status: nullable(integer({ description: 'HTTP status of the answer. `null`: there was no answer.' })),
    duration_ms: number({
      minimum: 0,
      description: 'Milliseconds until the answer was sent, to a tenth; of a stream, until it began.',
    }),
    request_id: string({ description: 'The `X-Request-Id` of the answer.' }),
    request_bytes: bytes('body of the request'),
    answer_bytes: bytes('body of the answer'),
  }),
  'A call that reached the server. Texts of requests and answers are left out: only words of the API, ids of the service, numbers of fields that hold numbers, and sizes are shown.',
);
export type InspectedCall = TypeOf<typeof InspectedCall>;

const message = (whose: string) =>
  object(
    {
      headers: { ...dictionary(string()), description: 'Headers, in small letters, that say something of the call.' },
      body: { description: `The body of the ${whose}, with \`‹text, 12 characters›\` in the place of its texts.` },
    },
    {},
    { description: `Headers and body of the ${whose}, redacted.` },
  );

export const InspectedMessages = named(
  'InspectedMessages',
  extended(InspectedCall, {
    request: nullable(message('request')),
    answer: nullable(message('answer')),
    replayable: boolean({
      description: 'Whether the server still has the request and can make it again: only for test clients.',
    }),
  }),
  'A call with its messages. `null`: the server no longer has them, or did not keep them.',
);
export type InspectedMessages = TypeOf<typeof InspectedMessages>;

const params = object({ number: ordinal });

export const inspector = group({
  title: 'Inspector',
  description: 'What reached the server lately. Only the operator of the server may make these calls.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/admin/requests',
      summary: 'List the calls that reached the server',
      description: `The newest first, out of the ${rememberedCalls} that the server remembers. Calls of the operator to the inspector are not among them.`,
      access: 'admin',
      query: object(
        {},
        {
          limit: integer({ minimum: 1, maximum: rememberedCalls, description: 'Most calls to list. Default: 50.' }),
          after: integer({ minimum: 0, description: 'Only calls after that number.' }),
          client_id: { ...ClientId, description: 'Only calls of that client.' },
          outcome: oneOf(['allowed', 'refused'], {
            description: meanings('Only calls of that outcome.', {
              allowed: 'the server did what was asked for',
              refused: 'it did not, or the connection was cut off',
            }),
          }),
        },
      ),
      answer: 'envelope',
      responses: {
        200: named(
          'InspectedCalls',
          object({ items: array(InspectedCall, { description: 'The calls.' }) }),
          'Calls, the newest first.',
        ),
      },
      extension: true,
    }),
    events: endpoint({
      method: 'GET',
      path: '/api/v1/admin/requests/events',
      summary: 'Follow the calls that reach the server',
      description:
        'A stream of server-sent events: `request` for each call, and a comment every 15 seconds. Connect again with `Last-Event-ID` to get the calls that you missed and that the server remembers.',
      access: 'admin',
      answer: ['text/event-stream'],
      responses: { 200: InspectedCall },
      extension: true,
    }),
    show: endpoint({
      method: 'GET',
      path: '/api/v1/admin/requests/{number}',
      summary: 'Show a call with its messages',
      description: `Headers and bodies are there for calls of test clients, the latest ${rememberedBodies} of all calls, without their texts.`,
      access: 'admin',
      params,
      answer: 'envelope',
      responses: { 200: InspectedMessages },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    replay: endpoint({
      method: 'POST',
      path: '/api/v1/admin/requests/{number}/replay',
      summary: 'Make a call of a test client again',
      description:
        'As it was, with its access token and its `Idempotency-Key`. 409 where the server does not have the whole request: a call of a real client, or one with sound.',
      access: 'admin',
      params,
      answer: 'envelope',
      responses: { 200: InspectedMessages },
      errors: ['NOT_FOUND', 'INVALID_TRANSITION'],
      extension: true,
    }),
  },
});
