import type { Section } from '../../contract/document.ts';

/** The sections with `text` in the section `key`. */
export const withText = (sections: readonly Section[], key: string, text: string): Section[] =>
  sections.map((section) => (section.key === key ? { ...section, text } : section));
