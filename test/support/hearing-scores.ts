/** What became of the facts of a spoken text, and whether the report asks about those that were changed. */
import type { Language } from '../../src/contract/shared.ts';
import { elementAt } from '../../src/domain/elements.ts';
import type { HeardText } from '../../src/domain/heard-text.ts';
import { withoutNoise } from '../../src/domain/recogniser-noise.ts';
import { prepareChecks } from '../../src/reporting/checks/check.ts';
import { alignWords } from '../../src/reporting/checks/edit-distance.ts';
import type { Finding } from '../../src/reporting/checks/finding.ts';
import type { WriteInput } from '../../src/reporting/input.ts';
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
  /** Whether facts were changed (0 or 1), and whether the report then asks nothing about what was heard. */
  readonly wrong: number;
  readonly unasked: number;
  /** Sections that were said and that the report lacks, and those of them about which it asks nothing. */
  readonly lostSections: number;
  readonly silentSections: number;
  /** Places at which several words in a row were left out, and those of them without a question nearby. */
  readonly lostSpeech: number;
  readonly silentSpeech: number;
  /** Sentences without a misheard word, and those of them with a question. */
  readonly rightSentences: number;
  readonly falseQuestions: number;
}

/** Characters between a question and the fact that it is about: the same phrase. */
const nearby = 40;

/** Words in a row that are lost speech if none was heard for them. */
const minLost = 4;

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
  const { facts, changed, misheard, lost } = findErrors(said, heard.text, language);
  const questions = findQuestions(heard, language);
  const asked = questions.filter(({ kind }) => hearingKinds.has(kind));
  const placed = asked.flatMap(({ transcript }) => transcript ?? []);
  const isSilent = (place: Span): boolean => !placed.some((question) => isNear(question, place));
  const silent = changed.filter(isSilent);
  const filled = findFilled(heard, language);
  const lostSections = findFilled({ text: said }, language).filter((key) => !filled.includes(key));
  const isAskedFor = (key: string): boolean =>
    asked.length > 0 || questions.some(({ kind, section }) => kind === 'section_empty' && section === key);
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
    unasked: changed.length > 0 && asked.length === 0 ? 1 : 0,
    lostSections: lostSections.length,
    silentSections: lostSections.filter((key) => !isAskedFor(key)).length,
    lostSpeech: lost.length,
    silentSpeech: lost.filter(isSilent).length,
    rightSentences: right.length,
    falseQuestions: right.filter((sentence) => placed.some((question) => isInside(question, sentence))).length,
  };
}

function findSections(language: Language): WriteInput['sections'] {
  const [[id, shipped]] = Object.entries(shippedTemplates) as [[string, (typeof shippedTemplates)[string]]];
  return templateIn(language, id, shipped).sections;
}

/** The keys of the sections that have text. */
const findFilled = (heard: HeardText, language: Language): string[] =>
  write({ heard, language, sections: findSections(language) }).sections.flatMap(({ key, text }) =>
    text.trim() === '' ? [] : [key],
  );

function findQuestions(heard: HeardText, language: Language): Finding[] {
  const sections = findSections(language);
  const report = write({ heard, language, sections });
  return prepareChecks({ language, template: sections, heard })(report.sections, report.provenance).filter(
    ({ severity }) => severity !== 'info',
  );
}

/** Places of the heard text at which a word, and at which a fact, differs from what was said, or words are missing. */
function findErrors(
  said: string,
  text: string,
  language: Language,
): { facts: number; changed: Span[]; misheard: Span[]; lost: Span[] } {
  const [a, b] = [readHeardWords(said, language), readHeardWords(text, language)];
  const keys = (words: typeof a.words): string[] => words.map(({ key }) => key);
  let next = 0;
  let missing = 0;
  const [changed, misheard, lost]: [Span[], Span[], Span[]] = [[], [], []];
  for (const { from, to } of alignWords(keys(a.words), keys(b.words))) {
    const first = from === undefined ? undefined : elementAt(a.words, from);
    const second = to === undefined ? undefined : elementAt(b.words, to);
    if (to !== undefined) next = to;
    missing = to === undefined ? missing + 1 : 0;
    if (first && second && first.key === second.key) continue;
    const at = Math.min(next, b.words.length - 1);
    const place = at < 0 ? { start: 0, end: 0 } : b.findPlace(at, at + 1);
    misheard.push(place);
    if (missing === minLost) lost.push(place);
    if (first?.value !== second?.value) changed.push(place);
  }
  return { facts: a.words.filter(({ fact }) => fact !== undefined).length, changed, misheard, lost };
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
    'lostSections',
    'silentSections',
    'lostSpeech',
    'silentSpeech',
    'rightSentences',
    'falseQuestions',
  ] as const;
  const sum = (name: (typeof names)[number]): number => all.reduce((total, scores) => total + scores[name], 0);
  return Object.fromEntries(names.map((name) => [name, sum(name)])) as unknown as HearingScores;
}
