/** Joins the transcripts of overlapping pieces without losing or repeating words. */
import type { HeardText, HeardWord, OtherReading, SuppressedText } from '../../../src/domain/heard-text.ts';
import { fold } from '../../../src/domain/fold.ts';
import type { WordData, Word } from './words.ts';

/** Words and suppressed text, in order. */
export interface Transcript {
  readonly words: readonly Word[];
  /** `after`: the number of words before it. */
  readonly suppressed: readonly (Omit<SuppressedText, 'at'> & { readonly after: number })[];
}

/** The transcript of a piece. */
export interface HeardPiece extends Transcript {
  /** Seconds shared with the previous piece. Absent if a silence separates them. */
  readonly overlap?: { readonly from: number; readonly to: number };
}

/** Seconds by which the times of a word may differ between two pieces. */
const tolerance = 0.6;
/** Faster than anybody speaks. */
const maxWordsPerSecond = 7;
/** Letters of a word that doesn't repeat by chance. */
const minDistinctLetters = 5;

/** Times of all pieces count from the same moment. */
export function joinPieces(pieces: readonly HeardPiece[]): Transcript {
  const words: Word[] = [];
  const left: HeardPiece['suppressed'][number][] = [];
  for (const piece of pieces) {
    const cut = piece.overlap ? findJoinPoint(words, piece.words, piece.overlap) : { keep: words.length, skip: 0 };
    words.length = cut.keep;
    const offset = words.length - cut.skip;
    for (const each of piece.suppressed) left.push({ ...each, after: Math.max(0, offset + each.after) });
    for (const word of piece.words.slice(cut.skip)) words.push(word);
  }
  return { words, suppressed: left };
}

/** How many words of the previous piece are kept, and how many of the next are skipped. */
interface JoinPoint {
  readonly keep: number;
  readonly skip: number;
}

const keyOf = ({ text }: Word): string => fold(text.normalize('NFC')).replace(/[^\p{L}\p{N}]/gu, '') || text;

/** When a word was said; `undefined` if unknown or known only for a group of words. */
const computeMiddle = (word: Word, neighbours: readonly (Word | undefined)[]): number | undefined =>
  word.data?.from === undefined || word.data.to === undefined || neighbours.some((each) => each?.data === word.data)
    ? undefined
    : (word.data.from + word.data.to) / 2;

const computeMiddles = (words: readonly Word[]): (number | undefined)[] =>
  words.map((word, at) => computeMiddle(word, [words[at - 1], words[at + 1]]));

/**
 * Both pieces contain the words of the overlap, and each may have damaged those at its own edge. The pieces are joined
 * at a common word, the nearest to the middle; without one, at the middle.
 */
function findJoinPoint(
  before: readonly Word[],
  after: readonly Word[],
  { from, to }: { from: number; to: number },
): JoinPoint {
  const maxWords = Math.ceil((to - from + 2 * tolerance) * maxWordsPerSecond);
  const tail = before.slice(-maxWords);
  const head = after.slice(0, maxWords);
  const [a, b] = [computeMiddles(tail), computeMiddles(head)];
  const middle = (from + to) / 2;
  const isTimed = a.some((time) => time !== undefined) && b.some((time) => time !== undefined);
  const offset = before.length - tail.length;
  const pair = isTimed ? matchByTime(tail, head, a, b, { from, to }) : matchByOrder(tail, head);
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

/** Finds the common word with about the same time that is nearest to the middle of the overlap. */
function matchByTime(
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
      // If a word is repeated, the times decide.
      const isNearer = !best || away + 4 * apart < best.away + 4 * best.apart;
      if (isNearer) best = { tail: i, head: j, apart, away };
    });
  });
  return best;
}

/**
 * Without times: finds the longest run of words that ends one piece and begins the other, ignoring up to one damaged
 * word at each edge.
 */
function matchByOrder(tail: readonly Word[], head: readonly Word[]): Pair | undefined {
  const [a, b] = [tail.map(keyOf), head.map(keyOf)];
  for (let length = Math.min(a.length, b.length); length > 0; length -= 1) {
    for (const spoiltEnd of [0, 1]) {
      for (const spoiltStart of [0, 1]) {
        const start = a.length - spoiltEnd - length;
        if (start < 0 || spoiltStart + length > b.length) continue;
        const shared = b.slice(spoiltStart, spoiltStart + length);
        const isSame = shared.every((key, at) => key === a[start + at]);
        // A single short word next to a damaged one may be a coincidence.
        const isSure = length > 1 || spoiltEnd + spoiltStart === 0 || shared.join('').length >= minDistinctLetters;
        if (isSame && isSure) {
          return { tail: start + length - 1, head: spoiltStart + length - 1 };
        }
      }
    }
  }
  return undefined;
}

/** The text of the words with their data and the suppressed text between them. */
export function toHeardText({ words, suppressed: left }: Transcript): HeardText {
  let text = '';
  let latest = 0;
  const heard: HeardWord[] = [];
  const places: number[] = [];
  let last: WordData | undefined;
  for (const { text: word, data: known } of words) {
    const start = text === '' ? 0 : text.length + 1;
    places.push(start);
    text += text === '' ? word : ` ${word}`;
    const previous = heard.at(-1);
    if (known && known === last && previous) heard[heard.length - 1] = { ...previous, end: text.length };
    else if (known) {
      const next = { start, end: text.length, ...clampTimes(known, latest) };
      heard.push(next);
      latest = next.from ?? latest;
    }
    last = known;
  }
  const otherReadings = words.flatMap(({ text: first, other }, at): OtherReading[] => {
    if (!other) return [];
    const lastAt = Math.min(at + other.words, words.length) - 1;
    const [last, from, to] = [words[lastAt], places[at], places[lastAt]];
    if (last === undefined || from === undefined || to === undefined) return [];
    // Punctuation stays.
    const start = from + findLetters(first).from;
    const end = to + findLetters(last.text).to;
    return [{ start, end: Math.max(start, end), text: other.text, doubt: other.doubt }];
  });
  const suppressed = left.map(({ after, ...each }): SuppressedText => ({ ...each, at: places[after] ?? text.length }));
  return {
    text,
    ...(heard.length > 0 && { words: heard }),
    ...(suppressed.length > 0 && { suppressed }),
    ...(otherReadings.length > 0 && { otherReadings }),
  };
}

/** The first and the last letter or digit of a word. */
function findLetters(word: string): { from: number; to: number } {
  const letters = [...word.matchAll(/[\p{L}\p{N}]/gu)];
  const [first, last] = [letters[0], letters.at(-1)];
  return { from: first?.index ?? 0, to: last ? last.index + last[0].length : word.length };
}

/** Times never decrease. */
const clampTimes = ({ from, to, ...rest }: WordData, latest: number): WordData => {
  if (from === undefined || to === undefined) return rest;
  const begun = Math.max(from, latest);
  return { from: begun, to: Math.max(begun, to), ...rest };
};
