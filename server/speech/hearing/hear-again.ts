/** Hears speech without words once more, each stretch alone and cut elsewhere: models leave out what follows a pause. */
import type { SoundSpan } from '../../../src/domain/heard-text.ts';
import { fold } from '../../../src/domain/fold.ts';
import { cutPieces, originalTime } from '../sound/pieces.ts';
import type { SoundPiece } from '../sound/pieces.ts';
import { soundRate } from '../sound/samples.ts';
import { joinPieces } from './join-pieces.ts';
import type { HeardPiece, Transcript } from './join-pieces.ts';
import { moveTimes } from './transcripts.ts';
import { findHoles } from './unheard-speech.ts';
import type { Word } from './words.ts';

/** Sound that an engine hears at once. */
export type Stretch = Pick<SoundPiece, 'samples' | 'voiced'>;
/** Times count from the beginning of the stretch. */
export type HearStretch = (stretch: Stretch) => Promise<Transcript>;

/** The most stretches of a piece that are heard again. */
const maxStretches = 6;
/** Seconds of sound before and after a stretch. */
const margin = 0.4;
/** A stretch of more than this share of its piece is cut: the same sound would have the same answer. */
const maxShare = 0.6;

/** The transcript with the words that are found in speech without words. */
export async function fillHoles(piece: SoundPiece, heard: Transcript, hear: HearStretch): Promise<Transcript> {
  const seconds = piece.samples.length / soundRate;
  const holes = findHoles(piece.voices, heard, seconds).slice(0, maxStretches);
  let filled = heard;
  for (const hole of holes) filled = insertWords(filled, hole, await hearSpan(piece, hole, hear));
  return filled;
}

/** Hears a span of the piece alone, its cuts one after the other or at once; times are those of the piece. */
export async function hearSpan(
  { samples }: Pick<SoundPiece, 'samples'>,
  span: SoundSpan,
  hear: HearStretch,
): Promise<Transcript> {
  const seconds = samples.length / soundRate;
  const from = Math.max(0, span.from - margin);
  const part = samples.subarray(Math.floor(from * soundRate), Math.ceil((span.to + margin) * soundRate));
  const length = part.length / soundRate;
  const toPiece = (at: number): number => Math.min(seconds, from + at);
  if (length < maxShare * seconds) {
    return moveTimes(await hear({ samples: part, voiced: span.to - span.from }), toPiece);
  }
  const pieces: HeardPiece[] = [];
  for await (const cut of cutPieces([part], () => maxShare * length)) {
    const words = await hear(cut);
    pieces.push({
      ...moveTimes(words, (at) => originalTime(cut, at)),
      ...(cut.overlap && { overlap: cut.overlap }),
    });
  }
  return moveTimes(joinPieces(pieces), toPiece);
}

/** Seconds by which words of the stretch may lie outside it. */
const tolerance = 0.3;

const toKey = (word: Word | undefined): string =>
  fold(word?.text.normalize('NFC') ?? '').replace(/[^\p{L}\p{N}]/gu, '');

/** Inserts words of the hole at their time, without those that are its neighbours. */
function insertWords({ words, suppressed }: Transcript, hole: SoundSpan, found: Transcript): Transcript {
  const later = words.findIndex(({ data }) => data?.from !== undefined && data.from >= hole.from);
  const at = later < 0 ? words.length : later;
  const isInside = ({ data }: Word): boolean => {
    if (data?.from === undefined || data.to === undefined) return true;
    const middle = (data.from + data.to) / 2;
    return middle >= hole.from - tolerance && middle <= hole.to + tolerance;
  };
  const inside = found.words.filter(isInside);
  while (inside.length > 0 && toKey(inside[0]) === toKey(words[at - 1])) inside.shift();
  while (inside.length > 0 && toKey(inside.at(-1)) === toKey(words[at])) inside.pop();
  return {
    words: [...words.slice(0, at), ...inside, ...words.slice(at)],
    suppressed: suppressed.map((each) => (each.after > at ? { ...each, after: each.after + inside.length } : each)),
  };
}
