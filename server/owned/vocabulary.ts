/** Words of the vocabulary: what may be written for what, and which of them a recogniser is told to expect. */
import { AppError } from '../../src/contract/errors.ts';
import type { FieldError } from '../../src/contract/errors.ts';
import { languages } from '../../src/contract/shared.ts';
import type { Language } from '../../src/contract/shared.ts';
import { mostTermCharacters, mostTerms } from '../../src/contract/vocabulary.ts';
import type { TermInput } from '../../src/contract/vocabulary.ts';
import type { Template } from '../../src/contract/template.ts';
import { chooseTerms } from '../../src/domain/report/expected-terms.ts';
import { normalForm } from '../../src/domain/normal-form.ts';
import { phraseWords } from '../../src/domain/report/phrases.ts';
import { rulesOf } from '../../src/domain/report/rules.ts';
import { keepsFacts } from '../../src/domain/report/steps/vocabulary.ts';
import { mostFormWords, termsIn } from '../../src/domain/report/vocabulary.ts';
import type { Term } from '../../src/domain/report/vocabulary.ts';
import type { ExamContext } from '../engine/exam-context.ts';
import type { Documents } from '../store/collections.ts';
import type { Reader } from '../store/store.ts';
import { invalid, itemsFor } from './owned.ts';
import type { OwnedKind, SpaceUser } from './owned.ts';

/** The words as they are compared. */
const keyOf = (words: string): string => phraseWords(words).join(' ');
const asLine = (words: string): string => normalForm(words).replace(/\s+/g, ' ').trim();

export const termKind: OwnedKind<Documents['vocabulary'], TermInput> = {
  collection: 'vocabulary',
  noun: 'word',
  prefix: 'trm',
  get: (reader, id) => reader.get('vocabulary', id),
  find: (reader, is) => reader.find('vocabulary', { is }),
  put: (tx, term) => tx.put('vocabulary', term),
  made: ({ write, for: forms = [], language = null }) => ({ write, for: forms, language }),
  fields: ['write', 'for', 'language', 'owner'],
  replaced: ['write', 'for'],
  normal: (input) => ({
    ...input,
    ...(input.write !== undefined && { write: asLine(input.write) }),
    ...(input.for !== undefined && { for: distinct(input.for.map(asLine)) }),
  }),
  problems: ({ write, for: forms = [], language = null }, at = '') => [
    ...problemsOfWords(write, at, 'write'),
    ...forms.flatMap((form, number) => {
      const field = `for.${number}`;
      const problems = problemsOfWords(form, at, field);
      if (problems.length > 0 || isWritable(form, write, language)) return problems;
      return [
        invalid(
          at,
          field,
          `must have the numbers, units, sides, places and negations of “${write}”, which are never changed`,
        ),
      ];
    }),
  ],
  claims: ({ write, for: forms }) => [
    { field: 'write', value: `write ${keyOf(write)}` },
    ...forms.map((form, at) => ({ field: `for.${at}`, value: `for ${keyOf(form)}` })),
  ],
  searched: ({ write, for: forms }) => [write, ...forms],
  checkCount(terms) {
    const characters = terms.reduce((sum, { write, for: forms }) => sum + write.length + forms.join('').length, 0);
    if (terms.length <= mostTerms && characters <= mostTermCharacters) return;
    throw new AppError('PAYLOAD_TOO_LARGE', {
      message: 'A person has at most 2,000 words of 100,000 characters together, and so has a space.',
      details: { limit_items: mostTerms, limit_characters: mostTermCharacters },
      hint: 'Delete words that nobody uses.',
    });
  },
};

/** Each form once. */
function distinct(forms: readonly string[]): string[] {
  const byKey = new Map(forms.toReversed().map((form) => [keyOf(form), form]));
  return forms.filter((form) => byKey.get(keyOf(form)) === form);
}

function problemsOfWords(words: string, at: string, field: string): FieldError[] {
  const { length } = phraseWords(words);
  if (length === 0) return [invalid(at, field, 'must hold a word')];
  return length > mostFormWords ? [invalid(at, field, `must hold at most ${mostFormWords} words`)] : [];
}

/** Whether the one says the same numbers, sides and so on as the other, in one of the languages at least. */
const isWritable = (form: string, write: string, language: Language | null): boolean =>
  (language === null ? languages : [language]).some((each) => keepsFacts(form, write, rulesOf(each)));

/** The words that count for the person in documents of the language, in the order in which they are looked for. */
export const termsFor = async (reader: Reader, user: SpaceUser, language: Language): Promise<Term[]> =>
  termsIn(language, await itemsFor(termKind, reader, user));

/** Documents that are looked at for words of late. */
const mostRecent = 20;

/** The words that a recogniser is told to expect in a dictation by the template. */
export async function expectedTerms(
  reader: Reader,
  user: SpaceUser,
  { template, exam }: { readonly template: Template; readonly exam: ExamContext | null },
): Promise<string[]> {
  const { language, id, title, sections, macros } = template;
  const terms = await termsFor(reader, user, language);
  if (terms.length === 0) return [];
  const { space } = user;
  const recent = await reader.find('records', { is: { space, template: id }, limit: mostRecent });
  return chooseTerms(
    terms.map(({ write }) => write),
    {
      exam: [title, exam?.exam_description ?? ''],
      texts: [...sections.map(({ text = '' }) => text), ...macros.map(({ text }) => text)],
      recent: recent.map(({ text }) => text),
      patient: exam?.patient_name ?? '',
    },
  );
}
