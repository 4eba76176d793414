/** The report that a person starts by typing into the sections of its template, before a record exists. */
import type { Section } from '../../../../src/contract/document.ts';

/** A section of the template; `text`: its default text. */
export type Place = Pick<Section, 'key' | 'title'> & { readonly text: string | null };

/** The sections of the template with the typed text, followed by those typed under another template. */
export function layOutSections(places: readonly Place[], typed: readonly Section[]): Section[] {
  const own = places.map(({ key, title }) => ({
    key,
    title,
    text: typed.find((each) => each.key === key)?.text ?? '',
  }));
  return [...own, ...typed.filter(({ key, text }) => text !== '' && places.every((place) => place.key !== key))];
}

/** The sections with typed text. */
export const writtenSections = (sections: readonly Section[]): Section[] =>
  sections.filter(({ text }) => text.trim() !== '');

export const isBegun = (sections: readonly Section[]): boolean => writtenSections(sections).length > 0;
