/** Faults by rule, for tests: which calls, jobs and deliveries go wrong, when, and how (extension). */
import { endpoint, group } from './endpoint.ts';
import type { Method } from './endpoint.ts';
import { WebhookEventType } from './events.ts';
import { faultEffects } from './fault-effects.ts';
import type { FaultEffects } from './fault-effects.ts';
import {
  array,
  boolean,
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
import type { Schema, TypeOf } from './schema.ts';
import { ClientId } from './shared.ts';

/** The number of log entries that the server remembers. */
export const rememberedStrikes = 1000;

type ProfiledFault = FaultEffects & {
  readonly name: string;
  readonly every?: number;
  readonly probability?: number;
};

/** Named sets of rules. */
export const faultProfiles = {
  flaky: {
    summary: 'one call in five is slow, one in ten is refused with 503, one in ten loses its connection',
    faults: [
      { name: 'flaky-slow', probability: 0.2, latency: '500ms' },
      { name: 'flaky-503', probability: 0.1, status: 503 },
      { name: 'flaky-cut-before', probability: 0.05, cut: 'before' },
      { name: 'flaky-cut-after', probability: 0.05, cut: 'after' },
    ],
  },
  slow: {
    summary: 'each call waits 1 s, and every third answer takes 2 s to arrive',
    faults: [
      { name: 'slow-call', latency: '1s' },
      { name: 'slow-body', every: 3, body: 'slow:2s' },
    ],
  },
  'rate-limited': {
    summary: 'ten calls a minute and client',
    faults: [{ name: 'rate-limited', quota: 10 }],
  },
  'expired-token': {
    summary: 'every fifth call finds its access token expired',
    faults: [{ name: 'expired-token', every: 5, token: 'expired' }],
  },
  'job-fails': {
    summary: 'each job fails',
    faults: [{ name: 'job-fails', job: 'fail' }],
  },
} as const satisfies Record<string, { readonly summary: string; readonly faults: readonly ProfiledFault[] }>;

export type FaultProfile = keyof typeof faultProfiles;
export const faultProfileNames = Object.keys(faultProfiles) as FaultProfile[];
export const isFaultProfile = (name: string): name is FaultProfile => Object.hasOwn(faultProfiles, name);

export const FaultName = string({
  pattern: '^[a-z0-9][a-z0-9-]{0,63}$',
  'x-error-message': 'name must be small letters, digits and hyphens, at most 64',
  description: 'Name of the fault: small letters, digits and hyphens.',
  examples: ['busy-token-endpoint'],
});

const profileWords = Object.fromEntries(faultProfileNames.map((name) => [name, faultProfiles[name].summary]));
const Profile = oneOf(faultProfileNames, {
  description: meanings('Set of rules that stands for effects of your own.', profileWords),
});

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const satisfies readonly Method[];

const about = <S extends Schema>(schema: S, description: string): S => ({ ...schema, description });

/** Which calls, jobs and deliveries a fault may strike. */
export const faultFilters = {
  method: oneOf(methods, {
    description: 'Only calls of that method: `GET`, `POST`, `PUT`, `PATCH` or `DELETE`.',
  }),
  path: string({
    pattern: '^/[\\x21-\\x7e]{0,255}$',
    'x-error-message': 'path must begin with a slash and have no spaces',
    description:
      'Only calls of that path: as the API writes it (`/api/v1/jobs/{id}`), as it comes, or with `*` for a part of it and `**` for any number of parts. Default: every call of the API.',
    examples: ['/api/v1/jobs/{id}', '/api/oauth/**'],
  }),
  client_id: about(ClientId, 'Only calls, jobs and deliveries of that client.'),
  all_clients: boolean({
    description:
      'Strikes calls of clients that are no test clients too, and calls without a client. Their patients are real. Default: `false`.',
  }),
  event: about(WebhookEventType, `Only deliveries of that event. ${WebhookEventType.description}`),
  url: string({
    pattern: '^[\\x21-\\x7e]{1,255}$',
    'x-error-message': 'url must have no spaces',
    description: 'Only deliveries to that address, in which `*` stands for anything.',
    examples: ['http://127.0.0.1:3000/*'],
  }),
} as const;

/** Conditions under which a fault strikes; all of them must hold. */
export const faultConditions = {
  nth: integer({ minimum: 1, description: 'Only the call of that number, of those that match.', examples: [3] }),
  every: integer({ minimum: 1, description: 'Each call whose number is a multiple of that.', examples: [5] }),
  probability: number({
    minimum: 0,
    maximum: 1,
    description: 'The chance of each call, from 0 to 1; the same calls with the same `seed` are struck again.',
    examples: [0.1],
  }),
  seed: string({
    pattern: '^[\\x20-\\x7e]{0,128}$',
    'x-error-message': 'seed must be at most 128 letters, digits and signs',
    description:
      'Decides, with the name, which calls chance strikes. Default: the seed of the server, else the same each time.',
    examples: ['42'],
  }),
  times: integer({ minimum: 1, description: 'Strikes at most so often. Default: until it is removed.', examples: [1] }),
} as const;

const effectFields = Object.fromEntries(Object.entries(faultEffects).map(([name, { schema }]) => [name, schema])) as {
  readonly [E in keyof typeof faultEffects]: (typeof faultEffects)[E]['schema'];
};

/** The fields of a rule in addition to its name, in the order in which people read them. */
export const faultFields = { ...faultFilters, ...faultConditions, ...effectFields } as const;

export const FaultInput = named(
  'FaultInput',
  object({}, { name: FaultName, profile: Profile, ...faultFields }),
  'A rule by which calls, jobs or deliveries go wrong: what it matches, when it strikes, and its effects; or a `profile`, whose rules get the `client_id`, `all_clients` and `seed` that stand beside it.',
);
export type FaultInput = TypeOf<typeof FaultInput>;

export const Fault = named(
  'Fault',
  object(
    {
      name: FaultName,
      profile: nullable({ ...Profile, description: `${Profile.description} \`null\`: a rule of its own.` }),
      effects: array(string({ description: 'An effect.' }), {
        description: 'The effects, as `X-Laudio-Simulate` writes them.',
        examples: [['latency=2s', 'status=503']],
      }),
      seen: integer({ minimum: 0, description: 'How many calls, jobs or deliveries have matched.' }),
      struck: integer({ minimum: 0, description: 'How many of them it struck.' }),
      added_at: timestamp('When the fault was added.'),
    },
    faultFields,
  ),
  'A fault of the server, and what it has done so far.',
);
export type Fault = TypeOf<typeof Fault>;

const strikeWords = { call: 'a call', job: 'the job that a call made', delivery: 'a request to a webhook' };

export const FaultStrike = named(
  'FaultStrike',
  object({
    number: integer({ minimum: 1, description: 'Number of the entry since the server started.' }),
    at: timestamp('When it happened.'),
    fault: string({ description: 'Name of the fault.', examples: ['flaky-503'] }),
    of: oneOf(['call', 'job', 'delivery'], { description: meanings('What was struck.', strikeWords) }),
    method: nullable(string({ description: 'Method of the call.' })),
    path: nullable(string({ description: 'Path of the call, as the API writes it.', examples: ['/api/v1/jobs/{id}'] })),
    event: nullable({ ...WebhookEventType, description: `Event of the delivery. ${WebhookEventType.description}` }),
    client_id: nullable(ClientId),
    effects: array(string({ description: 'An effect.' }), { description: 'What was done to it.' }),
    request_id: nullable(string({ description: 'Id of the request, by which the inspector has it.' })),
  }),
  'Something that a fault struck. Nothing of what was said in the call is in it.',
);
export type FaultStrike = TypeOf<typeof FaultStrike>;

const buildList = (title: string, schema: Schema<Fault>, description: string) =>
  named(title, object({ items: array(schema, { description: 'The faults.' }) }), description);

export const faults = group({
  title: 'Faults',
  description:
    'Rules by which calls go wrong, for tests. Calls of test clients alone are struck unless a rule says otherwise, and never those of the operator. A restart ends all rules. Only the operator of the server may make these calls.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/admin/faults',
      summary: 'List the faults of the server',
      description: 'In the order in which they apply, with how often each has struck.',
      access: 'admin',
      answer: 'envelope',
      responses: { 200: buildList('Faults', Fault, 'The faults of the server, in the order in which they apply.') },
      extension: true,
    }),
    add: endpoint({
      method: 'POST',
      path: '/api/v1/admin/faults',
      summary: 'Add a fault, or those of a profile',
      description:
        'The fault counts from its next call on. Where several faults strike a call, each of their effects happens; of two effects of one kind, that of the fault which was added first.',
      access: 'admin',
      body: FaultInput,
      answer: 'envelope',
      responses: { 201: buildList('AddedFaults', Fault, 'The faults that were added.') },
      extension: true,
    }),
    clear: endpoint({
      method: 'DELETE',
      path: '/api/v1/admin/faults',
      summary: 'Remove all faults',
      description: 'What they hold up goes on at once: waiting calls, slow answers, stuck jobs. The log stays.',
      access: 'admin',
      answer: 'envelope',
      responses: { 200: buildList('ClearedFaults', Fault, 'The faults that were removed.') },
      extension: true,
    }),
    remove: endpoint({
      method: 'DELETE',
      path: '/api/v1/admin/faults/{name}',
      summary: 'Remove a fault, or those of a profile',
      description: 'What the fault holds up goes on at once: waiting calls, slow answers, stuck jobs.',
      access: 'admin',
      params: object({ name: { ...FaultName, description: 'Name of the fault or of the profile.' } }),
      answer: 'envelope',
      responses: { 200: buildList('RemovedFaults', Fault, 'The faults that were removed.') },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    log: endpoint({
      method: 'GET',
      path: '/api/v1/admin/fault-log',
      summary: 'List what the faults struck',
      description: `The oldest first, out of the ${rememberedStrikes} that the server remembers. The same calls under the same faults and seeds give the same log.`,
      access: 'admin',
      query: object(
        {},
        {
          limit: integer({
            minimum: 1,
            maximum: rememberedStrikes,
            description: `Most entries, the newest. Default: ${rememberedStrikes}.`,
          }),
          after: integer({ minimum: 0, description: 'Only entries after that number.' }),
          fault: { ...FaultName, description: 'Only entries of that fault.' },
        },
      ),
      answer: 'envelope',
      responses: {
        200: named(
          'FaultLog',
          object({ items: array(FaultStrike, { description: 'The entries.' }) }),
          'What the faults struck, the oldest first.',
        ),
      },
      extension: true,
    }),
  },
});
