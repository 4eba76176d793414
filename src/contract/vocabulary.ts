/** The vocabulary: words that somebody always wants written in one way (extension). */
import { group } from './endpoint.ts';
import { ownedEndpoints, ownedFields, buildUpdate, versionFields, withDefault } from './wordbook.ts';
import { withCommas } from './grouped.ts';
import { array, line, named, object } from './schema.ts';
import type { Schema, TypeOf } from './schema.ts';
import { exampleId, Id } from './shared.ts';

/** The largest number of words of a person, and of a space. */
export const maxTerms = 2000;
/** The largest number of characters of all of them together. */
export const maxTermCharacters = 100_000;

export const TermId: Schema<string> = {
  ...Id,
  description: 'Id of the word. The service assigns it.',
  examples: [exampleId('trm')],
};

const write = line({
  minLength: 1,
  maxLength: 80,
  description: 'A word, a name or a term of at most eight words, just as it is to stand in documents.',
  examples: ['Klatskin'],
});
const forms = array(
  line({
    minLength: 1,
    maxLength: 80,
    description: 'At most eight words; case, accents and punctuation do not count.',
    examples: ['clat skin'],
  }),
  {
    maxItems: 20,
    description:
      'What is heard or typed instead, each in its own words. Such words give way to `write` in every document. Empty: the word only has to be known, and what is heard gives way to it where it sounds or is spelt much alike. Numbers, units, sides, places and negations must be the same in both.',
  },
);
const { language, owner } = ownedFields('word', 'counts');

export const Term = named(
  'Term',
  object({ id: TermId, write, for: forms, language, owner, ...versionFields('word') }),
  'A word of the vocabulary: always write this for that.',
);
export type Term = TypeOf<typeof Term>;

export const TermInput = named(
  'TermInput',
  object(
    { write },
    {
      for: withDefault(forms, '[]'),
      language: withDefault(language, 'null'),
      owner: withDefault(owner, 'person'),
    },
  ),
  'A word to add to the vocabulary.',
);
export type TermInput = TypeOf<typeof TermInput>;

const exampleTerm = { write: 'Klatskin', for: ['clat skin'], language: 'en-US', owner: 'person' };

export const vocabulary = group({
  title: 'Vocabulary',
  description:
    'Names, drugs and local terms, and how they are written. The vocabulary of a person goes before that of the space. Words that are corrected by it have the origin `converted`, by the step `vocabulary`, and can be taken back; in what somebody typed only words that an entry names are corrected. A few words, chosen for the exam, are sent to the recogniser, so names of patients do not belong here.',
  endpoints: ownedEndpoints({
    path: '/api/v1/vocabulary',
    title: 'Term',
    noun: 'word',
    nouns: 'words',
    key: 'write',
    counts: 'count',
    searches: 'the word and what it is written for',
    replaces: 'other forms',
    documents: 'the word was written in',
    limit: `${withCommas(maxTerms)} words, or words of ${withCommas(maxTermCharacters)} characters together`,
    max: maxTerms,
    id: TermId,
    item: Term,
    input: TermInput,
    update: buildUpdate('TermUpdate', { write, for: forms, language, owner }),
    examples: {
      query: 'klat',
      create: exampleTerm,
      import: [exampleTerm, { write: 'Gadovist' }],
      update: { for: ['clat skin', 'klatz kin'] },
    },
  }),
});
