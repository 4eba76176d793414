/** The templates that come with Laudio, as they are written down, and a template in the language of a document. */
import type { Language } from '../../contract/shared.ts';
import type { Template, TemplateDefinition, TemplateExams } from '../../contract/template.ts';
import { sectionCodes } from '../sections/section-codes.ts';
import { sectionKind } from '../sections/section-kinds.ts';
import { sectionTitle } from '../sections/section-titles.ts';
import { entryOf } from '../../domain/entry-of.ts';

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
  /** By the keys of sections: what stands there where nobody says anything. It states nothing that was seen. */
  readonly defaults?: Readonly<Record<string, InLanguages>>;
  /** Exams that it is for; without it nobody gets it but by its id, or because it is the first. */
  readonly exams?: TemplateExams;
  /** "Normal" texts and measurements, which stand in a document only where somebody names them; they may hold open fields. */
  readonly macros?: readonly { readonly name: InLanguages; readonly section: string; readonly text: InLanguages }[];
  /** What it was before, oldest first: documents that were made by it keep to it. */
  readonly former?: readonly Omit<TemplateData, 'former'>[];
}

/** The template in a language, at a version or as it is now; `undefined` where it never had that version. */
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
  const versions = [...(present.former ?? []), present];
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
        const code = entryOf(sectionCodes, key);
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

/** An own template with what its definition leaves out. */
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
    const code = section.code ?? entryOf(sectionCodes, section.key);
    return { ...section, ...(code && { code }) };
  }),
  macros: definition.macros ?? [],
  exams: definition.exams ?? {},
});

/**
 * The template for a document in another language than its own: the titles of sections of a kind are in that language,
 * and the template brings no text, since a document has one language.
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
