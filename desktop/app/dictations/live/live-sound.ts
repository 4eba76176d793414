/**
 * The audio of a stretch as the service accepts it, whatever the microphone's rate: always identical for the same file.
 */
import type { SpokenPiece } from '../../../../src/contract/spoken-piece.ts';
import { liveSampleRate } from '../../../../src/contract/transcription.ts';
import { wavHead, wavHeadBytes } from '../../../../src/domain/dictation/wav.ts';
import type { RecordedSound } from '../../../../src/client/events/live-dictation.ts';
import { decodeSamples, encodeSamples } from '../../../../src/domain/dictation/samples.ts';
import { createResampler } from '../../../../src/node/sound/resampler.ts';
import type { Resampler } from '../../../../src/node/sound/resampler.ts';
import { bytesPerSample } from '../../../bridge/sound.ts';
import type { LocalDictation } from '../local-dictation.ts';
import type { LiveStretch } from '../stored-dictation.ts';
import { readSamples } from '../wav-file.ts';
import { findElement } from '../../../../src/domain/elements.ts';

/** Audio is resampled and sent in steps of this many ms. */
const stepMs = 100;
/** Seconds that the resampler's filter may delay. */
const heldBack = 0.1;

type Reading = Pick<LocalDictation, 'sound' | 'stored'>;

/** Where a stretch ends in the file, in samples; `isOpen`: so far. */
interface End {
  readonly end: number;
  readonly isOpen: boolean;
}

export function liveSound(dictation: Reading, from: number, at: () => End): RecordedSound {
  const { sample_rate: rate } = dictation.stored;
  const ratio = liveSampleRate / rate;
  const step = Math.round((rate * stepMs) / 1000);
  let stream: Stream | undefined;
  const samples = (): number => {
    const { end, isOpen } = at();
    if (!isOpen) return Math.round((end - from) * ratio);
    const whole = Math.floor((end - from) / step) * step;
    return Math.max(0, Math.floor((whole - (ratio === 1 ? 0 : rate * heldBack)) * ratio));
  };
  return {
    get size() {
      return samples() * bytesPerSample;
    },
    async read(start, to) {
      if (ratio === 1) return readFile(dictation, from + start / bytesPerSample, (to - start) / bytesPerSample);
      // Earlier audio needs a new resampler: its output depends on all of the audio.
      if (!stream || start < stream.from) {
        stream?.free();
        stream = openStream(dictation, from, step, await createResampler(rate, liveSampleRate));
      }
      return stream.read(start, to, at);
    },
  };
}

interface Stream {
  /** Bytes before this one were discarded. */
  readonly from: number;
  read(start: number, to: number, at: () => End): Promise<Buffer>;
  free(): void;
}

function openStream(dictation: Reading, first: number, step: number, resampler: Resampler): Stream {
  let from = 0;
  let kept = Buffer.alloc(0);
  let taken = first;
  let isOver = false;
  const forget = (before: number): void => {
    const gone = Math.min(kept.length, before - from);
    kept = kept.subarray(gone);
    from += gone;
  };
  return {
    get from() {
      return from;
    },
    async read(start, to, at) {
      forget(start);
      while (from + kept.length < to && !isOver) {
        const { end, isOpen } = at();
        const length = Math.min(step, end - taken);
        if (length < step && isOpen) break;
        const sound =
          length > 0 ? resampler.resample(decodeSamples(await readFile(dictation, taken, length))) : resampler.flush();
        isOver = length <= 0;
        taken += Math.max(0, length);
        kept = Buffer.concat([kept, encodeSamples(sound)]);
        forget(start);
      }
      return kept.subarray(0, to - start);
    },
    free: () => resampler.free(),
  };
}

async function readFile(dictation: Reading, from: number, length: number): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of readSamples(dictation.sound(), [{ from, length }])) pieces.push(piece);
  return Buffer.concat(pieces);
}

/** Bytes per read. */
const mouthful = 65_536;

/** The WAV file that the service makes of the pieces of `stretches`. */
export function heardWav(
  dictation: Reading,
  pieces: readonly SpokenPiece[],
  stretches: readonly LiveStretch[],
): { readonly bytes: number; read(): AsyncGenerator<Uint8Array, void, void> } {
  const ended = stretches.flatMap(({ to, ...stretch }) => (to === null ? [] : [{ ...stretch, to }]));
  const ranges = pieces.map(({ id, start = 0, end }) => {
    const { from, to } = findElement(ended, (each) => each.id === id);
    const sound = liveSound(dictation, from, () => ({ end: to, isOpen: false }));
    const bytesAt = (seconds: number): number =>
      Math.min(sound.size, Math.round(seconds * liveSampleRate) * bytesPerSample);
    return { sound, from: bytesAt(start), to: end === undefined ? sound.size : bytesAt(end) };
  });
  const bytes = ranges.reduce((sum, { from, to }) => sum + to - from, 0);
  return {
    bytes: wavHeadBytes + bytes,
    async *read() {
      yield wavHead({ rate: liveSampleRate, bytes });
      for (const { sound, from, to } of ranges)
        for (let at = from; at < to; at += mouthful) yield await sound.read(at, Math.min(to, at + mouthful));
    },
  };
}
