/** Kinds of sections, in the order of a report. Their names are in the tables of the languages. */

export interface SectionKind {
  readonly key: string;
  /** The section that takes the text in a report without this section; without one, the report gains the section. */
  readonly instead?: string;
  /** Whether a report of its template shows it even without text, so that its absence is visible. */
  readonly isExpected?: true;
  /** Whether it holds conclusions: there a name without a colon is text. */
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

/** Whether a section with this key holds conclusions. */
export const concludes = (key: string): boolean => sectionKind(key)?.concludes === true;

/** The kind with this key, if there is one. */
export const sectionKind = (key: string): SectionKind | undefined => sectionKinds.find((each) => each.key === key);
