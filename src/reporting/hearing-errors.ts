/**
 * Accuracy of speech recognition: recognised words compared with spoken ones, in the forms of a report's language.
 * "Seis milímetros" and "6 mm" are equal; case, accents, punctuation (also spoken) and hesitations do not count.
 */
import type { Language } from '../contract/shared.ts';
import { alignWords } from './checks/edit-distance.ts';
import type { ComparedWord, FactKind } from './facts.ts';
import { phraseList } from '../domain/fold.ts';
import { readHeardWords } from './heard-words.ts';
import { tables } from './languages/index.ts';
import { elementAt } from '../domain/elements.ts';

/** Words or facts of a kind: how many were said, and how many were recognised wrongly or invented. */
export interface KindErrors {
  readonly said: number;
  readonly errors: number;
}

export interface HearingErrors {
  /** Words that were said. */
  readonly words: number;
  readonly insertions: number;
  readonly deletions: number;
  readonly substitutions: number;
  /** Numbers, units, levels and dates. */
  readonly numbers: KindErrors;
  readonly sides: KindErrors;
  readonly negations: KindErrors;
  /** Findings of the report's language and the user's terms, each of one or more words. */
  readonly terms: KindErrors;
}

/** Linear in memory; time grows with the product of both lengths. */
export function hearingErrors(
  said: string,
  heard: string,
  language: Language,
  ownTerms: readonly string[] = [],
): HearingErrors {
  const [first, second] = [readWords(said, language), readWords(heard, language)];
  const places = alignWords(
    first.map(({ key }) => key),
    second.map(({ key }) => key),
  );
  const right = new Set<number>();
  const counts = { insertions: 0, deletions: 0, substitutions: 0 };
  for (const { from, to } of places) {
    if (from === undefined) counts.insertions += 1;
    else if (to === undefined) counts.deletions += 1;
    else if (elementAt(first, from).key !== elementAt(second, to).key) counts.substitutions += 1;
    else right.add(from);
  }
  const pairs = places.map(({ from, to }): Pair => [
    from === undefined ? undefined : first[from],
    to === undefined ? undefined : second[to],
  ]);
  return {
    words: first.length,
    ...counts,
    numbers: factErrors(pairs, ['number', 'unit']),
    sides: factErrors(pairs, ['side']),
    negations: factErrors(pairs, ['negation']),
    terms: termErrors(first, right, readTerms(language, ownTerms)),
  };
}

const readWords = (text: string, language: Language): readonly ComparedWord[] => readHeardWords(text, language).words;

type Pair = readonly [said: ComparedWord | undefined, heard: ComparedWord | undefined];

function factErrors(pairs: readonly Pair[], kinds: readonly FactKind[]): KindErrors {
  const isOfKind = (word: ComparedWord | undefined): boolean => word?.fact !== undefined && kinds.includes(word.fact);
  let [said, errors] = [0, 0];
  for (const [first, second] of pairs) {
    if (isOfKind(first)) said += 1;
    if ((isOfKind(first) || isOfKind(second)) && first?.value !== second?.value) errors += 1;
  }
  return { said, errors };
}

/** Each term as the keys of its words. */
function readTerms(language: Language, own: readonly string[]): string[][] {
  const findings = Object.values<string>(tables[language].lexicon.findings).flatMap(phraseList);
  const terms = [...findings, ...own].map((term) => readWords(term, language).map(({ key }) => key));
  return terms.filter((keys) => keys.length > 0);
}

/** The longest term counts at each place, and each word counts once. */
function termErrors(said: readonly ComparedWord[], right: ReadonlySet<number>, terms: string[][]): KindErrors {
  const byFirst = new Map<string, string[][]>();
  for (const term of terms) byFirst.set(elementAt(term, 0), [...(byFirst.get(elementAt(term, 0)) ?? []), term]);
  let [count, errors] = [0, 0];
  for (let at = 0; at < said.length;) {
    const fitting = (byFirst.get(elementAt(said, at).key) ?? []).filter((term) =>
      term.every((key, offset) => said[at + offset]?.key === key),
    );
    const length = Math.max(0, ...fitting.map((term) => term.length));
    if (length > 0) {
      count += 1;
      if (!Array.from({ length }, (_, offset) => right.has(at + offset)).every(Boolean)) errors += 1;
    }
    at += Math.max(1, length);
  }
  return { said: count, errors };
}

const noErrors: KindErrors = { said: 0, errors: 0 };
const sum = (a: KindErrors, b: KindErrors): KindErrors => ({ said: a.said + b.said, errors: a.errors + b.errors });

/** Adds up the errors, as if it were one dictation. */
export const totalErrors = (parts: readonly HearingErrors[]): HearingErrors =>
  parts.reduce<HearingErrors>(
    (total, part) => ({
      words: total.words + part.words,
      insertions: total.insertions + part.insertions,
      deletions: total.deletions + part.deletions,
      substitutions: total.substitutions + part.substitutions,
      numbers: sum(total.numbers, part.numbers),
      sides: sum(total.sides, part.sides),
      negations: sum(total.negations, part.negations),
      terms: sum(total.terms, part.terms),
    }),
    {
      words: 0,
      insertions: 0,
      deletions: 0,
      substitutions: 0,
      numbers: noErrors,
      sides: noErrors,
      negations: noErrors,
      terms: noErrors,
    },
  );

/** Errors per spoken word; above 1 if more was invented than said. `null`: nothing was said. */
export const wordErrorRate = ({ words, insertions, deletions, substitutions }: HearingErrors): number | null =>
  words === 0 ? null : (insertions + deletions + substitutions) / words;
