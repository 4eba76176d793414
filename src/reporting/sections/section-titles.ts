/** The title of a section in the language of its report. */
import type { Language } from '../../contract/shared.ts';
import { sections as english } from '../languages/en-US/sections.ts';
import { sections as spanish } from '../languages/es-ES/sections.ts';
import { sections as portuguese } from '../languages/pt-BR/sections.ts';

const tables: Readonly<Record<Language, { readonly titles: Readonly<Record<string, string>> }>> = {
  'en-US': english,
  'es-ES': spanish,
  'pt-BR': portuguese,
};

/** The key itself if the kind is unknown. */
export const sectionTitle = (language: Language, key: string): string => tables[language].titles[key] ?? key;
