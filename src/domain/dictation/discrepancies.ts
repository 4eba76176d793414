/**
 * What to look at before signing: places where a document says something that was not said. Physicians name these as what
 * goes wrong with dictation systems: sides swapped, negations lost or added, numbers changed.
 */
import type { Section } from '../../contract/document.ts';

export interface Discrepancy {
  readonly section: string;
  /** As it stands in the document. */
  readonly word: string;
  readonly kind: 'side' | 'number' | 'negation';
}

/** Stems, so that every gender and number of a word is met. */
const sides = [
  /\b(direit[oa]s?|derech[oa]s?|right)\b/giu,
  /\b(esquerd[oa]s?|izquierd[oa]s?|left)\b/giu,
  /\b(bilatera(?:l|is|les))\b/giu,
];
const negations = [/\b(sem|sin|without|no|não|nao|ausência|ausencia|absence)\b/giu];
const numbers = /\b\d+(?:[.,]\d+)?\b/g;

const found = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([word]) => word);
/** `3,50` and `3.5` are the same. */
const plainNumber = (word: string): number => Number(word.replace(',', '.'));

/** Sections that the service filled in by itself: what stands there was not dictated. */
const filledIn = new Set(['technique', 'patient', 'notice', 'addendum']);

/**
 * Each word of a side, each number and each negation beyond those of the transcript, section by section. Nothing where
 * there is no transcript to compare with. Spelled-out numbers are not numbers here, so a document with figures for
 * spoken words may be asked about; better once too often.
 */
export function discrepancies(sections: readonly Section[], transcript: string | null): Discrepancy[] {
  if (transcript === null || transcript.trim() === '') return [];
  const said = new Set(found(transcript, numbers).map(plainNumber));
  const heardSides = sides.map((side) => found(transcript, side).length > 0);
  const saysNo = found(transcript, negations[0]!).length;
  let negated = 0;
  return sections
    .filter(({ key }) => !filledIn.has(key))
    .flatMap(({ key, text }): Discrepancy[] => {
      const wrongSides = sides.flatMap((side, at) => (heardSides[at] ? [] : found(text, side)));
      const newNumbers = found(text, numbers).filter((word) => !said.has(plainNumber(word)));
      const newNegations = found(text, negations[0]!).filter(() => ++negated > saysNo);
      return [
        ...wrongSides.map((word) => ({ section: key, word, kind: 'side' as const })),
        ...newNumbers.map((word) => ({ section: key, word, kind: 'number' as const })),
        ...newNegations.map((word) => ({ section: key, word, kind: 'negation' as const })),
      ];
    });
}
