/** Macros (autotexts): a name that somebody says, and the text that comes for it (extension). */
import { endpoint, group } from './endpoint.ts';
import {
  array,
  boolean,
  integer,
  line,
  meanings,
  named,
  nullable,
  object,
  oneOf,
  prose,
  string,
  timestamp,
} from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';
import { deletedOf, exampleId, Id, languages, page, paging } from './shared.ts';

/** Most macros of a person, and most macros of a space. */
export const mostMacros = 1000;
/** Most characters of the text of a macro. */
export const longestMacro = 20_000;

export const MacroId: Schema<string> = {
  ...Id,
  description: 'Id of the macro. The service assigns it.',
  examples: [exampleId('mac')],
};

const name = line({
  minLength: 1,
  maxLength: 80,
  description:
    'The words that somebody says to call the macro. Case, accents and punctuation do not count, and there is at least one word. A name of one word is called only by a command such as “insert”.',
  examples: ['normal chest'],
});
const text = prose({
  minLength: 1,
  maxLength: longestMacro,
  description:
    'The text that the macro brings. It may hold fields that somebody fills in before the document is signed: `[side: right|left]` and `[__ mm]`.',
  examples: ['The lungs are clear. The [side: right|left] hilum measures [__ mm].'],
});
const section = nullable(
  string({
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z][a-z0-9_]*$',
    description:
      'Key of the section that the text belongs to, wherever somebody calls the macro. `null`, or a section that the document does not have: the text stands where the macro was called.',
    examples: ['findings'],
  }),
);
const language = nullable(
  oneOf(languages, {
    description:
      'Language of the documents in which the macro can be called: `pt-BR`, `en-US` or `es-ES` (BCP 47). `null`: documents in every language.',
    examples: ['en-US'],
  }),
);

const ownerMeanings = {
  person: 'the user who made the macro, and nobody else sees it',
  space: 'everybody in the space',
};
export const macroOwners = Object.keys(ownerMeanings) as (keyof typeof ownerMeanings)[];
const owner = oneOf(macroOwners, { description: meanings('Whose macro it is.', ownerMeanings), examples: ['person'] });
export type MacroOwner = TypeOf<typeof owner>;

export const Macro = named(
  'Macro',
  object({
    id: MacroId,
    name,
    text,
    section,
    language,
    owner,
    version: integer({
      minimum: 1,
      description: 'Number of the version, from 1: each change makes one.',
      examples: [1],
    }),
    created_at: timestamp('When the macro was made.'),
    updated_at: timestamp('When the macro last changed.'),
  }),
  'A text that somebody calls by its name while dictating.',
);
export type Macro = TypeOf<typeof Macro>;

const withDefault = <S extends Schema>(schema: S, word: string): S => ({
  ...schema,
  description: `${schema.description} Default: \`${word}\`.`,
});

export const MacroInput = named(
  'MacroInput',
  object(
    { name, text },
    {
      section: withDefault(section, 'null'),
      language: withDefault(language, 'null'),
      owner: withDefault(owner, 'person'),
    },
  ),
  'A macro to make.',
);
export type MacroInput = TypeOf<typeof MacroInput>;

const byId = { params: object({ id: MacroId }) };
const exampleMacro = {
  name: 'normal chest',
  text: 'The lungs are clear. No pleural effusion.',
  section: 'findings',
  language: 'en-US',
  owner: 'person',
};

export const macros = group({
  title: 'Macros',
  description:
    'A macro (autotext) is a text that somebody calls by its name while dictating. Macros belong to a person or to a space. Where names are equal, a person’s macro goes before one of the space, and both go before one of the template.',
  endpoints: {
    list: endpoint({
      method: 'GET',
      path: '/api/v1/macros',
      summary: 'List macros',
      description: 'The macros of the caller and those of the caller’s space, newest first.',
      access: 'bearer',
      scope: 'medical_records:read',
      query: object(
        {},
        {
          ...paging,
          owner: oneOf(macroOwners, { description: meanings('Lists only the macros of this owner.', ownerMeanings) }),
          language: oneOf(languages, {
            description:
              'Lists only macros that can be called in documents in this language: `pt-BR`, `en-US` or `es-ES` (BCP 47).',
          }),
          q: string({
            minLength: 1,
            maxLength: 200,
            description:
              'Searches the name and the text for words that begin with these; case and accents do not matter.',
            examples: ['chest'],
          }),
        },
      ),
      answer: 'envelope',
      responses: { 200: page('MacroPage', Macro, 'macros') },
      extension: true,
    }),
    import: endpoint({
      method: 'POST',
      path: '/api/v1/macros/import',
      summary: 'Make several macros',
      description:
        'Makes all macros of the request or none. With a macro that cannot be made the answer is 400, and `details.errors` names each: `items.3.name`.',
      access: 'bearer',
      scope: 'macros:write',
      body: named(
        'MacroImport',
        object(
          {
            items: array(MacroInput, {
              minItems: 1,
              maxItems: mostMacros,
              description: 'The macros to make.',
            }),
          },
          {
            replace: boolean({
              description:
                '`true`: a macro whose name the owner has already in that language replaces the one that is there. Default: `false`, such a macro is refused.',
            }),
          },
        ),
        'Macros to make, all or none.',
      ),
      bodyLimit: 10 * 1024 * 1024,
      idempotent: true,
      answer: 'envelope',
      responses: {
        200: named(
          'MacrosImported',
          object({
            created: integer({ minimum: 0, description: 'Number of macros that are new.' }),
            replaced: integer({ minimum: 0, description: 'Number of macros that have another text or section now.' }),
            unchanged: integer({ minimum: 0, description: 'Number of macros that were there just like that.' }),
          }),
          'What became of the macros of an import.',
        ),
      },
      errors: ['PAYLOAD_TOO_LARGE'],
      extension: true,
      examples: { body: { 'two macros': { items: [exampleMacro, { name: 'normal heart', text: 'Normal heart.' }] } } },
    }),
    get: endpoint({
      method: 'GET',
      path: '/api/v1/macros/{id}',
      summary: 'Get one macro',
      description: 'The macro as it is now. `ETag` holds its version, for the `If-Match` of a change.',
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      answer: 'envelope',
      responses: { 200: Macro },
      errors: ['NOT_FOUND'],
      versioned: true,
      extension: true,
    }),
    create: endpoint({
      method: 'POST',
      path: '/api/v1/macros',
      summary: 'Make a macro',
      description: `Makes a macro of the caller or of the space. 409 where the owner has a macro of that name in that language already; 413 where the owner has ${mostMacros.toLocaleString('en-US')} macros.`,
      access: 'bearer',
      scope: 'macros:write',
      body: MacroInput,
      idempotent: true,
      answer: 'envelope',
      responses: { 201: Macro },
      errors: ['IDENTIFIER_CONFLICT', 'PAYLOAD_TOO_LARGE'],
      versioned: true,
      extension: true,
      examples: { body: { 'of the caller': exampleMacro } },
    }),
    update: endpoint({
      method: 'PUT',
      path: '/api/v1/macros/{id}',
      summary: 'Change a macro',
      description:
        'Replaces the fields that the request holds. Documents that the macro came into before stay as they are. A request that changes nothing makes no version.',
      access: 'bearer',
      scope: 'macros:write',
      ...byId,
      body: named(
        'MacroUpdate',
        object({}, { name, text, section, language, owner }, { minProperties: 1 }),
        'The fields to replace, at least one.',
      ),
      answer: 'envelope',
      responses: { 200: Macro },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT', 'IDENTIFIER_CONFLICT', 'PAYLOAD_TOO_LARGE'],
      versioned: true,
      extension: true,
      examples: { body: { 'another text': { text: 'The lungs are clear.' } } },
    }),
    delete: endpoint({
      method: 'DELETE',
      path: '/api/v1/macros/{id}',
      summary: 'Delete a macro',
      description: 'Deletes the macro for good. Documents that it came into stay as they are.',
      access: 'bearer',
      scope: 'macros:write',
      ...byId,
      answer: 'envelope',
      responses: { 200: deletedOf('MacroDeleted', MacroId) },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
      versioned: true,
      extension: true,
    }),
  },
});
