/** The words of a recogniser in the forms of a report's language: "seis milímetros" and "6 mm" are equal. */
import type { Language } from '../contract/shared.ts';
import { elementAt } from '../domain/elements.ts';
import { normalForm } from '../domain/normal-form.ts';
import { markContext } from './dictation.ts';
import { comparedWords } from './facts.ts';
import type { ComparedWord } from './facts.ts';
import { carryOut, findHull, findSource, startWork } from './operation.ts';
import { findRules } from './rules.ts';
import { writeMarks } from './steps/commands.ts';
import { repairColons, repairHeadings } from './steps/headings.ts';
import { leaveOutHesitations } from './steps/hesitations.ts';
import { writeNumbers } from './steps/numbers.ts';
import { spell } from './steps/spelling.ts';
import { splitSentences } from './words/sentences.ts';
import { textOf, tokenise } from './words/token.ts';
import type { Span, Token } from './words/token.ts';

export interface HeardWords {
  readonly words: readonly ComparedWord[];
  /** As a report has them. */
  readonly tokens: readonly Token[];
  /** The words of each sentence, also between spoken marks. */
  readonly sentences: readonly { readonly from: number; readonly to: number }[];
  /** The place of the words `from` up to `to` in the text. */
  findPlace(from: number, to: number): Span;
  /** The same words as a report has them. */
  written(from: number, to: number): string;
}

/** Case, accents, punctuation (also spoken) and hesitations do not count; misheard names of sections are repaired. */
export function readHeardWords(text: string, language: Language): HeardWords {
  const rules = findRules(language);
  // "9-millimeter" is 9 mm, as "9 millimeter". Places stay.
  const normal = normalForm(text).replace(/(?<=\d)-(?=\p{L}{2})/gu, ' ');
  const work = startWork(normal, tokenise(normal), new Set());
  carryOut(work, 'commands', leaveOutHesitations(work.tokens, rules.marks.hesitations));
  const headings = { language, names: rules.sections, marks: rules.marks, sections: [] };
  carryOut(work, 'sections', repairHeadings(work.tokens, headings));
  carryOut(work, 'sections', repairColons(work.tokens, headings));
  carryOut(work, 'commands', writeMarks(work.tokens, markContext(work.tokens, rules, rules.sections)));
  carryOut(work, 'spelling', spell(work.tokens, rules.spelling));
  carryOut(work, 'numbers', writeNumbers(work.tokens, rules.numbers).changes);
  const { tokens, heard } = work;
  const words = comparedWords(tokens, rules.facts);
  const takeTokens = (from: number, to: number) => tokens.slice(words[from]?.from ?? 0, words[to - 1]?.to ?? 0);
  let next = 0;
  const sentences = splitSentences(tokens).map(({ to }) => {
    const from = next;
    while (next < words.length && elementAt(words, next).from < to) next += 1;
    return { from, to: next };
  });
  return {
    words,
    tokens,
    sentences: sentences.filter(({ from, to }) => from < to),
    findPlace(from, to) {
      const hull = findHull(takeTokens(from, to));
      return findSource(heard, hull.from, hull.to);
    },
    written: (from, to) => textOf(takeTokens(from, to)),
  };
}
