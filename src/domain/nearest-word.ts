/** Finds the word that somebody meant who mistyped it, for suggestions in messages. */
import { foldLetters } from './search-text.ts';

/** Longer words are compared by their beginnings: they are no words that anybody types. */
const maxLength = 64;

/** Without case, accents and separators: `in-progress` is `in_progress`. */
const fold = (word: string): string => foldLetters(word.slice(0, maxLength)).replace(/[-_ .]/g, '');

/** `rec_01JNBK4V9Q0000000000000001`: ids of one day differ in few characters, so only a slip of the hand may be meant. */
const idForm = /^[a-z]{2,5}_[\dA-Z]{26}$/;

const countAllowedEdits = (word: string, length: number): number =>
  idForm.test(word) ? 2 : Math.max(1, Math.floor(length / 3));

/** `MG`: codes differ in a letter, so one is meant only if no other is as near. */
const codeForm = /^[A-Z\d]{1,3}$/;

/**
 * The known word that is most similar to the typed one; `undefined` if none is similar enough to be meant, or several
 * ids or codes are.
 */
export function nearestWord<const W extends string>(typed: string, known: Iterable<W>): W | undefined {
  const sought = fold(typed);
  const [best, next] = [...known]
    .map((word) => ({ word, distance: measureDistance(sought, word) }))
    .filter(({ distance }) => distance < Infinity)
    .toSorted((a, b) => a.distance - b.distance);
  if (best === undefined || next === undefined || best.distance === 0) return best?.word;
  const isTie = next.distance === best.distance && codeForm.test(next.word);
  return isTie || idForm.test(next.word) ? undefined : best.word;
}

/** Edits between the folded typed word and a known one; infinite if they have too little in common. */
function measureDistance(sought: string, word: string): number {
  const candidate = fold(word);
  const isBeginning = sought.length >= 3 && candidate.startsWith(sought);
  if (isBeginning && candidate !== sought) return 0.5;
  const longer = Math.max(sought.length, candidate.length);
  const allowed = countAllowedEdits(word, longer);
  if (Math.abs(sought.length - candidate.length) > allowed) return Infinity;
  const distance = countEdits(sought, candidate);
  return distance > allowed || distance >= longer ? Infinity : distance;
}

/** `Did you mean completed?`, or `undefined` if no known word is similar. */
export function suggestWord(typed: string, known: Iterable<string>): string | undefined {
  const word = nearestWord(typed, known);
  return word === undefined ? undefined : `Did you mean ${word}?`;
}

/** The sentence, followed by `. Did you mean …?` if a known word is similar. */
export function withSuggestion(sentence: string, typed: unknown, known: Iterable<string>): string {
  const suggestion = typeof typed === 'string' ? suggestWord(typed, known) : undefined;
  return suggestion === undefined ? sentence : `${sentence}. ${suggestion}`;
}

/** The fewest letters to insert, remove, replace or swap with their neighbour (optimal string alignment). */
function countEdits(first: string, second: string): number {
  let [before, row]: [number[], number[]] = [[], Array.from({ length: second.length + 1 }, (_, at) => at)];
  for (let i = 1; i <= first.length; i++) {
    const next = [i];
    for (let j = 1; j <= second.length; j++) {
      const isSame = first[i - 1] === second[j - 1];
      const isSwapped = i > 1 && j > 1 && first[i - 1] === second[j - 2] && first[i - 2] === second[j - 1];
      next.push(
        Math.min(
          cellAt(row, j) + 1,
          cellAt(next, j - 1) + 1,
          cellAt(row, j - 1) + (isSame ? 0 : 1),
          isSwapped ? cellAt(before, j - 2) + 1 : Infinity,
        ),
      );
    }
    [before, row] = [row, next];
  }
  return cellAt(row, second.length);
}

const cellAt = (row: readonly number[], at: number): number => row[at] ?? Infinity;
