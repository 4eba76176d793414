/** Terms that the speech model should expect in the dictation of an exam. A few help, many harm. */
import { fold } from '../../../../src/domain/fold.ts';
import { maxExpected } from '../../../../src/reporting/vocabulary/expected-terms.ts';
import type { Template } from '../../../../src/contract/template.ts';
import type { ExamContext } from '../../exam-context.ts';

/** Shorter words are known to every model. */
const minWordLength = 9;
/** A longer description is no term. */
const maxDescriptionLength = 80;
/** Characters per token at least: medical terms have short tokens. */
const charactersPerToken = 2;

/**
 * Returns the exam, words of the vocabulary, and the template's long words, which are often misheard: at most ten terms
 * with at most this many tokens. Patient data is never included.
 */
export function termsFor(
  {
    exam,
    template,
    vocabulary = [],
  }: {
    readonly exam: ExamContext | null;
    readonly template: Pick<Template, 'title' | 'macros'>;
    readonly vocabulary?: readonly string[];
  },
  tokens: number,
): string[] {
  const description = lowerCapitals(exam?.exam_description.trim() ?? '');
  const texts = template.macros.map(({ text }) => text).join(' ');
  const candidates = [
    description.length <= maxDescriptionLength ? description : '',
    lowerCapitals(template.title),
    ...vocabulary,
    ...(texts.match(/\p{L}[\p{L}-]*\p{L}/gu) ?? []).filter((word) => word.length >= minWordLength).map(lower),
  ];
  const terms: string[] = [];
  const seen = new Set<string>();
  let characters = 0;
  for (const term of candidates) {
    const key = fold(term.normalize('NFC'));
    const length = term.length + 2;
    if (term === '' || seen.has(key) || characters + length > tokens * charactersPerToken) continue;
    seen.add(key);
    terms.push(term);
    characters += length;
    if (terms.length === maxExpected) break;
  }
  return terms;
}

/**
 * A text in capitals, as many systems send it, in small letters: models go on in the capitals of their prompt. Words
 * without a vowel are abbreviations.
 */
const lowerCapitals = (text: string): string =>
  /\p{Ll}/u.test(text)
    ? text
    : text.replace(/\p{L}+/gu, (word) => (/[aeiou]/.test(fold(word.normalize('NFC'))) ? lower(word) : word));

const lower = (word: string): string => word.toLowerCase();

export const formatPrompt = (terms: readonly string[]): string => (terms.length === 0 ? '' : `${terms.join(', ')}.`);
