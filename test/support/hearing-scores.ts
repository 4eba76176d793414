/** What became of the facts of a spoken text, and whether the report asks about those that were changed. */
import type { Language } from '../../src/contract/shared.ts';
import { elementAt } from '../../src/domain/elements.ts';
import type { HeardText } from '../../src/domain/heard-text.ts';
import { withoutNoise } from '../../src/domain/recogniser-noise.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import { alignWords } from '../../src/reporting/checks/edit-distance.ts';
import type { Finding } from '../../src/reporting/checks/finding.ts';
import { readHeardWords } from '../../src/reporting/heard-words.ts';
import { hearingErrors } from '../../src/reporting/hearing-errors.ts';
import { shippedTemplates } from '../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../src/reporting/templates/template.ts';
import { write } from '../../src/reporting/write.ts';
import type { Span } from '../../src/reporting/words/token.ts';

export interface HearingScores {
  readonly words: number;
  readonly wordErrors: number;
  /** Facts that were said, and those of them that were changed, lost or invented. */
  readonly facts: number;
  readonly changed: number;
  /** Changed facts about which the report does not ask. */
  readonly silent: number;
  /** Whether facts were changed (0 or 1), and whether the report then asks nothing at all. */
  readonly wrong: number;
  readonly unasked: number;
  /** Sentences without a misheard word, and those of them with a question. */
  readonly rightSentences: number;
  readonly falseQuestions: number;
}

/** Characters between a question and the fact that it is about: the same phrase. */
const nearby = 40;

/** Kinds that ask about what was heard. */
const hearingKinds = new Set<string>([
  'heard_differently',
  'unknown_word',
  'unclear',
  'low_confidence',
  'little_understood',
  'suppressed',
  'sound_cut',
  'number_changed',
  'unit_changed',
  'unit_implausible',
]);

export function hearingScores(said: string, given: HeardText, language: Language): HearingScores {
  const heard = withoutNoise(given);
  const { facts, changed, misheard } = findErrors(said, heard.text, language);
  const questions = findQuestions(heard, language);
  const placed = questions.flatMap(({ kind, transcript }) =>
    transcript && hearingKinds.has(kind) ? [transcript] : [],
  );
  const silent = changed.filter((fact) => !placed.some((question) => isNear(question, fact)));
  const sentences = sentencesOf(heard.text);
  const right = sentences.filter((sentence) => !misheard.some((word) => overlaps(sentence, word)));
  const { words, insertions, deletions, substitutions } = hearingErrors(said, heard.text, language);
  return {
    words,
    wordErrors: insertions + deletions + substitutions,
    facts,
    changed: changed.length,
    silent: silent.length,
    wrong: Math.min(1, changed.length),
    unasked: changed.length > 0 && questions.length === 0 ? 1 : 0,
    rightSentences: right.length,
    falseQuestions: right.filter((sentence) => placed.some((question) => isInside(question, sentence))).length,
  };
}

function findQuestions(heard: HeardText, language: Language): Finding[] {
  const [[id, shipped]] = Object.entries(shippedTemplates) as [[string, (typeof shippedTemplates)[string]]];
  const { sections } = templateIn(language, id, shipped);
  const report = write({ heard, language, sections });
  return prepareChecks({ language, template: sections, heard })(report.sections, report.provenance).filter(
    ({ severity }) => severity !== 'info',
  );
}

/** Places of the heard text at which a word, and at which a fact, differs from what was said. */
function findErrors(
  said: string,
  text: string,
  language: Language,
): { facts: number; changed: Span[]; misheard: Span[] } {
  const [a, b] = [readHeardWords(said, language), readHeardWords(text, language)];
  const keys = (words: typeof a.words): string[] => words.map(({ key }) => key);
  let next = 0;
  const [changed, misheard]: [Span[], Span[]] = [[], []];
  for (const { from, to } of alignWords(keys(a.words), keys(b.words))) {
    const first = from === undefined ? undefined : elementAt(a.words, from);
    const second = to === undefined ? undefined : elementAt(b.words, to);
    if (to !== undefined) next = to;
    if (first && second && first.key === second.key) continue;
    const at = Math.min(next, b.words.length - 1);
    const place = at < 0 ? { start: 0, end: 0 } : b.findPlace(at, at + 1);
    misheard.push(place);
    if (first?.value !== second?.value) changed.push(place);
  }
  return { facts: a.words.filter(({ fact }) => fact !== undefined).length, changed, misheard };
}

const sentencesOf = (text: string): Span[] =>
  Array.from(text.matchAll(/[^.!?;]+/g), ({ 0: sentence, index }) => ({ start: index, end: index + sentence.length }));

const overlaps = (a: Span, b: Span): boolean => a.start <= b.end && b.start <= a.end;
const isNear = ({ start, end }: Span, fact: Span): boolean =>
  overlaps({ start: start - nearby, end: end + nearby }, fact);
const isInside = (question: Span, { start, end }: Span): boolean => question.start >= start && question.start < end;

/** The sum of all. */
export function totalScores(all: readonly HearingScores[]): HearingScores {
  const names = [
    'words',
    'wordErrors',
    'facts',
    'changed',
    'silent',
    'wrong',
    'unasked',
    'rightSentences',
    'falseQuestions',
  ] as const;
  const sum = (name: (typeof names)[number]): number => all.reduce((total, scores) => total + scores[name], 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as unknown as HearingScores;
}
