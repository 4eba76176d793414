/** What a template says of the documents that are made by it: their sections, and what they are called. */
import type { Language } from '../../contract/shared.ts';
import type { Template } from '../../contract/template.ts';
import { tables } from '../report/languages/index.ts';
import type { Macro } from '../report/macros.ts';

/** A text in each language. */
export type InLanguages = Readonly<Record<Language, string>>;

export const inLanguages = (pt: string, en: string, es: string): InLanguages => ({
  'pt-BR': pt,
  'en-US': en,
  'es-ES': es,
});

/** A template in all languages, as it is written down. */
export interface TemplateData {
  readonly name: InLanguages;
  readonly specialty: InLanguages;
  /** Title of a document whose exam is not known. */
  readonly title: InLanguages;
  /** Keys of its sections, in order; a title of its own where the kind's does not fit. */
  readonly sections: readonly (readonly [key: string, title?: InLanguages])[];
  /** For test clients: the specification (section 1) lists which. Others have it only by its id. */
  readonly inTestMode?: true;
  /** Keys of sections that have text before anybody signs. */
  readonly required?: readonly string[];
  /** Exams that it is for; without it nobody gets it but by its id, or because it is the first. */
  readonly exams?: ExamKind;
  /** "Normal" texts and measurements, which stand in a document only where somebody names them; they may hold open fields. */
  readonly macros?: readonly { readonly name: InLanguages; readonly section: string; readonly text: InLanguages }[];
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

/** A template in the language of a document. */
export interface ReportTemplate extends Template {
  /** Title of a document whose exam is not known. */
  readonly title: string;
  /** Texts that somebody can call by name. */
  readonly macros: readonly Macro[];
}

export const templateIn = (language: Language, id: string, data: TemplateData): ReportTemplate => ({
  id,
  name: data.name[language],
  specialty: data.specialty[language],
  title: data.title[language],
  language,
  sections: data.sections.map(([key, title]) => ({
    key,
    title: title?.[language] ?? tables[language].sections.titles[key] ?? key,
    ...(data.required?.includes(key) && { required: true }),
  })),
  macros: (data.macros ?? []).map(({ name, section, text }) => ({
    name: name[language],
    section,
    text: text[language],
  })),
});
