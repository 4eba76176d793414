/** The operator's side of a server: partner applications and the people who log in (extension, admin token only). */
import { endpoint, group } from './endpoint.ts';
import {
  array,
  boolean,
  freeForm,
  identifier,
  integer,
  line,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  string,
  timestamp,
} from './schema.ts';
import type { TypeOf } from './schema.ts';
import { allScopes, scopes, serverScopes } from './scopes.ts';
import { ClientId, buildDeleted, page, paging, UserId } from './shared.ts';

/** The space of production clients and users, unless the operator names another. */
export const defaultSpace = 'local';

const name = line({
  minLength: 1,
  maxLength: 100,
  description: 'Name of the partner application; users read it on the consent page.',
  examples: ['RIS São Lucas'],
});
const redirectUris = array(
  string({
    format: 'uri',
    maxLength: 2048,
    description: 'A redirect URI.',
    examples: ['http://127.0.0.1:8000/callback'],
  }),
  {
    maxItems: 20,
    description:
      'Where browsers may return to after an authorization. A redirect URI must match exactly; a loopback URI (`http://127.0.0.1/…`) matches any port. Only an application of kind `server` may have none.',
  },
);
const scopeName = oneOf(allScopes, {
  description: meanings('A scope.', Object.fromEntries(allScopes.map((scope) => [scope, scopes[scope].en]))),
});
const scopeList = (description: string) => array(scopeName, { minItems: 1, description });
const kind = oneOf(['web', 'mobile', 'server'], {
  description: meanings('Type of the partner application; default: `web`.', {
    web: 'a web application',
    mobile: 'an application on phones or tablets',
    server: 'a server, which gets tokens by its own credentials, without a user',
  }),
});

/** The largest set of keys that a client may register: a key in use, its successor, and a few of other machines. */
const jwks = object(
  {
    keys: array(
      freeForm({
        description: 'A public key as a JWK: EC (P-256, P-384, P-521), Ed25519, or RSA of 2048 bits.',
        'x-text': 'free',
      }),
      {
        minItems: 1,
        maxItems: 10,
        description: 'The public keys.',
      },
    ),
  },
  {},
  {
    description:
      'Public keys of the application (RFC 7517), for kind `server`: it logs in with assertions that one of them signed (`private_key_jwt`), and has no secret.',
  },
);
export type Jwks = TypeOf<typeof jwks>;
const spaceOf = (description: string) =>
  string({
    minLength: 1,
    maxLength: 64,
    pattern: '^[A-Za-z0-9_-]+$',
    description: `${description} Exams, records, jobs and users of one space are invisible in every other.`,
    examples: [defaultSpace],
  });
export const space = spaceOf('The space that its data belongs to.');

/** The longest time in seconds that an old secret may stay valid after a change. */
export const maxKeptSeconds = 7 * 24 * 3600;
const keepOldSeconds = (description: string) =>
  integer({ minimum: 0, maximum: maxKeptSeconds, description, examples: [86_400] });

export const Client = named(
  'PartnerApplication',
  object(
    {
      id: ClientId,
      name,
      kind,
      redirect_uris: redirectUris,
      scopes: scopeList('The scopes that the application may ask for.'),
      space,
      test_mode: boolean({ description: 'Whether it is a test client.' }),
      created_at: timestamp('When the application was registered.'),
    },
    {
      jwks,
      secret: string({
        description: 'The client secret. Only the call that created the secret returns it; the server stores its hash.',
      }),
      old_secret_until: timestamp('Until when the former secret is valid beside the present one. Absent: it is not.'),
    },
  ),
  'A partner application, which uses this API.',
);
export type Client = TypeOf<typeof Client>;

const username = identifier({
  minLength: 1,
  maxLength: 100,
  description: 'Name with which the user logs in; unique in the space, whatever its case.',
  examples: ['helena'],
});
const displayName = line({
  minLength: 1,
  maxLength: 200,
  description: 'Name that other people see on an exam that the user took; unique in the space. Default: the username.',
  examples: ['Dra. Helena Prado'],
});

const licence = line({
  minLength: 1,
  maxLength: 100,
  description: 'Licence to practise, as it stands under what the user signs: register and number.',
  examples: ['CRM-SP 123456'],
});
const place = line({
  minLength: 1,
  maxLength: 100,
  description: 'Where the user signs, as it stands under what the user signs.',
  examples: ['São Paulo'],
});

export const userRoles = ['resident', 'attending'] as const;
export const UserRole = oneOf(userRoles, {
  description: meanings('What the user signs.', {
    resident: 'preliminary medical records, which an attending co-signs',
    attending: 'final ones; co-signs those of residents, or sends them back',
  }),
});
export type UserRole = TypeOf<typeof UserRole>;
const role = { ...UserRole, description: `${UserRole.description} Absent: signs final ones, and co-signs none.` };

/** The lines under a signature, in addition to the name. */
export const Signer = named(
  'Signer',
  object({}, { role: UserRole, licence, place }),
  'In which role, under which licence, and where, somebody signed.',
);
export type Signer = TypeOf<typeof Signer>;

const providerSubject = identifier({
  minLength: 1,
  maxLength: 255,
  description: 'Id of the person’s account at the login provider (`sub`).',
  examples: ['f2c1b0a4-5d3e-4c11-9a53-0e6d2b7f8c90'],
});

export const User = named(
  'User',
  object(
    {
      id: UserId,
      username,
      display_name: displayName,
      space,
      created_at: timestamp('When the user was created.'),
    },
    {
      role,
      licence,
      place,
      provider: object(
        { issuer: string({ description: 'Address of the login provider (`iss`).' }), subject: providerSubject },
        {},
        { description: 'The account at the login provider with which the user logs in. Absent: none.' },
      ),
    },
  ),
  'A person who logs in at this server.',
);
export type User = TypeOf<typeof User>;

const password = string({
  minLength: 8,
  maxLength: 200,
  description: 'The new password. The server stores only its hash.',
});
const clientPath = { params: object({ id: ClientId }) };
const userPath = { params: object({ id: UserId }) };

export const clients = group({
  title: 'Partner applications',
  description:
    'A partner application uses this API with its client id and secret. Only the operator of the server may make these calls.',
  endpoints: {
    create: endpoint({
      method: 'POST',
      path: '/api/v1/admin/clients',
      summary: 'Register a partner application',
      description:
        'Answers with the client id and, this once, the client secret. An application with `jwks` has no secret.',
      access: 'admin',
      body: named(
        'ClientCreate',
        object(
          { name },
          {
            redirect_uris: redirectUris,
            kind,
            jwks,
            scopes: scopeList(
              `The scopes that the application may ask for. Default: all; for kind \`server\` ${serverScopes.map((scope) => `\`${scope}\``).join(', ')}.`,
            ),
            test_mode: boolean({
              description:
                '`true` makes a test client, which is approved at once and may hold only test data. Default: `false`.',
            }),
            space: spaceOf(
              'The space that the application works in. Default: `local`, and for a test client a new space of its own.',
            ),
          },
        ),
        'A partner application to register.',
      ),
      answer: 'envelope',
      responses: { 201: Client },
      extension: true,
    }),
    list: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clients',
      summary: 'List partner applications',
      description: 'All partner applications of the server, newest first, without their secrets.',
      access: 'admin',
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('ClientPage', Client, 'partner applications') },
      extension: true,
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/admin/clients/{id}',
      summary: 'Get a partner application',
      description: 'The partner application without its secret.',
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
      description:
        'Replaces the fields that the request holds. A scope that you remove is gone at once from every token of the application, and open event streams that need it end.',
      access: 'admin',
      ...clientPath,
      body: named(
        'ClientUpdate',
        object(
          {},
          {
            name,
            redirect_uris: redirectUris,
            scopes: scopeList('The scopes that the application may ask for.'),
            jwks: {
              ...jwks,
              description: `${jwks.description} Replaces all keys; the secret of an application that had one ends.`,
            },
            keep_old_seconds: keepOldSeconds(
              'How long from now the former secret stays valid, where it still is. `0` ends it at once.',
            ),
          },
          { minProperties: 1 },
        ),
        'The fields to change, at least one.',
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
      description:
        'The old secret ends at once, or after `keep_old_seconds`. Tokens that the application holds stay valid.',
      access: 'admin',
      ...clientPath,
      query: object(
        {},
        {
          keep_old_seconds: keepOldSeconds('How long the old secret stays valid beside the new one. Default: 0.'),
        },
      ),
      answer: 'envelope',
      responses: { 200: Client },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/admin/clients/{id}',
      summary: 'Remove a partner application',
      description: 'Revokes the tokens of the application. Its data stays in its space.',
      access: 'admin',
      ...clientPath,
      answer: 'envelope',
      responses: { 200: buildDeleted('ClientDeleted', ClientId) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});

export const users = group({
  title: 'Users',
  description: 'A user is a person who logs in at this server. Only the operator of the server may make these calls.',
  endpoints: {
    create: endpoint({
      method: 'POST',
      path: '/api/v1/admin/users',
      summary: 'Create a user',
      description: 'The user can log in at once, for every partner application of the space.',
      access: 'admin',
      body: named(
        'UserCreate',
        object(
          { username, password },
          {
            display_name: displayName,
            role,
            licence,
            place,
            space: spaceOf('The space whose data the user sees. Default: `local`.'),
          },
        ),
        'A user to create.',
      ),
      answer: 'envelope',
      responses: { 201: User },
      extension: true,
    }),
    list: endpoint({
      method: 'GET',
      path: '/api/v1/admin/users',
      summary: 'List users',
      description: 'All users of the server, newest first.',
      access: 'admin',
      query: object({}, paging),
      answer: 'envelope',
      responses: { 200: page('UserPage', User, 'users') },
      extension: true,
    }),
    update: endpoint({
      method: 'PATCH',
      path: '/api/v1/admin/users/{id}',
      summary: 'Change what a user signs, what stands under the signature, and the account at the login provider',
      description:
        'Replaces the fields that the request holds; `null` removes one. What the user signed before stays as it was signed. Another account at the login provider revokes all tokens that the user authorized.',
      access: 'admin',
      ...userPath,
      body: named(
        'UserUpdate',
        object(
          {},
          {
            role: nullable(role),
            licence: nullable(licence),
            place: nullable(place),
            provider_subject: nullable(providerSubject),
          },
          { minProperties: 1 },
        ),
        'The fields to change, at least one.',
      ),
      answer: 'envelope',
      responses: { 200: User },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    setPassword: endpoint({
      method: 'POST',
      path: '/api/v1/admin/users/{id}/password',
      summary: 'Set a user’s password',
      description: 'Revokes all tokens that the user authorized under the old password.',
      access: 'admin',
      ...userPath,
      body: named('PasswordUpdate', object({ password }), 'The new password.'),
      answer: 'envelope',
      responses: { 200: User },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    resetPin: endpoint({
      method: 'DELETE',
      path: '/api/v1/admin/users/{id}/pin',
      summary: 'Take a user’s PIN away',
      description: 'The user signs without a PIN until they set another. Only the user sets it.',
      access: 'admin',
      ...userPath,
      answer: 'envelope',
      responses: { 200: User },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/admin/users/{id}',
      summary: 'Delete a user',
      description:
        'Revokes all tokens that the user authorized, and deletes the user’s own macros and words of the vocabulary. The documents that the user wrote stay.',
      access: 'admin',
      ...userPath,
      answer: 'envelope',
      responses: { 200: buildDeleted('UserDeleted', UserId) },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});
