/** Chooses the template for an exam by its modality, the part of the body and the description. */
import { languages } from '../../contract/shared.ts';
import type { Template, TemplateExams } from '../../contract/template.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { fold } from '../../domain/fold.ts';
import { phraseAt, phraseWords } from '../words/phrases.ts';
import { findRules } from '../rules.ts';
import { tokenise } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

/** The known facts of an exam; descriptions are in any of our languages. */
export interface ExamToWrite {
  /** DICOM: CT, MR … */
  readonly modality: string;
  readonly exam_description: string;
  /** DICOM BodyPartExamined (0018,0015): CHEST, LSPINE … */
  readonly body_part?: string | null;
  /** Codes of its procedures (src/domain/procedure-codes.ts). */
  readonly procedure_codes?: readonly string[];
}

/** A template with the exams that it is for; without any it is chosen only by its id. */
type Candidate = Partial<Pick<Template, 'exams'>>;

/** DICOM names of body parts that no language has. */
const bodyParts: Readonly<Record<string, string>> = {
  LSPINE: 'lumbar',
  CSPINE: 'cervical',
  TSPINE: 'dorsal',
  BRAIN: 'head',
  SKULL: 'head',
  HEART: 'heart',
};

/** The id of the template that fits best; the first of them if none fits. */
export const chooseTemplate = (exam: ExamToWrite, templates: Readonly<Record<string, Candidate>>): string =>
  fittingTemplate(exam, templates) ?? elementAt(Object.keys(templates), 0);

/** The id of the template that fits best, if any fits. */
export function fittingTemplate(exam: ExamToWrite, templates: Readonly<Record<string, Candidate>>): string | undefined {
  const known: ExamFacts = {
    modality: exam.modality.toUpperCase(),
    regions: findRegions(`${exam.exam_description} ${exam.body_part ?? ''}`, exam.body_part ?? ''),
    words: phraseWords(exam.exam_description),
    codes: new Set(exam.procedure_codes?.map(codeKey)),
  };
  const scored = Object.entries(templates).map(([id, { exams }]) => ({
    id,
    score: exams === undefined ? 0 : scoreTemplate(exams, known),
  }));
  const [best] = scored.toSorted((a, b) => b.score - a.score);
  return best && best.score > 0 ? best.id : undefined;
}

interface ExamFacts {
  readonly modality: string;
  readonly regions: ReadonlySet<string>;
  readonly words: readonly string[];
  readonly codes: ReadonlySet<string>;
}

const codeKey = (code: string): string => code.trim().toUpperCase();

/** More than all words and regions together: the department says which template the procedure has. */
const codeScore = 1000;

/** Zero if the modality differs, or none of the rest matches; codes weigh more than words, and words than regions. */
function scoreTemplate(exams: TemplateExams, known: ExamFacts): number {
  const { modalities = [], regions = [], words = [], codes = [] } = exams;
  const isOpen = regions.length + words.length + codes.length === 0;
  const isModality = modalities.length > 0 ? modalities.includes(known.modality) : !isOpen;
  const isCoded = codes.some((code) => known.codes.has(codeKey(code)));
  const isNamed = words.some((phrase) => isSaid(phrase, known.words));
  const common = regions.filter((region) => known.regions.has(region)).length;
  // "Ecocardiograma" without a modality implies it; another modality contradicts it.
  if (!isModality && !(isNamed && known.modality === '')) return 0;
  if (isOpen) return 1;
  return (
    (isCoded ? codeScore : 0) + (isNamed ? 4 : 0) + common * 2 - (common > 0 ? (known.regions.size - common) / 8 : 0)
  );
}

/** Whether all words of the phrase are among `words`, in any order; `angio*` is any word that begins so. */
const isSaid = (phrase: string, words: readonly string[]): boolean => {
  const wanted = wordsOfPhrase(phrase);
  return (
    wanted.length > 0 &&
    wanted.every(({ word, isOpen }) => words.some((each) => (isOpen ? each.startsWith(word) : each === word)))
  );
};

/** The words of a phrase by which a template is chosen, folded; an open one matches any continuation. */
export const wordsOfPhrase = (phrase: string): { readonly word: string; readonly isOpen: boolean }[] =>
  Array.from(fold(normalForm(phrase)).matchAll(/([\p{L}\p{M}\p{N}'’]+)(\*?)/gu), ([, word = '', star]) => ({
    word,
    isOpen: star === '*',
  }));

/** The parts of the body that a text names, in any language. `bodyPart` may also be a name of DICOM. */
export function findRegions(text: string, bodyPart = ''): Set<string> {
  const found = new Set<string>();
  const part = bodyParts[bodyPart.toUpperCase()];
  if (part !== undefined) found.add(part);
  const tokens = tokenise(normalForm(text).replace(/[_^/.-]/g, ' '));
  for (const language of languages) {
    const { regions } = findRules(language).lexicon;
    tokens.forEach((_, at) => {
      const region = phraseAt(tokens, at, regions);
      if (region) found.add(region.value);
    });
  }
  return found;
}
