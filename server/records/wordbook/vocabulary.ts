/** Vocabulary words: spoken forms and spelling, and the terms that a recogniser should expect. */
import { AppError } from '../../../src/contract/errors.ts';
import type { Language } from '../../../src/contract/shared.ts';
import { maxTermCharacters, maxTerms } from '../../../src/contract/vocabulary.ts';
import type { TermInput } from '../../../src/contract/vocabulary.ts';
import type { Template } from '../../../src/contract/template.ts';
import { chooseTerms } from '../../../src/reporting/vocabulary/expected-terms.ts';
import { termKey } from '../../../src/reporting/vocabulary/term-key.ts';
import { normalTerm, findTermProblems } from '../../../src/reporting/vocabulary/term-rules.ts';
import { termsIn } from '../../../src/reporting/vocabulary/vocabulary.ts';
import type { Term } from '../../../src/reporting/vocabulary/vocabulary.ts';
import type { ExamContext } from '../../speech/exam-context.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import { listUsableItems } from './wordbook-item.ts';
import type { WordbookKind, SpaceUser } from './wordbook-item.ts';

export const termKind: WordbookKind<Documents['vocabulary'], TermInput> = {
  collection: 'vocabulary',
  noun: 'word',
  prefix: 'trm',
  get: (reader, id) => reader.get('vocabulary', id),
  find: (reader, is) => reader.find('vocabulary', { is }),
  put: (tx, term) => tx.put('vocabulary', term),
  withDefaults: ({ write, for: forms = [], language = null }) => ({ write, for: forms, language }),
  fields: ['write', 'for', 'language', 'owner'],
  replaced: ['write', 'for'],
  normalise: normalTerm,
  findProblems: findTermProblems,
  listClaims: ({ write, for: forms }) => [
    { field: 'write', value: `write ${termKey(write)}` },
    ...forms.map((form, at) => ({ field: `for.${at}`, value: `for ${termKey(form)}` })),
  ],
  searchTexts: ({ write, for: forms }) => [write, ...forms],
  checkCount(terms) {
    const characters = terms.reduce((sum, { write, for: forms }) => sum + write.length + forms.join('').length, 0);
    if (terms.length <= maxTerms && characters <= maxTermCharacters) return;
    throw new AppError('PAYLOAD_TOO_LARGE', {
      message: 'A person has at most 2,000 words of 100,000 characters together, and so has a space.',
      details: { limit_items: maxTerms, limit_characters: maxTermCharacters },
      hint: 'Delete words that nobody uses.',
    });
  },
};

/** The person's words in the language, in order of precedence. */
export const termsFor = async (reader: Reader, user: SpaceUser, language: Language): Promise<Term[]> =>
  termsIn(language, await listUsableItems(termKind, reader, user));

/** Recent reports that are searched for words. */
const maxRecent = 20;

/** The terms that a recogniser should expect in a dictation with the template. */
export async function expectedTerms(
  reader: Reader,
  user: SpaceUser,
  { template, exam }: { readonly template: Template; readonly exam: ExamContext | null },
): Promise<string[]> {
  const { language, id, title, sections, macros } = template;
  const terms = await termsFor(reader, user, language);
  if (terms.length === 0) return [];
  const { space } = user;
  const recent = await reader.find('records', { is: { space, template: id }, limit: maxRecent });
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
