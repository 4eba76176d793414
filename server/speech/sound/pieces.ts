/**
 * Cuts audio into pieces at silences, if there are any; long silences are dropped. Works as a stream and holds only the
 * current piece.
 */
import type { SoundSpan } from '../../../src/domain/heard-text.ts';
import { createVoiceDetector, frameSamples, frameSeconds } from './voice.ts';
import type { Frame } from './voice.ts';
import { soundRate } from './samples.ts';

export interface SoundPiece {
  readonly samples: Float32Array;
  /** Origin of its parts, in order. */
  readonly parts: readonly Part[];
  /** Seconds with a voice. */
  readonly voiced: number;
  /** Spans with a voice, in seconds of the piece. */
  readonly voices: readonly SoundSpan[];
  /** Seconds shared with the previous piece, if there was no silence to cut at. */
  readonly overlap?: { readonly from: number; readonly to: number };
  /** The second of the audio up to which it was cut: later pieces need nothing before it, unless speech goes on. */
  readonly until: number;
  /** Speech goes on at its end: the next piece begins with an overlap. */
  readonly continues?: true;
  /** Only on the last piece: the audio ends within a word, without fading or silence. */
  readonly breaksOff?: true;
}

/** Second `at` of the piece is second `from` of the audio. */
interface Part {
  readonly at: number;
  readonly from: number;
}

/** Frames kept on both sides of a voice, because words begin and end quietly. */
const padding = toFrames(0.3);
/** Silence that ends a piece of sufficient length. */
const pause = toFrames(0.5);
const shortPause = toFrames(0.2);
/** Shorter voice is a click. */
const shortestVoice = 0.08;
/** Frames around a cut that must be silent: a gap between syllables is no silence. */
const around = 5;
/** Seconds of the shortest piece that is cut without a silence. */
const shortestPiece = 4;
/** Overlap on each side of a cut through speech. */
const overlapFrames = toFrames(1);

function toFrames(seconds: number): number {
  return Math.round(seconds / frameSeconds);
}

interface NumberedFrame extends Frame {
  /** Index of the frame in the audio. */
  readonly number: number;
}

/** How sound is cut while it is spoken. */
export interface LiveCutting {
  /** Whether a piece of these seconds ends before its time, after so many seconds of silence. */
  readonly ends: (seconds: number, silence: number) => boolean;
  /** Called after each frame while a piece is open. `look`, to be called at once, creates the piece as it is. */
  readonly onGrown: (seconds: number, look: () => SoundPiece | undefined) => void;
}

/** Yields pieces of at most `seconds()`, which may shrink meanwhile. Audio without a voice yields none. */
export async function* cutPieces(
  sound: AsyncIterable<Float32Array> | Iterable<Float32Array>,
  seconds: () => number,
  live?: LiveCutting,
): AsyncGenerator<SoundPiece> {
  /** The silence before a voice; only its end is kept. */
  let lead: NumberedFrame[] = [];
  let held: NumberedFrame[] = [];
  /** Frames since the last voice. */
  let quiet = 0;
  let overlap: SoundPiece['overlap'];
  const take = (frames: NumberedFrame[], until?: number): SoundPiece | undefined => {
    const piece = createPiece(frames, overlap);
    overlap = undefined;
    return piece && { ...piece, until: until ?? piece.until };
  };
  let end = 0;
  for await (const frame of splitFrames(sound)) {
    const maxFrames = toFrames(Math.max(shortestPiece, seconds()));
    end = secondOf(frame) + frame.samples.length / soundRate;
    quiet = frame.isVoice ? 0 : quiet + 1;
    if (quiet > padding) {
      lead.push(frame);
      if (lead.length > padding) lead.shift();
    } else if (frame.isVoice || held.length > 0) {
      if (frame.isVoice && lead.length > 0) held.push(...lead);
      lead = [];
      held.push(frame);
    } else {
      lead.push(frame);
      if (lead.length > padding) lead.shift();
    }
    const isEnough =
      (held.length >= maxFrames * 0.6 && quiet >= pause) ||
      (held.length >= maxFrames * 0.85 && quiet >= shortPause) ||
      (held.length > 0 && live?.ends(held.length * frameSeconds, quiet * frameSeconds) === true);
    if (isEnough) {
      const piece = take(held, lead[0] && secondOf(lead[0]));
      held = [];
      if (piece) yield piece;
    } else if (held.length >= maxFrames) {
      const at = findQuietest(held);
      const isSilence = held.slice(at - around, at + around + 1).every(({ isVoice }) => !isVoice);
      const [end, next] = isSilence ? [at, at] : [Math.min(held.length, at + overlapFrames), at - overlapFrames];
      const piece = take(held.slice(0, end));
      if (!isSilence) overlap = findSpan(held.slice(next, end));
      held = held.slice(next);
      if (piece) yield isSilence ? piece : { ...piece, continues: true };
    } else if (live && held.length > 0) {
      live.onGrown(held.length * frameSeconds, () => createPiece(held, overlap));
    }
  }
  const piece = take(held, end);
  if (piece) yield breaksOff(held) ? { ...piece, breaksOff: true } : piece;
}

/** Frames of silence that an encoder may append. */
const maxPadding = 3;
/** Words fade, truncated audio doesn't: the last frames of voice, and the decibels within which they stay. */
const endFrames = 5;
const maxFadeDb = 3;

function breaksOff(held: readonly NumberedFrame[]): boolean {
  const whole = held.filter(({ samples }) => samples.length === frameSamples);
  const end = whole.findLastIndex(({ isVoice }) => isVoice) + 1;
  if (whole.length - end > maxPadding) return false;
  const ending = whole.slice(Math.max(0, end - endFrames), end);
  const last = ending.at(-1);
  if (!last || ending.length < endFrames || !ending.every(({ isVoice }) => isVoice)) return false;
  return last.level > Math.max(...ending.map(({ level }) => level)) - maxFadeDb;
}

const secondOf = ({ number }: NumberedFrame): number => number * frameSeconds;

/** Seconds of the audio that consecutive frames cover. */
function findSpan(frames: readonly NumberedFrame[]): SoundSpan | undefined {
  const [first, last] = [frames[0], frames.at(-1)];
  return first && last && { from: secondOf(first), to: secondOf(last) + frameSeconds };
}

/** Index of the quietest moment in the last quarter. */
function findQuietest(frames: readonly NumberedFrame[]): number {
  const first = Math.floor(frames.length * 0.75);
  const last = frames.length - overlapFrames - 1;
  let best = { at: first, level: Infinity };
  for (let at = first; at <= last; at += 1) {
    let level = 0;
    for (let near = at - around; near <= at + around; near += 1) level += frames[near]?.level ?? 0;
    if (level < best.level) best = { at, level };
  }
  return best.at;
}

function createPiece(frames: readonly NumberedFrame[], overlap: SoundPiece['overlap']): SoundPiece | undefined {
  const voiced = frames.filter(({ isVoice }) => isVoice).length * frameSeconds;
  if (voiced < shortestVoice) return undefined;
  const samples = new Float32Array(frames.reduce((sum, frame) => sum + frame.samples.length, 0));
  const parts: Part[] = [];
  const voices: { from: number; to: number }[] = [];
  let filled = 0;
  frames.forEach((frame, at) => {
    if (frame.isVoice) {
      const from = filled / soundRate;
      const last = voices.at(-1);
      if (last && frames[at - 1]?.isVoice) last.to = from + frameSeconds;
      else voices.push({ from, to: from + frameSeconds });
    }
    if (frames[at - 1]?.number !== frame.number - 1) parts.push({ at: filled / soundRate, from: secondOf(frame) });
    samples.set(frame.samples, filled);
    filled += frame.samples.length;
  });
  const last = frames.at(-1);
  const until = last ? secondOf(last) + last.samples.length / soundRate : 0;
  return { samples, parts, voiced, voices, until, ...(overlap && { overlap }) };
}

/** Splits audio into frames. */
async function* splitFrames(
  sound: AsyncIterable<Float32Array> | Iterable<Float32Array>,
): AsyncGenerator<NumberedFrame> {
  const classify = createVoiceDetector();
  let number = 0;
  let rest = new Float32Array(0);
  for await (const samples of sound) {
    let at = 0;
    if (rest.length > 0) {
      const joined = new Float32Array(Math.min(frameSamples, rest.length + samples.length));
      joined.set(rest);
      at = joined.length - rest.length;
      joined.set(samples.subarray(0, at), rest.length);
      rest = joined;
      if (rest.length < frameSamples) continue;
      yield { ...classify(rest), number: number++ };
    }
    for (; at + frameSamples <= samples.length; at += frameSamples) {
      yield { ...classify(samples.slice(at, at + frameSamples)), number: number++ };
    }
    rest = samples.slice(at);
  }
  if (rest.length > 0) yield { ...classify(rest), number };
}

/** Converts second `at` of the piece to a second of the audio. */
export function originalTime({ parts }: Pick<SoundPiece, 'parts'>, at: number): number {
  const index = Math.max(
    0,
    parts.findLastIndex((part) => part.at <= at),
  );
  const part = parts[index];
  if (!part) return at;
  const next = parts[index + 1];
  // A word that ends after a part must not reach into the dropped silence.
  return part.from + Math.min(at, next?.at ?? Infinity) - part.at;
}

/** Pieces in a row without overlaps, as one. */
export function mergePieces(pieces: readonly SoundPiece[]): SoundPiece {
  const samples = new Float32Array(pieces.reduce((sum, piece) => sum + piece.samples.length, 0));
  const parts: Part[] = [];
  const voices: SoundSpan[] = [];
  let [filled, voiced] = [0, 0];
  for (const piece of pieces) {
    const by = filled / soundRate;
    samples.set(piece.samples, filled);
    filled += piece.samples.length;
    voiced += piece.voiced;
    parts.push(...piece.parts.map(({ at, from }) => ({ at: at + by, from })));
    voices.push(...piece.voices.map(({ from, to }) => ({ from: from + by, to: to + by })));
  }
  return { samples, parts, voiced, voices, until: pieces.at(-1)?.until ?? 0 };
}
