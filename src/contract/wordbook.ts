/** The wordbooks of a person and of a space: macros and words (extension). */
import { endpoint } from './endpoint.ts';
import { array, boolean, integer, meanings, named, nullable, object, oneOf, string, timestamp } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';
import { buildDeleted, languages, page, paging } from './shared.ts';

const ownerMeanings = (noun: string) => ({
  person: `the user who made the ${noun}, and nobody else sees it`,
  space: 'everybody in the space',
});
export const owners = ['person', 'space'] as const;
export type Owner = (typeof owners)[number];

/** The owner, and the language of the reports to which it applies; `does`: what happens to it there. */
export const ownedFields = (noun: string, does: string) => ({
  language: nullable(
    oneOf(languages, {
      description: `Language of the documents in which the ${noun} ${does}: \`pt-BR\`, \`en-US\` or \`es-ES\` (BCP 47). \`null\`: documents in every language.`,
      examples: ['en-US'],
    }),
  ),
  owner: oneOf(owners, {
    description: meanings(`Whose ${noun} it is.`, ownerMeanings(noun)),
    examples: ['person'],
  }),
});

export const versionFields = (noun: string) => ({
  version: integer({
    minimum: 1,
    description: 'Number of the version, from 1: each change makes one.',
    examples: [1],
  }),
  created_at: timestamp(`When the ${noun} was made.`),
  updated_at: timestamp(`When the ${noun} last changed.`),
});

export const withDefault = <S extends Schema>(schema: S, word: string): S => ({
  ...schema,
  description: `${schema.description} Default: \`${word}\`.`,
});

interface WordbookKind<Item, Input, Update> {
  readonly path: `/api/v1/${string}`;
  /** Name of its schemas: `Macro`. */
  readonly title: string;
  readonly noun: string;
  readonly nouns: string;
  /** The field by which people distinguish them: `name`. */
  readonly key: string;
  /** The effect in reports: "in which it can be called". */
  readonly counts: string;
  readonly searches: string;
  readonly replaces: string;
  /** Reports that it changed before it was changed. */
  readonly documents: string;
  readonly limit: string;
  readonly max: number;
  readonly id: Schema<string>;
  readonly item: Schema<Item>;
  readonly input: Schema<Input>;
  readonly update: Schema<Update>;
  readonly examples: {
    readonly query: string;
    readonly create: object;
    readonly import: object[];
    readonly update: object;
  };
}

/** List, import, get, create, update and delete. */
export const ownedEndpoints = <Item, Input, Update>(of: WordbookKind<Item, Input, Update>) =>
  ({
    list: buildList(of),
    import: buildImport(of),
    ...buildEntryEndpoints(of),
  }) as const;

const buildList = <Item, Input, Update>(of: WordbookKind<Item, Input, Update>) => {
  const { path, title, noun, nouns, item } = of;
  return endpoint({
    method: 'GET',
    path,
    summary: `List ${nouns}`,
    description: `The ${nouns} of the caller and those of the caller’s space, newest first.`,
    access: 'bearer',
    scope: 'medical_records:read',
    query: object(
      {},
      {
        ...paging,
        owner: oneOf(owners, {
          description: meanings(`Lists only the ${nouns} of this owner.`, ownerMeanings(noun)),
        }),
        language: oneOf(languages, {
          description: `Lists only ${nouns} that ${of.counts} in documents in this language: \`pt-BR\`, \`en-US\` or \`es-ES\` (BCP 47).`,
        }),
        q: string({
          minLength: 1,
          maxLength: 200,
          description: `Searches ${of.searches} for words that begin with these; case and accents do not matter.`,
          examples: [of.examples.query],
        }),
      },
    ),
    answer: 'envelope',
    responses: { 200: page(`${title}Page`, item, nouns) },
    extension: true,
  });
};

const buildImport = <Item, Input, Update>(of: WordbookKind<Item, Input, Update>) => {
  const { path, title, noun, nouns, max, input } = of;
  return endpoint({
    method: 'POST',
    path: `${path}/import`,
    summary: `Make several ${nouns}`,
    description: `Makes all ${nouns} of the request or none. With a ${noun} that cannot be made the answer is 400, and \`details.errors\` names each: \`items.3.${of.key}\`.`,
    access: 'bearer',
    scope: 'macros:write',
    body: named(
      `${title}Import`,
      object(
        { items: array(input, { minItems: 1, maxItems: max, description: `The ${nouns} to make.` }) },
        {
          replace: boolean({
            description: `\`true\`: a ${noun} whose ${of.key} the owner has already in that language replaces the one that is there. Default: \`false\`, such a ${noun} is refused.`,
          }),
        },
      ),
      `${title}s to make, all or none.`,
    ),
    bodyLimit: 10 * 1024 * 1024,
    idempotent: true,
    answer: 'envelope',
    responses: {
      200: named(
        `${title}sImported`,
        object({
          created: integer({ minimum: 0, description: `Number of ${nouns} that are new.` }),
          replaced: integer({ minimum: 0, description: `Number of ${nouns} that have ${of.replaces} now.` }),
          unchanged: integer({ minimum: 0, description: `Number of ${nouns} that were there just like that.` }),
        }),
        `What became of the ${nouns} of an import.`,
      ),
    },
    errors: ['PAYLOAD_TOO_LARGE'],
    extension: true,
    examples: { body: { [`two ${nouns}`]: { items: of.examples.import } } },
  });
};

/** The endpoints of a single entry. */
const buildEntryEndpoints = <Item, Input, Update>(of: WordbookKind<Item, Input, Update>) => {
  const { path, title, noun, id, item, input } = of;
  const byId = { params: object({ id }) };
  const onePath = `${path}/{id}` as const;
  return {
    get: endpoint({
      method: 'GET',
      path: onePath,
      summary: `Get one ${noun}`,
      description: `The ${noun} as it is now. \`ETag\` holds its version, for the \`If-Match\` of a change.`,
      access: 'bearer',
      scope: 'medical_records:read',
      ...byId,
      answer: 'envelope',
      responses: { 200: item },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
    create: endpoint({
      method: 'POST',
      path,
      summary: `Make a ${noun}`,
      description: `Makes a ${noun} of the caller or of the space. 409 where the owner has a ${noun} of that ${of.key} in that language already; 413 where the owner has ${of.limit}.`,
      access: 'bearer',
      scope: 'macros:write',
      body: input,
      idempotent: true,
      answer: 'envelope',
      responses: { 201: item },
      headers: { 201: ['ETag'] },
      errors: ['IDENTIFIER_CONFLICT', 'PAYLOAD_TOO_LARGE'],
      extension: true,
      examples: { body: { 'of the caller': of.examples.create } },
    }),
    update: endpoint({
      method: 'PUT',
      path: onePath,
      summary: `Change a ${noun}`,
      description: `Replaces the fields that the request holds. Documents that ${of.documents} before stay as they are. A request that changes nothing makes no version.`,
      access: 'bearer',
      scope: 'macros:write',
      ...byId,
      body: of.update,
      answer: 'envelope',
      responses: { 200: item },
      headers: { 200: ['ETag'] },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT', 'IDENTIFIER_CONFLICT', 'PAYLOAD_TOO_LARGE'],
      versioned: true,
      extension: true,
      examples: { body: { changed: of.examples.update } },
    }),
    delete: endpoint({
      method: 'DELETE',
      path: onePath,
      summary: `Delete a ${noun}`,
      description: `Deletes the ${noun} for good. Documents that ${of.documents} stay as they are.`,
      access: 'bearer',
      scope: 'macros:write',
      ...byId,
      answer: 'envelope',
      responses: { 200: buildDeleted(`${title}Deleted`, id) },
      errors: ['NOT_FOUND', 'VERSION_CONFLICT'],
      versioned: true,
      extension: true,
    }),
  } as const;
};

/** The body of a change: any of the fields, at least one. */
export const buildUpdate = <const F extends Readonly<Record<string, Schema>>>(title: string, fields: F) =>
  named(title, object({}, fields, { minProperties: 1 }), 'The fields to replace, at least one.');

export type ImportResult = TypeOf<ReturnType<typeof ownedEndpoints>['import']['responses'][200]>;
