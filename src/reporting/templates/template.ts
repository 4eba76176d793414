/** The templates that come with Laudio, in source form, and a template in the language of a report. */
import type { Language } from '../../contract/shared.ts';
import type { Template, TemplateDefinition, TemplateExams } from '../../contract/template.ts';
import { sectionCodes } from '../sections/section-codes.ts';
import { sectionKind } from '../sections/section-kinds.ts';
import { sectionTitle } from '../sections/section-titles.ts';
import { findEntry } from '../../domain/find-entry.ts';

/** A text in each language. */
export type InLanguages = Readonly<Record<Language, string>>;

export const inLanguages = (pt: string, en: string, es: string): InLanguages => ({
  'pt-BR': pt,
  'en-US': en,
  'es-ES': es,
});

/** A template in all languages, in source form. */
export interface TemplateData {
  readonly name: InLanguages;
  readonly specialty: InLanguages;
  /** Title of a report without a known exam. */
  readonly title: InLanguages;
  /** Keys of its sections, in order; a title only if the kind's does not fit. */
  readonly sections: readonly (readonly [key: string, title?: InLanguages])[];
  /** For test clients: the specification (section 1) lists which. Others get it only by its id. */
  readonly inTestMode?: true;
  /** Keys of sections that need text before the signature. */
  readonly required?: readonly string[];
  /** Default texts by section key, for sections that nobody dictates. They state no findings. */
  readonly defaults?: Readonly<Record<string, InLanguages>>;
  /** Exams that it is for; without it, it is chosen only by its id, or as the first. */
  readonly exams?: TemplateExams;
  /** "Normal" texts and measurements, which a report holds only if somebody calls them; they may hold open fields. */
  readonly macros?: readonly { readonly name: InLanguages; readonly section: string; readonly text: InLanguages }[];
  /** Earlier versions, oldest first: records that used one keep it. */
  readonly previous?: readonly Omit<TemplateData, 'previous'>[];
}

/** The template in a language, at a version or the current one; `undefined` if it never had that version. */
export function templateIn(language: Language, id: string, present: TemplateData): Template;
export function templateIn(
  language: Language,
  id: string,
  present: TemplateData,
  version: number | undefined,
): Template | undefined;
export function templateIn(
  language: Language,
  id: string,
  present: TemplateData,
  wanted?: number,
): Template | undefined {
  const versions = [...(present.previous ?? []), present];
  const version = wanted ?? versions.length;
  const data = versions[version - 1];
  return (
    data && {
      id,
      version,
      origin: 'shipped',
      name: data.name[language],
      specialty: data.specialty[language],
      title: data.title[language],
      language,
      sections: data.sections.map(([key, title]) => {
        const code = findEntry(sectionCodes, key);
        const text = data.defaults?.[key]?.[language];
        return {
          key,
          title: title?.[language] ?? sectionTitle(language, key),
          ...(data.required?.includes(key) && { required: true }),
          ...(text !== undefined && { text }),
          ...(code && { code }),
        };
      }),
      macros: (data.macros ?? []).map(({ name, section, text }) => ({
        name: name[language],
        section,
        text: text[language],
      })),
      exams: data.exams ?? {},
    }
  );
}

/** A custom template with defaults for what its definition leaves out. */
export const ownTemplate = (
  definition: TemplateDefinition,
  { id, version }: Pick<Template, 'id' | 'version'>,
): Template => ({
  id,
  version,
  origin: 'own',
  name: definition.name,
  specialty: definition.specialty ?? '',
  title: definition.title ?? definition.name,
  language: definition.language,
  sections: definition.sections.map((section) => {
    const code = section.code ?? findEntry(sectionCodes, section.key);
    return { ...section, ...(code && { code }) };
  }),
  macros: definition.macros ?? [],
  exams: definition.exams ?? {},
});

/**
 * The template for a report in another language: the titles of known kinds of sections are in that language, and the
 * template adds no text, since a report has one language.
 */
export function forLanguage(template: Template, language: Language): Template {
  if (template.language === language) return template;
  return {
    ...template,
    language,
    sections: template.sections.map(({ text: _text, ...section }) => ({
      ...section,
      title: sectionKind(section.key) ? sectionTitle(language, section.key) : section.title,
    })),
    macros: [],
  };
}
