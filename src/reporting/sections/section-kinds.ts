/** Kinds of sections, in the order in which they stand in a document. Their names are in the tables of the languages. */

export interface SectionKind {
  readonly key: string;
  /** Where the text goes in a document that has no such section; without one, the document gains the section. */
  readonly instead?: string;
  /** Stands in a document of its template even while there is nothing in it, so that it is seen to be missing. */
  readonly isExpected?: true;
  /** What is concluded: there a name without a colon is text. */
  readonly concludes?: true;
}

export const sectionKinds: readonly SectionKind[] = [
  { key: 'notice' },
  { key: 'patient' },
  { key: 'indication', instead: 'history' },
  { key: 'history', instead: 'indication' },
  { key: 'technique' },
  { key: 'comparison' },
  { key: 'measurements' },
  { key: 'findings', instead: 'examination', isExpected: true },
  { key: 'examination', instead: 'findings', isExpected: true },
  { key: 'impression', instead: 'diagnosis', isExpected: true, concludes: true },
  { key: 'diagnosis', instead: 'impression', isExpected: true, concludes: true },
  { key: 'plan', instead: 'recommendations' },
  { key: 'recommendations', instead: 'plan' },
  { key: 'addendum' },
];

/** The kind with this key, if there is one. */
export const sectionKind = (key: string): SectionKind | undefined => sectionKinds.find((each) => each.key === key);
