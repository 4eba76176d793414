/** Macros (autotexts): a spoken name, and the text that it inserts (extension). */
import { group } from './endpoint.ts';
import { ownedEndpoints, ownedFields, buildUpdate, versionFields, withDefault } from './wordbook.ts';
import { withCommas } from './grouped.ts';
import { line, named, nullable, object, prose, string } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';
import { exampleId, Id } from './shared.ts';

/** The largest number of macros of a person, and of a space. */
export const maxMacros = 1000;
/** The largest number of characters of a macro's text. */
export const maxMacroCharacters = 20_000;

export const MacroId: Schema<string> = {
  ...Id,
  description: 'Id of the macro. The service assigns it.',
  examples: [exampleId('mac')],
};

const name = line({
  minLength: 1,
  maxLength: 80,
  description:
    'The words that somebody says to call the macro. Case, accents and punctuation do not count, and there is at least one word. A name of one word is called only by a command such as “insert”. The name is no spoken command itself, such as “new line” or “scratch that”.',
  examples: ['normal chest'],
});
const text = prose({
  minLength: 1,
  maxLength: maxMacroCharacters,
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
const { language, owner } = ownedFields('macro', 'can be called');

export const Macro = named(
  'Macro',
  object({
    id: MacroId,
    name,
    text,
    section,
    language,
    owner,
    ...versionFields('macro'),
  }),
  'A text that somebody calls by its name while dictating.',
);
export type Macro = TypeOf<typeof Macro>;

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
  endpoints: ownedEndpoints({
    path: '/api/v1/macros',
    title: 'Macro',
    noun: 'macro',
    nouns: 'macros',
    key: 'name',
    counts: 'can be called',
    searches: 'the name and the text',
    replaces: 'another text or section',
    documents: 'the macro came into',
    limit: `${withCommas(maxMacros)} macros`,
    max: maxMacros,
    id: MacroId,
    item: Macro,
    input: MacroInput,
    update: buildUpdate('MacroUpdate', { name, text, section, language, owner }),
    examples: {
      query: 'chest',
      create: exampleMacro,
      import: [exampleMacro, { name: 'normal heart', text: 'Normal heart.' }],
      update: { text: 'The lungs are clear.' },
    },
  }),
});
