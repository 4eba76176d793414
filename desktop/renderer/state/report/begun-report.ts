/** The report that somebody begins by typing into the sections of its template, before there is a document. */
import type { Section } from '../../../../src/contract/document.ts';

/** A section of the template; `text`: what stands in the document where nobody writes anything. */
export type Place = Pick<Section, 'key' | 'title'> & { readonly text: string | null };

/** The sections of the template with what was typed, and after them those that another template had. */
export function begunSections(places: readonly Place[], typed: readonly Section[]): Section[] {
  const own = places.map(({ key, title }) => ({
    key,
    title,
    text: typed.find((each) => each.key === key)?.text ?? '',
  }));
  return [...own, ...typed.filter(({ key, text }) => text !== '' && places.every((place) => place.key !== key))];
}

/** The sections into which somebody has typed. */
export const writtenSections = (sections: readonly Section[]): Section[] =>
  sections.filter(({ text }) => text.trim() !== '');

export const isBegun = (sections: readonly Section[]): boolean => writtenSections(sections).length > 0;
