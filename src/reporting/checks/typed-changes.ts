/** Changes of dictated facts by a person: each is asked about once, and not where something else decides it. */
import type { HeardText } from '../../domain/heard-text.ts';
import { wordsOf } from '../vocabulary/macros.ts';
import { tokenise } from '../words/token.ts';
import type { FoundFinding } from './finding.ts';

/**
 * Lowers questions about changes to information: where the words have a warning already, and where the person
 * wrote what the recogniser heard at its second hearing.
 */
export function settleChanges(
  changed: readonly FoundFinding[],
  others: readonly FoundFinding[],
  heard: HeardText | null | undefined,
): FoundFinding[] {
  const warnings = others.filter(({ severity }) => severity === 'warning');
  return changed.map((finding): FoundFinding => {
    const isSettled = warnings.some((warning) => isAtSameWords(warning, finding)) || isHeard(finding, heard);
    return finding.severity === 'question' && isSettled ? { ...finding, severity: 'info' } : finding;
  });
}

const isAtSameWords = (a: FoundFinding, b: FoundFinding): boolean =>
  a.section === b.section && a.start < b.end && b.start < a.end;

const isHeard = ({ transcript, words: { written } = {} }: FoundFinding, heard: HeardText | null | undefined): boolean =>
  heard?.otherReadings?.some(
    ({ start, end, text }) =>
      transcript &&
      start < transcript.end &&
      transcript.start < end &&
      (written === undefined || hasWords(text, written)),
  ) === true;

const toWords = (text: string): string => ` ${wordsOf(tokenise(text))} `;
/** Whole words: "8" is not in "18 mm". */
const hasWords = (text: string, words: string): boolean => toWords(text).includes(toWords(words));
