/**
 * Notes at words of a report: warnings with a position, fields that are not filled in, and words that no dictionary
 * contains.
 */
import type { Section } from '../../../../src/contract/document.ts';
import type { Finding } from '../../../../src/contract/finding.ts';
import { isOpenField } from '../../../../src/reporting/versions/review.ts';
import type { Place } from '../../../../src/reporting/versions/word-positions.ts';

/** `finding` is `null` for a word that may be misspelt. */
export interface WordNote extends Place {
  readonly id: string;
  readonly finding: Finding | null;
}

/** Whether the finding is shown at its words; others are shown in a separate box. */
export const hasWords = ({ section, start, end, status }: Finding, sections: readonly Section[]): boolean =>
  status === 'open' && sections.some(({ key, text }) => key === section && start < end && end <= text.length);

/** Drops findings with the same text about the same words. */
export const dropDuplicates = (findings: readonly Finding[]): readonly Finding[] =>
  findings.filter(
    ({ section, message, start }, at) =>
      findings.findIndex((other) => other.message === message && other.start === start && other.section === section) ===
      at,
  );

/** In the order of the report; a finding takes precedence over a word that may be misspelt. */
export function wordNotes(
  findings: readonly Finding[],
  misspelt: readonly Place[],
  sections: readonly Section[],
): readonly WordNote[] {
  const rank = new Map(sections.map(({ key }, at) => [key, at]));
  const found = dropDuplicates(findings.filter((finding) => hasWords(finding, sections)));
  return [
    ...found.map((finding): WordNote => ({ ...placeOf(finding), id: finding.id, finding })),
    ...misspelt.map((place): WordNote => ({ ...place, id: `spelling-${place.section}-${place.start}`, finding: null })),
  ].toSorted((a, b) => (rank.get(a.section) ?? 0) - (rank.get(b.section) ?? 0) || a.start - b.start || a.end - b.end);
}

const placeOf = ({ section, start, end }: Place): Place => ({ section, start, end });

/** The notes whose words contain the caret, or the whole selection. */
export const notesAt = (notes: readonly WordNote[], { section, start, end }: Place): readonly WordNote[] =>
  notes.filter((note) => note.section === section && note.start <= start && end <= note.end);

/** The first note after a place; after the last one, the first again. `null` goes to the first. */
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

/** Number of notes of each kind. */
export function countNotes(notes: readonly WordNote[]) {
  const count = (is: (note: WordNote) => boolean): number => notes.filter(is).length;
  return {
    fields: count(({ finding }) => finding !== null && isOpenField(finding)),
    warnings: count(({ finding }) => finding !== null && !isOpenField(finding)),
    misspelt: count(({ finding }) => finding === null),
  };
}
