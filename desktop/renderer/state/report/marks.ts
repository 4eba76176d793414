/** Marks in the text of a section: warnings, words that were not spoken, and words that the recogniser doubted. */
import type { Finding } from '../../../../src/contract/finding.ts';
import type { Origin } from '../../../../src/contract/provenance.ts';
import { spanAt } from '../../../../src/reporting/versions/provenance.ts';
import type { Run } from '../../../../src/reporting/versions/provenance.ts';
import { isDoubted } from '../../../../src/domain/heard-text.ts';
import type { Place, SaidWord } from '../../../../src/reporting/versions/word-positions.ts';
import type { Span } from '../../../../src/reporting/words/token.ts';
import { isOpenField } from '../../../../src/reporting/versions/review.ts';
import { elementAt } from '../../../../src/domain/elements.ts';

/** A stretch of text with one marking, or none. */
export interface Piece {
  readonly text: string;
  readonly origin: Origin | null;
  readonly warned: boolean;
  /** The recogniser was unsure. A warning takes precedence. */
  readonly doubted: boolean;
  /** No dictionary contains the word. A warning takes precedence. */
  readonly misspelt: boolean;
  /** A field that is not filled in. */
  readonly isField: boolean;
  /** A proposed sentence rests on these words. */
  readonly cited: boolean;
}

export interface MarkedText {
  readonly key: string;
  readonly text: string;
}

/** Fields that are not filled in: no decision allows signing with them. */
export const openFields = (findings: readonly Finding[]): Finding[] =>
  findings.filter((finding) => isOpenField(finding) && finding.status !== 'resolved');

/** Shown until the report is signed; other origins only on request. */
const unsaid: readonly Origin[] = ['macro', 'score', 'viewer', 'exam', 'template', 'prior', 'proposed'];

/** Words that the recogniser doubted and nobody has reviewed. */
export const findDoubts = (said: readonly SaidWord[], findings: readonly Finding[]): Place[] => {
  const seen = findings.filter(({ kind, status }) => kind === 'low_confidence' && status !== 'open');
  return said
    .filter(isDoubted)
    .flatMap(({ places }) => places)
    .filter(
      ({ section, start, end }) =>
        !seen.some((each) => each.section === section && each.start < end && start < each.end),
    );
};

/** The text split into pieces, in order; joined, they are the text. */
export function splitIntoPieces(
  { key, text }: MarkedText,
  findings: readonly Finding[],
  words: readonly Run[],
  showsOrigins: boolean,
  doubts: readonly Place[] = [],
  unknown: readonly Place[] = [],
  basis: readonly Place[] = [],
): Piece[] {
  const fields = openFields(findings).filter(({ section }) => section === key);
  const warned = findings.filter(
    (finding) =>
      finding.section === key && !isOpenField(finding) && finding.status === 'open' && finding.end > finding.start,
  );
  const runs = words.filter(
    ({ section, origin }) => section === key && (showsOrigins ? origin !== 'said' : unsaid.includes(origin)),
  );
  const doubted = doubts.filter(({ section }) => section === key);
  const misspelt = unknown.filter(({ section }) => section === key);
  const cited = basis.filter(({ section }) => section === key);
  const within = (place: number): number => Math.min(Math.max(place, 0), text.length);
  const isInField = (place: number): boolean => fields.some(({ start, end }) => start < place && place < end);
  const places = [...warned, ...runs, ...doubted, ...misspelt, ...cited].flatMap(({ start, end }) => [
    within(start),
    within(end),
  ]);
  const ends = fields.flatMap(({ start, end }) => [within(start), within(end)]);
  // A field is one piece, whatever the origin of its words.
  const cuts = [...new Set([0, text.length, ...ends, ...places.filter((place) => !isInField(place))])];
  cuts.sort((a, b) => a - b);
  return cuts.slice(1).map((end, at) => {
    const span = { start: elementAt(cuts, at), end };
    const isIn = (places: readonly Span[]) => places.some((each) => each.start <= span.start && end <= each.end);
    const isField = isIn(fields);
    return {
      text: text.slice(span.start, end),
      origin: isField ? null : (spanAt(runs, span)?.origin ?? null),
      warned: !isField && isIn(warned),
      doubted: !isField && !isIn(warned) && isIn(doubted),
      misspelt: !isField && !isIn(warned) && isIn(misspelt),
      isField,
      cited: isIn(cited),
    };
  });
}
