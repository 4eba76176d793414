/** Input and output of a format's decoder. */
import { AppError, validationFailed } from '../../../../src/contract/errors.ts';

/** Decoded audio. All channels have the same number of samples, from -1 to 1. */
export interface Pcm {
  readonly channels: readonly Float32Array[];
  /** Samples per second and channel. */
  readonly rate: number;
}

/** Each call reads the file from the beginning. */
export type ReadBytes = () => AsyncIterable<Uint8Array>;

/**
 * Decodes a file piece by piece with constant memory. Truncated files are decoded as far as they go; `onCut` is called
 * if the file is known to be truncated. Throws `unreadable` or `unsupported`.
 */
export type DecodeFormat = (read: ReadBytes, onCut: () => void) => AsyncIterable<Pcm>;

/** The file is damaged. `what` completes the sentence "The audio cannot be decoded: …". */
export const unreadable = (what: string): AppError =>
  validationFailed(
    [{ field: 'audio', message: `the audio cannot be decoded: ${what}`, code: 'INVALID_VALUE' }],
    `The audio cannot be decoded: ${what}. Play it to see whether the file is whole, or record it again.`,
  );

/** The file is valid, but no decoder supports its content. */
export const unsupported = (what: string, hint = 'Convert the audio to FLAC, WAV, or Opus in Ogg or WebM.'): AppError =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: `The audio holds ${what}, which this server cannot decode.`,
    hint,
  });

const rates = { min: 1000, max: 768_000 };
export const maxChannels = 32;

/** Throws `unreadable` for values that no recorder produces. */
export function checkLayout(rate: number, channels: number): void {
  if (!(rate >= rates.min && rate <= rates.max)) throw unreadable(`its sampling rate is ${rate} Hz`);
  if (!(channels >= 1 && channels <= maxChannels)) throw unreadable(`it has ${channels} channels`);
}

/** The result of decoder packages; `samplesDecoded` is 0 if no frame was complete. */
interface DecodedAudio {
  readonly channelData: readonly Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

/** Converts the result; yields nothing if it is empty. */
export function* toPcm({ channelData, samplesDecoded, sampleRate }: DecodedAudio): Generator<Pcm> {
  if (samplesDecoded === 0 || channelData.length === 0) return;
  checkLayout(sampleRate, channelData.length);
  yield { channels: channelData.map((samples) => samples.subarray(0, samplesDecoded)), rate: sampleRate };
}

/** Splits into pieces of at most `max` bytes, so that each decoder call yields little. */
export async function* slices(bytes: AsyncIterable<Uint8Array>, max: number): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at += max) yield piece.subarray(at, at + max);
  }
}
