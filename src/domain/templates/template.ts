/** What a template says of the documents that are made by it: their sections, and what they are called. */
import type { Language } from '../../contract/shared.ts';
import type { Template } from '../../contract/template.ts';
import { tables } from '../report/languages/index.ts';

/** A text in each language. */
type InLanguages = Readonly<Record<Language, string>>;

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
  /** Test clients may use it too: the specification (section 1) lists which. */
  readonly inTestMode?: true;
}

/** A template in the language of a document. */
export interface ReportTemplate extends Template {
  /** Title of a document whose exam is not known. */
  readonly title: string;
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
  })),
});
