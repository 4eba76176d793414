/** Rules for the words of a vocabulary, and the form in which they are stored. */
import { languages } from '../../contract/shared.ts';
import type { Language } from '../../contract/shared.ts';
import type { FieldError } from '../../contract/errors.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { phraseWords } from '../words/phrases.ts';
import { findRules } from '../rules.ts';
import { keepsFacts } from '../steps/vocabulary.ts';
import { termKey } from './term-key.ts';
import { maxFormWords } from './vocabulary.ts';

interface TermText {
  readonly write: string;
  readonly for?: readonly string[];
  readonly language?: Language | null;
}

const asLine = (words: string): string => normalForm(words).replace(/\s+/g, ' ').trim();

/** The stored form of the words: single spaces, and each form once. */
export const normalTerm = <T extends { readonly write?: string; readonly for?: readonly string[] }>(term: T): T => ({
  ...term,
  ...(term.write !== undefined && { write: asLine(term.write) }),
  ...(term.for !== undefined && { for: distinct(term.for.map(asLine)) }),
});

/** Each form once. */
function distinct(forms: readonly string[]): string[] {
  const byKey = new Map(forms.toReversed().map((form) => [termKey(form), form]));
  return forms.filter((form) => byKey.get(termKey(form)) === form);
}

/** The problems of a term; `at` prefixes the names of the fields. */
export function findTermProblems({ write, for: forms = [], language = null }: TermText, at = ''): FieldError[] {
  const invalid = (field: string, message: string): FieldError => ({
    field: `${at}${field}`,
    message: `${at}${field} ${message}`,
    code: 'INVALID_VALUE',
  });
  const findProblems = (words: string, field: string): FieldError[] => {
    const { length } = phraseWords(words);
    if (length === 0) return [invalid(field, 'must hold a word')];
    return length > maxFormWords ? [invalid(field, `must hold at most ${maxFormWords} words`)] : [];
  };
  return [
    ...findProblems(write, 'write'),
    ...forms.flatMap((form, number) => {
      const field = `for.${number}`;
      const problems = findProblems(form, field);
      if (problems.length > 0 || isWritable(form, write, language)) return problems;
      return [
        invalid(
          field,
          `must have the numbers, units, sides, places and negations of “${write}”, which are never changed`,
        ),
      ];
    }),
  ];
}

/** Whether both have the same numbers, sides and so on, in at least one of the languages. */
const isWritable = (form: string, write: string, language: Language | null): boolean =>
  (language === null ? languages : [language]).some((each) => keepsFacts(form, write, findRules(each)));
