/** Chooses the score of an exam, and fills in the answers that its report already has. */
import type { Section } from '../../contract/document.ts';
import type { Language } from '../../contract/shared.ts';
import { phraseList } from '../../domain/fold.ts';
import { elementAt } from '../../domain/elements.ts';
import { tables } from '../languages/index.ts';
import { measurementsIn, sentencesOf } from '../priors/comparisons.ts';
import { fittingTemplate } from '../templates/choose.ts';
import type { ExamToWrite } from '../templates/choose.ts';
import { indexPhrases, phraseSet, phraseWords } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import { said } from './said.ts';
import type { Answers, Question, Score } from './score.ts';

/** The id of the score for such exams; `undefined`: there is none. */
export const chooseScore = (exam: ExamToWrite, scores: readonly Score[]): string | undefined =>
  fittingTemplate(exam, Object.fromEntries(scores.map((score) => [score.id, score])));

export interface ReportAt {
  readonly sections: readonly Section[];
  readonly language: Language;
  /** The current or last position of the caret. */
  readonly caret?: { readonly section: string; readonly start: number } | undefined;
}

/**
 * The answers that the report names: those of the paragraph with the caret, otherwise of the whole report. A question
 * that the text answers in two ways, such as for two nodules, stays open.
 */
export function fillAnswers(score: Score, { sections, language, caret }: ReportAt): Answers {
  const here = sections.find(({ key }) => key === caret?.section)?.text ?? '';
  const paragraph = caret ? paragraphAt(here, caret.start) : '';
  for (const text of [paragraph, sections.map((section) => section.text).join('\n')]) {
    const answers = readAnswers(score, text, language);
    if (Object.keys(answers).length > 0) return answers;
  }
  return {};
}

function paragraphAt(text: string, at: number): string {
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', Math.max(0, at - 1)) + 1, end < 0 ? text.length : end);
}

function readAnswers(score: Score, text: string, language: Language): Answers {
  const found = score.questions.flatMap((question): [string, Answers[string]][] => {
    const answer =
      question.kind === 'number' ? readSize(question, text) : readChoice(score.id, question, text, language);
    return answer === undefined ? [] : [[question.key, answer]];
  });
  return Object.fromEntries(found);
}

function readChoice(
  score: string,
  { kind, key }: Pick<Question, 'kind' | 'key'>,
  text: string,
  language: Language,
): Answers[string] {
  const values = affirmedValues(said[score]?.[key] ?? {}, text, language);
  if (kind === 'several') return values.length > 0 ? values : undefined;
  return values.length === 1 ? values[0] : undefined;
}

/** The longest phrase that begins at a word. */
function phraseFrom<T>(words: readonly string[], at: number, index: PhraseIndex<T>) {
  const begun = index.get(words[at] ?? '') ?? [];
  return begun.find((phrase) => phrase.words.every((word, n) => words[at + n] === word));
}

/** The values whose phrases the text affirms: a phrase after a denial in its sentence counts as denied. */
function affirmedValues(table: Readonly<Record<string, string>>, text: string, language: Language): string[] {
  const index = indexPhrases(
    Object.entries(table).flatMap(([value, phrases]) => phraseList(phrases).map((phrase) => [phrase, value] as const)),
  );
  const denials = phraseSet(tables[language].facts.negations);
  const values = new Set<string>();
  for (const sentence of partsOf(text)) {
    const words = phraseWords(sentence);
    for (let at = 0; at < words.length && !phraseFrom(words, at, denials);) {
      const phrase = phraseFrom(words, at, index);
      if (phrase) values.add(phrase.value);
      at += phrase?.words.length ?? 1;
    }
  }
  return [...values];
}

/** Beginnings of the words for what the scores measure; the size of an organ is none of theirs. */
const measured = ['nodul', 'lesi', 'lesao', 'mass', 'masa', 'obser'];
/** The sentences of a text, further divided at a colon or semicolon: "Right lobe 45 mm: nodule of 12 mm". */
const partsOf = (text: string): string[] => sentencesOf(text).flatMap((sentence) => sentence.split(/[:;]\s/));
/** A size of another exam. */
const comparison = /(?:antes|previously|anteriormente|prior|era)\s*(?:de\s+)?$/i;

/** The size of the only measured nodule, in mm. */
function readSize({ reads, max }: Extract<Question, { kind: 'number' }>, text: string): number | undefined {
  if (reads === undefined) return undefined;
  const sizes = partsOf(text)
    .filter((part) => phraseWords(part).some((word) => measured.some((begin) => word.startsWith(begin))))
    .flatMap((part) =>
      measurementsIn([{ key: null, text: part }]).filter(({ start }) => !comparison.test(part.slice(0, start))),
    );
  if (sizes.length !== 1) return undefined;
  const written = elementAt(sizes, 0).text;
  const scale = /cm$/i.test(written) ? 10 : 1;
  const axes = (written.match(/\d+(?:[.,]\d+)?/g) ?? []).map((axis) => Number(axis.replace(',', '.')) * scale);
  const size = reads === 'greatest' ? Math.max(...axes) : axes.reduce((sum, axis) => sum + axis, 0) / axes.length;
  const rounded = Math.round(size * 10) / 10;
  return rounded > 0 && rounded <= max ? rounded : undefined;
}
