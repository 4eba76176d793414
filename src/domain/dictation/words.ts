/** Words as they are compared: without case and accents, and with the place where each one stands in the text. */

/** A word, where it stands in the text, and how it compares. */
export interface Word {
  readonly start: number;
  readonly end: number;
  readonly folded: string;
}

const wordPattern = /[\p{L}\p{M}\p{N}]+/gu;

/** The words of a list that stands in one string, over as many lines as it needs. */
export const wordList = (words: string): string[] => words.split(/\s+/).filter((word) => word !== '');

/** Lower case and without accents, unit by unit: a place in the answer is the same place in `text` (which is NFC). */
export const fold = (text: string): string =>
  text.replace(/[A-Z\u0080-\uffff]/g, (unit) => {
    const isLatin = /[A-Z\u0080-\u024f\u1e00-\u1eff]/.test(unit);
    const plain = (isLatin ? unit.normalize('NFD').charAt(0) : unit).toLowerCase();
    return plain.length === 1 ? plain : unit;
  });

/** The words of a text, in order. */
export function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const match of fold(text).matchAll(wordPattern)) {
    words.push({ start: match.index, end: match.index + match[0].length, folded: match[0] });
  }
  return words;
}

/** The words of a phrase, as they are compared. */
export const phraseWords = (phrase: string): string[] => wordsOf(phrase).map((word) => word.folded);

/** Phrases by their first word, the longest first, so that `ponto e vírgula` is seen before `ponto`. */
export type PhraseIndex<T> = ReadonlyMap<string, readonly { readonly words: readonly string[]; readonly value: T }[]>;

export function indexPhrases<T>(entries: Iterable<readonly [phrase: string, value: T]>): PhraseIndex<T> {
  const index = new Map<string, { words: readonly string[]; value: T }[]>();
  for (const [phrase, value] of entries) {
    const words = phraseWords(phrase);
    const first = words[0];
    if (first === undefined) continue;
    const found = index.get(first) ?? [];
    found.push({ words, value });
    index.set(
      first,
      found.toSorted((a, b) => b.words.length - a.words.length),
    );
  }
  return index;
}

/** Whether nothing but white space stands between two words. */
export const adjoin = (text: string, left: Word, right: Word): boolean =>
  /^\s+$/.test(text.slice(left.end, right.start));

/** The longest phrase that begins at the word `at`, with nothing but white space between its words. */
export function phraseAt<T>(
  text: string,
  words: readonly Word[],
  at: number,
  index: PhraseIndex<T>,
): { readonly value: T; readonly count: number } | undefined {
  const first = words[at];
  const candidates = first && index.get(first.folded);
  const found = candidates?.find((candidate) =>
    candidate.words.every((folded, i) => {
      const word = words[at + i];
      const before = words[at + i - 1];
      return word?.folded === folded && (i === 0 || (before !== undefined && adjoin(text, before, word)));
    }),
  );
  return found && { value: found.value, count: found.words.length };
}

/** One piece of a text, replaced. */
export interface Edit {
  readonly start: number;
  readonly end: number;
  readonly out: string;
}

/** Carries out edits that are in order and do not overlap. */
export function applyEdits(text: string, edits: readonly Edit[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const edit of edits) {
    pieces.push(text.slice(at, edit.start), edit.out);
    at = edit.end;
  }
  pieces.push(text.slice(at));
  return pieces.join('');
}
