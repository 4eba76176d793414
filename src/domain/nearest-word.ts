/** Finds the word that somebody meant who mistyped it, for suggestions in messages. */
import { foldLetters } from './search-text.ts';

/** Longer words are compared by their beginnings: they are no words that anybody types. */
const maxLength = 64;

/** Without case, accents and separators: `in-progress` is `in_progress`. */
const fold = (word: string): string => foldLetters(word.slice(0, maxLength)).replace(/[-_ .]/g, '');

/** The known word that is most similar to the typed one; `undefined` if none is similar enough to be meant. */
export function nearestWord<const W extends string>(typed: string, known: Iterable<W>): W | undefined {
  const sought = fold(typed);
  let best: { readonly word: W; readonly distance: number } | undefined;
  for (const word of known) {
    const candidate = fold(word);
    const isBeginning = sought.length >= 3 && candidate.startsWith(sought);
    const distance = isBeginning ? 0.5 : countEdits(sought, candidate);
    const longer = Math.max(sought.length, candidate.length);
    if (distance > Math.max(1, Math.floor(longer / 3)) || distance >= longer) continue;
    if (!best || distance < best.distance) best = { word, distance };
  }
  return best?.word;
}

/** `Did you mean completed?`, or `undefined` if no known word is similar. */
export function suggestWord(typed: string, known: Iterable<string>): string | undefined {
  const word = nearestWord(typed, known);
  return word === undefined ? undefined : `Did you mean ${word}?`;
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
