/** Who saw or changed what: a trail of entries, each of which holds the hash of the one before (extension). */
import { endpoint, group } from './endpoint.ts';
import { array, boolean, integer, meanings, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';

const ordinal = (description: string) => integer({ minimum: 0, description, examples: [4711] });
const hash = (description: string) => string({ pattern: '^[A-Za-z0-9_-]{43}$', description });
const idOf = (whose: string) => nullable(string({ description: `Id of the ${whose}. \`null\`: none.` }));

/** An entry of the trail, by its number and its hash. */
const AuditHead = object(
  {
    number: ordinal('Number of the last entry. 0: there is none.'),
    hash: string({ description: 'Hash of the last entry.' }),
  },
  {},
  { description: 'The end of the trail. Kept elsewhere, it shows later that nothing before it was changed.' },
);
export type AuditHead = TypeOf<typeof AuditHead>;

const AuditRemoval = object(
  {
    number: integer({
      minimum: 1,
      description: 'Number of the last entry that was removed; all before it are gone, too.',
    }),
    hash: string({ description: 'Hash of that entry.' }),
    kept_s: integer({ minimum: 1, description: 'The setting `keep_audit` by which they were removed, in seconds.' }),
  },
  {},
  { description: 'What retention removed from the beginning of the trail.' },
);
export type AuditRemoval = TypeOf<typeof AuditRemoval>;

export const AuditEntry = named(
  'AuditEntry',
  object(
    {
      number: integer({ minimum: 1, description: 'Number of the entry; the first is 1.', examples: [4711] }),
      at: timestamp('When it happened.'),
      by: oneOf(['person', 'client', 'operator', 'service'], {
        description: meanings('Who acted.', {
          person: 'somebody who had logged in, through the application',
          client: 'an application in its own name',
          operator: 'whoever has the admin token of the server, or an operator whom the login provider named',
          service: 'the server itself, in the name of the person or the application where one is named',
        }),
      }),
      user_id: idOf('person'),
      client_id: idOf('application'),
      action: string({
        description:
          'What was done: the name of a call, such as `records.update`; `login` of a person, `client_login` of an application by its secret, `operator_login` of an operator by the setup code or the login provider, `device_login` by the code of a device, `provider_login` of a person by the login provider; or work of the server itself.',
        examples: ['records.update'],
      }),
      kind: string({
        description: 'What it was done to: the kind of the documents, or `everything`.',
        examples: ['records'],
      }),
      ids: array(string({ description: 'Id of a document.' }), {
        description: 'The documents that were shown or changed. Empty: none of their own, or all.',
      }),
      outcome: oneOf(['done', 'refused'], {
        description: meanings('How it ended.', {
          done: 'it was shown or changed',
          refused: 'the right to it was missing, or the password, secret or code was wrong',
        }),
      }),
      request_id: nullable(
        string({ description: 'The `X-Request-Id` of the call. `null`: no call, or an id that the client chose.' }),
      ),
      address: nullable(string({ description: 'Network address of whoever called. `null`: no call.' })),
      previous: string({ description: 'Hash of the entry before. Empty: there is none.' }),
    },
    {
      replaced: AuditHead,
      removed: AuditRemoval,
      count: integer({
        minimum: 1,
        description:
          'How many refusals the entry stands for: those of one caller after an entry of the first one. Absent: one.',
      }),
    },
  ),
  'Who saw or changed which documents, and when: ids alone, without patient data.',
);
export type AuditEntry = TypeOf<typeof AuditEntry>;

export const AuditVerdict = named(
  'AuditVerdict',
  object({
    sound: boolean({ description: 'Whether every entry is as it was written, and none is missing.' }),
    entries: ordinal('Number of entries, without those that retention removed.'),
    head: AuditHead,
    removed: nullable(AuditRemoval),
    broken: nullable(
      object(
        {
          number: ordinal('Number of the first entry that is not as it was written.'),
          problem: string({ description: 'What is wrong there.' }),
        },
        {},
        { description: 'Where the trail breaks. `null`: nowhere.' },
      ),
    ),
  }),
  'Whether the trail is whole.',
);
export type AuditVerdict = TypeOf<typeof AuditVerdict>;

/** Selects entries by record, person or application. */
const subject = {
  id: string({ minLength: 1, maxLength: 128, description: 'Only entries about the document of that id.' }),
  user_id: string({ minLength: 1, maxLength: 128, description: 'Only entries of that person.' }),
  client_id: string({ minLength: 1, maxLength: 128, description: 'Only entries of that application.' }),
};

export const audit = group({
  title: 'Audit trail',
  description: 'Who saw or changed what. Only the operator of the server may make these calls.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/admin/audit',
      summary: 'List who saw or changed what',
      description:
        'The newest entries first. What was seen is entered within a second after the answer; what was changed, in the very commit of the change, and where several processes share a store, within a second after it; the list waits for that.',
      access: 'admin',
      query: object(
        {},
        {
          limit: integer({ minimum: 1, maximum: 1000, description: 'Most entries to list. Default: 50.' }),
          before: integer({ minimum: 1, description: 'Only entries before that number.' }),
          ...subject,
          patient: string({
            minLength: 1,
            maxLength: 128,
            description:
              'Only entries about the patient of the document of that id: its exams, reports, jobs and messages. Of an erased patient: the id of the erasure.',
          }),
          since: timestamp('Only entries from that instant on.'),
          until: timestamp('Only entries up to that instant.'),
        },
      ),
      answer: 'envelope',
      errors: ['NOT_FOUND'],
      responses: {
        200: named(
          'AuditPage',
          object({
            items: array(AuditEntry, { description: 'The entries.' }),
            next_before: nullable(integer({ description: '`before` of the next page. `null`: this was the last.' })),
          }),
          'Entries of the audit trail, the newest first.',
        ),
      },
      extension: true,
    }),
    events: endpoint({
      method: 'GET',
      path: '/api/v1/admin/audit/events',
      summary: 'Follow who sees or changes what',
      description:
        'A stream of server-sent events: `entry` for each new entry, the oldest first, and a comment every 15 seconds. Connect again with `Last-Event-ID` to go on behind the last entry that you have, also after a restart of the server: none is left out, and none comes twice. The id of an event is the number of its entry and its hash, as `NUMBER:HASH`; `NUMBER` alone will do, and 0 begins with the first entry. `reset` comes where a restore has replaced the trail: then it goes on with the entry of the restore.',
      access: 'admin',
      query: object({}, subject),
      answer: ['text/event-stream'],
      responses: { 200: AuditEntry },
      extension: true,
    }),
    verify: endpoint({
      method: 'GET',
      path: '/api/v1/admin/audit/verify',
      summary: 'Check that the audit trail is whole',
      description:
        'Reads every entry. With `number` and `hash` of an end that was noted earlier, it also shows that the trail before it is the same; 404 where retention has removed that entry and the one after it.',
      access: 'admin',
      query: object(
        {},
        { number: integer({ minimum: 1, description: 'Number of an entry, noted earlier.' }), hash: hash('Its hash.') },
      ),
      answer: 'envelope',
      responses: { 200: AuditVerdict },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});
