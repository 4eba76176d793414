/**
 * What is told at words of a report: each warning that has a place, each field that nobody has filled in, and each word that no
 * dictionary knows.
 */
import type { Section } from '../../../../src/contract/document.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import { isOpenField } from '../../../../src/reporting/versions/review.ts';
import type { Place } from '../../../../src/reporting/versions/word-positions.ts';

/** `finding` is `null` at a word that may be misspelt. */
export interface WordNote extends Place {
  readonly id: string;
  readonly finding: Finding | null;
}

/** Whether the finding is told at its words; any other is told in a box of its own. */
export const hasWords = ({ section, start, end, status }: Finding, sections: readonly Section[]): boolean =>
  status === 'open' && sections.some(({ key, text }) => key === section && start < end && end <= text.length);

/** What would be said again in the same words, of the same words, is said once. */
export const onceEach = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(
    ({ section, message, start }, at) =>
      findings.findIndex((other) => other.message === message && other.start === start && other.section === section) ===
      at,
  );

/** In the order of the report; what the service warns of goes before a word that may be misspelt. */
export function wordNotes(
  findings: readonly Finding[],
  misspelt: readonly Place[],
  sections: readonly Section[],
): readonly WordNote[] {
  const rank = new Map(sections.map(({ key }, at) => [key, at]));
  const found = onceEach(findings.filter((finding) => hasWords(finding, sections)));
  return [
    ...found.map((finding): WordNote => ({ ...placeOf(finding), id: finding.id, finding })),
    ...misspelt.map((place): WordNote => ({ ...place, id: `spelling-${place.section}-${place.start}`, finding: null })),
  ].toSorted((a, b) => (rank.get(a.section) ?? 0) - (rank.get(b.section) ?? 0) || a.start - b.start || a.end - b.end);
}

const placeOf = ({ section, start, end }: Place): Place => ({ section, start, end });

/** The notes whose words hold the caret, or all of what is selected. */
export const notesAt = (notes: readonly WordNote[], { section, start, end }: Place): readonly WordNote[] =>
  notes.filter((note) => note.section === section && note.start <= start && end <= note.end);

/** The first note behind a place, and behind the last note the first again; `null` goes to the first. */
export function noteAfter(
  notes: readonly WordNote[],
  place: Place | null,
  sections: readonly Section[],
): WordNote | undefined {
  const rankOf = ({ section }: Place): number => sections.findIndex(({ key }) => key === section);
  const isBehind = (note: WordNote, { start, end }: Place, at: number): boolean =>
    rankOf(note) > at || (rankOf(note) === at && (note.start > start || (note.start === start && note.end > end)));
  return (place && notes.find((note) => isBehind(note, place, rankOf(place)))) ?? notes[0];
}

/** How many notes there are of each kind. */
export function countNotes(notes: readonly WordNote[]) {
  const count = (is: (note: WordNote) => boolean): number => notes.filter(is).length;
  return {
    fields: count(({ finding }) => finding !== null && isOpenField(finding)),
    warnings: count(({ finding }) => finding !== null && !isOpenField(finding)),
    misspelt: count(({ finding }) => finding === null),
  };
}
