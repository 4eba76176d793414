/** Puts together what was heard in the pieces of a sound, so that no word is lost and none stands twice. */
import type { HeardText, HeardWord, SuppressedText } from '../../../../src/domain/heard-text.ts';
import { fold } from '../../../../src/domain/fold.ts';
import type { Known, Word } from './answers.ts';

/** What was heard in a piece of the sound; times count from the beginning of the whole sound. */
export interface HeardPiece {
  readonly words: readonly Word[];
  /** `after`: how many words stand before it. */
  readonly suppressed: readonly (Omit<SuppressedText, 'at'> & { readonly after: number })[];
  /** The part of the sound that the piece before has, too, in seconds. Absent: a silence parts the two. */
  readonly overlap?: { readonly from: number; readonly to: number };
  /** The language that the server took the piece for, where it tells one (ISO 639-1). */
  readonly language?: string;
}

/** Seconds by which the times of a word may differ between two pieces. */
const tolerance = 0.6;
/** Nobody says more words in a second. */
const mostWordsPerSecond = 7;
/** Letters of a word that is not there twice by chance. */
const surelyOneWord = 5;

export function joined(pieces: readonly HeardPiece[]): HeardText {
  const words: Word[] = [];
  const left: HeardPiece['suppressed'][number][] = [];
  for (const piece of pieces) {
    const cut = piece.overlap ? cutOf(words, piece.words, piece.overlap) : { keep: words.length, skip: 0 };
    words.length = cut.keep;
    const offset = words.length - cut.skip;
    for (const each of piece.suppressed) left.push({ ...each, after: Math.max(0, offset + each.after) });
    for (const word of piece.words.slice(cut.skip)) words.push(word);
  }
  return heardOf(words, left);
}

/** How many words of the piece before are kept, and how many of the next are skipped. */
interface Cut {
  readonly keep: number;
  readonly skip: number;
}

const keyOf = ({ text }: Word): string => fold(text.normalize('NFC')).replace(/[^\p{L}\p{N}]/gu, '') || text;

/** When a word was said; `undefined`: unknown, or known only together with other words. */
const middleOf = (word: Word, neighbours: readonly (Word | undefined)[]): number | undefined =>
  word.known?.from === undefined || word.known.to === undefined || neighbours.some((each) => each?.known === word.known)
    ? undefined
    : (word.known.from + word.known.to) / 2;

const middlesOf = (words: readonly Word[]): (number | undefined)[] =>
  words.map((word, at) => middleOf(word, [words[at - 1], words[at + 1]]));

/**
 * Both pieces heard the words of the overlap, and each may have spoilt those at its own edge. So the one piece gives way to
 * the other at a word that both heard, the nearest to the middle; without such a word at the middle itself.
 */
function cutOf(before: readonly Word[], after: readonly Word[], { from, to }: { from: number; to: number }): Cut {
  const most = Math.ceil((to - from + 2 * tolerance) * mostWordsPerSecond);
  const tail = before.slice(-most);
  const head = after.slice(0, most);
  const [a, b] = [middlesOf(tail), middlesOf(head)];
  const middle = (from + to) / 2;
  const isTimed = a.some((time) => time !== undefined) && b.some((time) => time !== undefined);
  const offset = before.length - tail.length;
  const pair = isTimed ? pairByTime(tail, head, a, b, { from, to }) : pairByOrder(tail, head);
  if (pair) return { keep: offset + pair.tail + 1, skip: pair.head + 1 };
  if (!isTimed) return { keep: before.length, skip: 0 };
  const keep = a.findIndex((time) => time !== undefined && time >= middle);
  const skip = b.findIndex((time) => time !== undefined && time >= middle);
  return { keep: keep < 0 ? before.length : offset + keep, skip: skip < 0 ? head.length : skip };
}

interface Pair {
  readonly tail: number;
  readonly head: number;
}

/** The word that both pieces heard at about the same time, the nearest to the middle of the overlap. */
function pairByTime(
  tail: readonly Word[],
  head: readonly Word[],
  a: readonly (number | undefined)[],
  b: readonly (number | undefined)[],
  { from, to }: { from: number; to: number },
): Pair | undefined {
  const middle = (from + to) / 2;
  let best: (Pair & { readonly apart: number; readonly away: number }) | undefined;
  tail.forEach((word, i) => {
    const said = a[i];
    if (said === undefined) return;
    head.forEach((other, j) => {
      const again = b[j];
      if (again === undefined || Math.abs(said - again) > tolerance || keyOf(word) !== keyOf(other)) return;
      const away = Math.abs((said + again) / 2 - middle);
      const apart = Math.abs(said - again);
      // Of the same word said twice in a row, the one at the same time.
      const isNearer = !best || away + 4 * apart < best.away + 4 * best.apart;
      if (isNearer) best = { tail: i, head: j, apart, away };
    });
  });
  return best;
}

/** Without times: the last word of the longest row of words that ends the one and begins the other, but for a word at each edge. */
function pairByOrder(tail: readonly Word[], head: readonly Word[]): Pair | undefined {
  const [a, b] = [tail.map(keyOf), head.map(keyOf)];
  for (let length = Math.min(a.length, b.length); length > 0; length -= 1) {
    for (const spoiltEnd of [0, 1]) {
      for (const spoiltStart of [0, 1]) {
        const start = a.length - spoiltEnd - length;
        if (start < 0 || spoiltStart + length > b.length) continue;
        const isSame = a.slice(start, start + length).every((key, at) => key === b[spoiltStart + at]);
        // A single short word beside one that was spoilt may be chance.
        const isSure = length > 1 || spoiltEnd + spoiltStart === 0 || b[spoiltStart]!.length >= surelyOneWord;
        if (isSame && isSure) {
          return { tail: start + length - 1, head: spoiltStart + length - 1 };
        }
      }
    }
  }
  return undefined;
}

/** The text of the words, what is known of them, and what was left out between them. */
function heardOf(words: readonly Word[], left: readonly HeardPiece['suppressed'][number][]): HeardText {
  let text = '';
  let latest = 0;
  const heard: HeardWord[] = [];
  const places: number[] = [];
  let last: Known | undefined;
  for (const { text: word, known } of words) {
    const start = text === '' ? 0 : text.length + 1;
    places.push(start);
    text += text === '' ? word : ` ${word}`;
    const previous = heard.at(-1);
    if (known && known === last && previous) heard[heard.length - 1] = { ...previous, end: text.length };
    else if (known) {
      const next = { start, end: text.length, ...inTime(known, latest) };
      heard.push(next);
      latest = next.from ?? latest;
    }
    last = known;
  }
  const suppressed = left.map(({ after, ...each }): SuppressedText => ({ ...each, at: places[after] ?? text.length }));
  return { text, ...(heard.length > 0 && { words: heard }), ...(suppressed.length > 0 && { suppressed }) };
}

/** Times never go back. */
const inTime = ({ from, to, ...rest }: Known, latest: number): Known => {
  if (from === undefined || to === undefined) return rest;
  const begun = Math.max(from, latest);
  return { from: begun, to: Math.max(begun, to), ...rest };
};
