/** The words that a speech model is told to expect in the dictation of an exam. A few help, many harm. */
import { fold } from '../../../../src/domain/fold.ts';
import { maxExpected } from '../../../../src/reporting/vocabulary/expected-terms.ts';
import type { Template } from '../../../../src/contract/template.ts';
import type { ExamContext } from '../../exam-context.ts';

/** Shorter words are known to every model. */
const shortest = 9;
/** A longer description is no term. */
const longestDescription = 80;
/** Characters of a token, at the least: terms of medicine have short tokens. */
const charactersPerToken = 2;

/**
 * The exam, words of the vocabulary, and the long words of the template's texts, which models mishear most; at most ten terms
 * of at most so many tokens together. The patient is not among them.
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
  const description = exam?.exam_description.trim() ?? '';
  const texts = template.macros.map(({ text }) => text).join(' ');
  const candidates = [
    description.length <= longestDescription ? description : '',
    template.title,
    ...vocabulary,
    ...(texts.match(/\p{L}[\p{L}-]*\p{L}/gu) ?? []).filter((word) => word.length >= shortest).map(lower),
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

const lower = (word: string): string => word.toLowerCase();

export const promptOf = (terms: readonly string[]): string => (terms.length === 0 ? '' : `${terms.join(', ')}.`);
