/**
 * A score: questions, and a pure function from their answers to a category and its recommendation. The rules are those
 * of the publication that `source` names; the words are ours.
 */
import type { Language } from '../../contract/shared.ts';
import type { TemplateExams } from '../../contract/template.ts';

export type Words = Readonly<Record<Language, string>>;
export const words = (pt: string, en: string, es: string): Words => ({ 'pt-BR': pt, 'en-US': en, 'es-ES': es });

export interface Choice {
  readonly value: string;
  readonly label: Words;
}

/** The answers, by the key of the question: a value, several of them, or a number. */
export type Answers = Readonly<Record<string, string | readonly string[] | number | undefined>>;

interface QuestionBase {
  readonly key: string;
  readonly label: Words;
  /** Whether the question is asked, given the answers before it. Default: always. */
  readonly when?: (answers: Answers) => boolean;
}
export type Question = QuestionBase &
  (
    | { readonly kind: 'one' | 'several'; readonly choices: readonly Choice[] }
    /** In mm unless `unit` says otherwise. */
    | {
        readonly kind: 'number';
        readonly unit?: string;
        readonly max: number;
        readonly isOptional?: true;
        /** The axes of a written size that answer it; absent: the report does not answer it. */
        readonly reads?: 'greatest' | 'mean';
      }
  );

export interface Outcome {
  /** As written: `TR4`, `4A`, `LR-5`. */
  readonly category: string;
  /** Points, if the score counts them. */
  readonly points?: number;
  /** The meaning of the category. */
  readonly meaning: Words;
  /** The recommendation of the score. */
  readonly advice: Words;
}

export interface Score {
  readonly id: string;
  readonly name: string;
  /** The exams that it is for. */
  readonly exams: TemplateExams;
  /** The publication of the rules. */
  readonly source: string;
  readonly questions: readonly Question[];
  /** `undefined`: an answer that the rules need is missing. */
  readonly assess: (answers: Answers) => Outcome | undefined;
}

export const choice = (value: string, label: Words): Choice => ({ value, label });
export const textIn = (answers: Answers, key: string): string | undefined => {
  const value = answers[key];
  return typeof value === 'string' ? value : undefined;
};
export const numberIn = (answers: Answers, key: string): number | undefined => {
  const value = answers[key];
  return typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : undefined;
};
export const listIn = (answers: Answers, key: string): readonly string[] => {
  const value = answers[key];
  return Array.isArray(value) ? (value as readonly string[]) : [];
};

/** The applicable questions, given the answers. */
export const applicableQuestions = ({ questions }: Score, answers: Answers): readonly Question[] =>
  questions.filter(({ when }) => when?.(answers) ?? true);

/** The answers to applicable questions; an answer to a question that no longer applies does not count. */
export const applicableAnswers = (score: Score, answers: Answers): Answers => {
  let counted: Answers = {};
  for (const { key, when } of score.questions)
    if (answers[key] !== undefined && (when?.(counted) ?? true)) counted = { ...counted, [key]: answers[key] };
  return counted;
};

/** The outcome of the answers that count. */
export const assess = (score: Score, answers: Answers): Outcome | undefined =>
  score.assess(applicableAnswers(score, answers));

const pointWords = words('pontos', 'points', 'puntos');

/** One line for the report: `ACR TI-RADS: TR4 (4 pontos), moderadamente suspeito. Recomendação: …`. */
export function buildScoreLine(score: Score, answers: Answers, language: Language): string | undefined {
  const outcome = assess(score, answers);
  if (!outcome) return undefined;
  const { category, points, meaning, advice } = outcome;
  const counted = points === undefined ? '' : ` (${points} ${pointWords[language]})`;
  const head = category === '' ? `${score.name}: ` : `${score.name}: ${category}${counted}, `;
  return `${head}${meaning[language]}. ${sentence(advice[language])}`;
}

const sentence = (text: string): string => `${text.charAt(0).toLocaleUpperCase()}${text.slice(1)}.`;
