/** Vocabulary of the person and of the department. */
import { only } from '../../src/contract/schema.ts';
import type { TypeOf } from '../../src/contract/schema.ts';
import { Term } from '../../src/contract/vocabulary.ts';
import { defineLocalEntry, wordbookCalls } from './wordbook.ts';

/** The fields of a vocabulary entry that a person edits. */
export const termFields = ['write', 'for', 'language', 'owner'] as const;
const TermWords = only(Term, ...termFields);
export type TermWords = TypeOf<typeof TermWords>;

const KeptTerm = defineLocalEntry('KeptTerm', Term);
export type KeptTerm = TypeOf<typeof KeptTerm>;

const of = wordbookCalls({
  nouns: 'words of the vocabulary',
  item: Term,
  kept: KeptTerm,
  words: TermWords,
  defaults: only(Term, 'language', 'owner'),
});

export const vocabularyCalls = {
  'vocabulary.list': of.list,
  'vocabulary.save': of.save,
  'vocabulary.delete': of.delete,
  'vocabulary.import': of.import,
} as const;
