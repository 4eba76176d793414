/** The changes between two texts, in runs that a person can read. */

export interface Run {
  readonly kind: 'same' | 'gone' | 'new';
  readonly text: string;
}

/** A piece of a comparison word by word, as the package `diff` gives them. */
export interface ComparedPiece {
  readonly added: boolean;
  readonly removed: boolean;
  readonly value: string;
}

/**
 * Words that changed side by side are one run: a replaced sentence is struck through as a whole and followed by the new
 * one, not interleaved with it. The `same` and `gone` runs together are the text before, `same` and `new` the text
 * after.
 */
export function changeRuns(pieces: Iterable<ComparedPiece>): Run[] {
  const runs: Run[] = [];
  let gone = '';
  let added = '';
  /** Space between two changes belongs to both, once it is known that a change follows. */
  let between = '';
  const flush = (): void => {
    if (gone !== '') runs.push({ kind: 'gone', text: gone });
    if (added !== '') runs.push({ kind: 'new', text: added });
    if (between !== '') runs.push({ kind: 'same', text: between });
    gone = added = between = '';
  };
  for (const { added: isNew, removed: isGone, value } of pieces) {
    if (isNew || isGone) {
      gone += between;
      added += between;
      between = '';
      if (isNew) added += value;
      else gone += value;
    } else if ((gone !== '' || added !== '') && value.trim() === '') between += value;
    else {
      flush();
      runs.push({ kind: 'same', text: value });
    }
  }
  flush();
  return runs;
}
