/** The operator's side of a server: partner applications and the people who log in (extension, admin token only). */
import { endpoint, group } from './endpoint.ts';
import { array, boolean, identifier, line, literal, named, object, oneOf, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { allScopes } from './scopes.ts';
import { Id, page, paging } from './shared.ts';

const clientId = string({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9_.-]+$' });
const name = line({ minLength: 1, maxLength: 100, examples: ['RIS São Lucas'] });
const redirectUris = array(string({ format: 'uri', maxLength: 2048 }), {
  minItems: 1,
  maxItems: 20,
  description: 'Matched exactly; a loopback URI (`http://127.0.0.1/…`) matches any port.',
});
const scopeList = array(oneOf(allScopes), { minItems: 1, description: 'Default: all.' });
const kind = oneOf(['web', 'mobile', 'server'], { description: 'Application type.' });
export const space = string({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9_-]+$',
  description: 'Whose data it sees.',
});

export const Client = named(
  'Client',
  object(
    {
      id: clientId,
      name,
      kind,
      redirect_uris: redirectUris,
      scopes: scopeList,
      space,
      test_mode: boolean(),
      created_at: timestamp('When it was registered.'),
    },
    { secret: string({ description: 'Shown only by the call that made it.' }) },
  ),
);
export type Client = TypeOf<typeof Client>;

export const User = named(
  'User',
  object({
    id: Id,
    username: identifier({ minLength: 1, maxLength: 100 }),
    display_name: line({ minLength: 1, maxLength: 200 }),
    space,
    created_at: timestamp('When it was created.'),
  }),
);
export type User = TypeOf<typeof User>;

const password = string({ minLength: 8, maxLength: 200 });
const clientPath = { params: object({ id: clientId }) };
const userPath = { params: object({ id: Id }) };

export const clients = group({
  title: 'Partner applications',
  description: 'Clients of this server’s API. Only its operator may call these.',
  endpoints: {
    create: endpoint({
      method: 'POST',
      path: '/api/v1/admin/clients',
      summary: 'Register a partner application',
      access: 'admin',
      body: named(
        'ClientCreate',
        object(
          { name, redirect_uris: redirectUris },
          {
            kind,
            scopes: scopeList,
            test_mode: boolean({ description: 'Makes a test client, with a space of its own.' }),
            space,
          },
        ),
      ),
      answer: 'envelope',
      responses: { 201: Client },
      extension: true,
    }),
    list: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clients',
      summary: 'List partner applications',
      access: 'admin',
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('ClientPage', Client) },
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clients/{id}',
      summary: 'Get a partner application',
      access: 'admin',
      ...clientPath,
      answer: 'envelope',
      responses: { 200: Client },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    update: endpoint({
      method: 'PATCH',
      path: '/api/v1/admin/clients/{id}',
      summary: 'Change a partner application',
      description: 'Scopes that are taken from it are taken at once from all that it was given, open streams included.',
      access: 'admin',
      ...clientPath,
      body: named(
        'ClientUpdate',
        object({}, { name, redirect_uris: redirectUris, scopes: scopeList }, { minProperties: 1 }),
      ),
      answer: 'envelope',
      responses: { 200: Client },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    rotateSecret: endpoint({
      method: 'POST',
      path: '/api/v1/admin/clients/{id}/rotate-secret',
      summary: 'Give a partner application a new secret',
      description: 'The old one ends at once; tokens given so far stay valid.',
      access: 'admin',
      ...clientPath,
      answer: 'envelope',
      responses: { 200: Client },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/admin/clients/{id}',
      summary: 'Remove a partner application',
      description: 'Its tokens end with it; its data stays in its space.',
      access: 'admin',
      ...clientPath,
      answer: 'envelope',
      responses: { 200: named('ClientDeleted', object({ id: clientId, deleted: literal(true) })) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});

export const users = group({
  title: 'People',
  description: 'Who logs in at this server. Only its operator may call these.',
  endpoints: {
    create: endpoint({
      method: 'POST',
      path: '/api/v1/admin/users',
      summary: 'Create a user',
      access: 'admin',
      body: named(
        'UserCreate',
        object(
          { username: identifier({ minLength: 1, maxLength: 100 }), password },
          { display_name: line({ minLength: 1, maxLength: 200 }), space },
        ),
      ),
      answer: 'envelope',
      responses: { 201: User },
      extension: true,
    }),
    list: endpoint({
      method: 'GET',
      path: '/api/v1/admin/users',
      summary: 'List users',
      access: 'admin',
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('UserPage', User) },
      extension: true,
    }),
    setPassword: endpoint({
      method: 'POST',
      path: '/api/v1/admin/users/{id}/password',
      summary: 'Set a user’s password',
      description: 'Ends what was granted under the old one.',
      access: 'admin',
      ...userPath,
      body: named('PasswordUpdate', object({ password })),
      answer: 'envelope',
      responses: { 200: User },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/admin/users/{id}',
      summary: 'Delete a user',
      access: 'admin',
      ...userPath,
      answer: 'envelope',
      responses: { 200: named('UserDeleted', object({ id: Id, deleted: literal(true) })) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});

export const defaultSpace = 'local';
