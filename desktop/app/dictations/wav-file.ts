/** A dictation as a WAV file (RIFF, PCM 16 bits, mono), made while it is read, without a copy on disk. */
import { createHash } from 'node:crypto';
import { lengthOf, slice } from '../../../src/domain/dictation/timeline.ts';
import type { Segment } from '../../../src/domain/dictation/timeline.ts';
import { wavHead, wavHeadBytes } from '../../../src/domain/dictation/wav.ts';
import { bytesPerSample } from '../../bridge/sound.ts';
import type { FileRange } from '../service.ts';
import type { SoundReader } from './sealed-sound.ts';

/** Segments of an audio file, in playback order. */
export interface Sound {
  readonly reader: () => Promise<SoundReader>;
  readonly segments: readonly Segment[];
  /** Samples per second. */
  readonly rate: number;
}

export const wavBytes = ({ segments }: Pick<Sound, 'segments'>): number =>
  wavHeadBytes + lengthOf(segments) * bytesPerSample;

/** The bytes of the WAV file, or of a range of it with both ends included; none if the range starts after the end. */
export async function* readWav(sound: Sound, range?: FileRange): AsyncGenerator<Uint8Array, void, void> {
  const start = range?.start ?? 0;
  const end = Math.min((range?.end ?? Infinity) + 1, wavBytes(sound));
  if (start >= end) return;
  if (start < wavHeadBytes)
    yield wavHead({ rate: sound.rate, bytes: wavBytes(sound) - wavHeadBytes }).subarray(
      start,
      Math.min(end, wavHeadBytes),
    );
  const from = Math.max(0, start - wavHeadBytes);
  const length = end - wavHeadBytes - from;
  if (length <= 0) return;
  // A range may start and end within a sample.
  const skipped = from % bytesPerSample;
  const samples = slice(
    sound.segments,
    (from - skipped) / bytesPerSample,
    Math.ceil((length + skipped) / bytesPerSample),
  );
  let toSkip = skipped;
  let left = length;
  for await (const piece of readSamples(sound, samples)) {
    const wanted = piece.subarray(toSkip, toSkip + left);
    toSkip = 0;
    left -= wanted.length;
    yield wanted;
  }
}

/**
 * PCM in pieces of whole samples. Opens the file with the first piece; the file may be renamed or deleted afterwards.
 */
export async function* readSamples(
  sound: Pick<Sound, 'reader'>,
  segments: readonly Segment[],
): AsyncGenerator<Buffer, void, void> {
  const reader = await sound.reader();
  try {
    for (const { from, length } of segments)
      yield* reader.read(from * bytesPerSample, (from + length) * bytesPerSample);
  } finally {
    await reader.close();
  }
}

/** SHA-256 in hexadecimal digits. */
export async function hashPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash = createHash('sha256');
  for await (const piece of pieces) hash.update(piece);
  return hash.digest('hex');
}

/** Maximum amplitude (0 to 1) in each of `points` equal parts of the audio. */
export async function computePeaks(sound: Sound, points: number): Promise<number[]> {
  const samples = lengthOf(sound.segments);
  const peaks = Array.from({ length: points }, () => 0);
  let at = 0;
  for await (const piece of readSamples(sound, sound.segments)) {
    for (let offset = 0; offset < piece.length; offset += bytesPerSample, at++) {
      const point = Math.floor((at * points) / samples);
      const amplitude = Math.abs(piece.readInt16LE(offset));
      peaks[point] = Math.max(amplitude, peaks[point] ?? 0);
    }
  }
  return peaks.map((peak) => peak / 32_768);
}
