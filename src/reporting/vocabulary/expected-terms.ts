/** The few words of a vocabulary that a recogniser should expect in a dictation: some help, many harm. */
import { wordSet } from '../../domain/fold.ts';
import { phraseWords } from '../words/phrases.ts';

/** More terms make the recognition worse. */
export const maxExpected = 10;

/** The known facts of a dictation before its recognition. */
export interface Expectation {
  /** The names of the exam and the template. */
  readonly exam: readonly string[];
  /** The texts of the template, and of the autotexts that can be called in it. */
  readonly texts: readonly string[];
  /** Recent reports with the same template. */
  readonly recent: readonly string[];
  /** The recogniser never receives it, nor any word of it. */
  readonly patient: string;
}

/** The weight of a word in the exam's name, in the template's texts, and in each recent report. */
const weights = { exam: 100, texts: 20, recent: 1 };

/** The likeliest of the terms, given newest first: those that occur in more of the context, then the newer ones. */
export function chooseTerms(terms: readonly string[], { exam, texts, recent, patient }: Expectation): string[] {
  const names = wordSet(phraseWords(patient).join(' '));
  const wordsOf = (each: readonly string[]): ReadonlySet<string>[] => each.map((text) => new Set(phraseWords(text)));
  const sources = [
    { weight: weights.exam, texts: wordsOf([exam.join(' ')]) },
    { weight: weights.texts, texts: wordsOf([texts.join(' ')]) },
    { weight: weights.recent, texts: wordsOf(recent) },
  ];
  const scored = [...new Set(terms)].flatMap((term) => {
    const words = phraseWords(term);
    if (words.length === 0 || words.some((word) => names.has(word))) return [];
    const score = sources.reduce(
      (sum, source) =>
        sum + source.weight * source.texts.filter((text) => words.every((word) => text.has(word))).length,
      0,
    );
    return [{ term, score }];
  });
  return scored
    .toSorted((a, b) => b.score - a.score)
    .slice(0, maxExpected)
    .map(({ term }) => term);
}
