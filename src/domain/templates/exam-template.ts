/** A template for a kind of exam: what TemplateData says, which exams it is for, and the texts that can be called by name. */
import type { Language } from '../../contract/shared.ts';
import type { inLanguages, TemplateData } from './template.ts';

type InLanguages = ReturnType<typeof inLanguages>;

export interface ExamTemplate extends TemplateData {
  /** Keys of sections that have text before anybody signs. */
  readonly required: readonly string[];
  readonly exams: ExamKind;
  /** "Normal" texts and measurements, which stand in a document only where somebody names them; they may hold open fields. */
  readonly macros: readonly { readonly name: InLanguages; readonly section: string; readonly text: InLanguages }[];
}

/** Exams that a template is for; what is left out may be any. */
export interface ExamKind {
  /** DICOM modalities, parted by spaces. */
  readonly modalities?: string;
  /** Regions of the languages' lexicons, parted by spaces. */
  readonly regions?: string;
  /** In the description of the exam, folded: it tells the kind by itself. */
  readonly words?: RegExp;
}

/** The macros of a template in a language, as the writer takes them. */
export const macrosIn = (
  language: Language,
  { macros }: ExamTemplate,
): { readonly name: string; readonly section: string; readonly text: string }[] =>
  macros.map(({ name, section, text }) => ({ name: name[language], section, text: text[language] }));

/** Codes of sections in messages and exports (LOINC; DICOM PS3.20). */
export const sectionCodes: Readonly<Record<string, string>> = {
  indication: '18785-6',
  history: '11329-0',
  technique: '55111-9',
  comparison: '18834-2',
  measurements: '18782-3',
  findings: '59776-5',
  examination: '29545-1',
  impression: '19005-8',
  diagnosis: '29308-4',
  plan: '18776-5',
  recommendations: '18783-1',
  addendum: '55107-7',
};
