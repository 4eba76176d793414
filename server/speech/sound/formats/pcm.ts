/** What a format's decoder takes and gives. */
import { AppError, validationFailed } from '../../../../src/contract/errors.ts';

/** A piece of sound. Each channel has the same number of samples, from -1 to 1. */
export interface Pcm {
  readonly channels: readonly Float32Array[];
  /** Samples of each channel in a second. */
  readonly rate: number;
}

/** Each call reads the file from its first byte. */
export type ReadBytes = () => AsyncIterable<Uint8Array>;

/**
 * Decodes a file piece by piece, with memory that does not grow with the file. Sound that is cut off ends where it is cut, and
 * `onCut` is called where the file shows that it was longer. Throws `unreadable` or `unsupported`.
 */
export type DecodeFormat = (read: ReadBytes, onCut: () => void) => AsyncIterable<Pcm>;

/** The file is not what its first bytes promise. `what` completes the sentence "The audio cannot be decoded: …". */
export const unreadable = (what: string): AppError =>
  validationFailed(
    [{ field: 'audio', message: `the audio cannot be decoded: ${what}`, code: 'INVALID_VALUE' }],
    `The audio cannot be decoded: ${what}. Play it to see whether the file is whole, or record it again.`,
  );

/** The file is in order, and holds what no decoder here reads. */
export const unsupported = (what: string, hint = 'Convert the audio to FLAC, WAV, or Opus in Ogg or WebM.'): AppError =>
  new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: `The audio holds ${what}, which this server cannot decode.`,
    hint,
  });

const rates = { least: 1000, most: 768_000 };
export const mostChannels = 32;

/** Throws `unreadable` where no recorder makes such sound. */
export function checkLayout(rate: number, channels: number): void {
  if (!(rate >= rates.least && rate <= rates.most)) throw unreadable(`its sampling rate is ${rate} Hz`);
  if (!(channels >= 1 && channels <= mostChannels)) throw unreadable(`it has ${channels} channels`);
}

/** What decoders of packages return; `samplesDecoded` is 0 where the bytes completed no frame. */
interface Decoded {
  readonly channelData: readonly Float32Array[];
  readonly samplesDecoded: number;
  readonly sampleRate: number;
}

/** The sound that a package decoded; nothing where there is none. */
export function* pieceOf({ channelData, samplesDecoded, sampleRate }: Decoded): Generator<Pcm> {
  if (samplesDecoded === 0 || channelData.length === 0) return;
  checkLayout(sampleRate, channelData.length);
  yield { channels: channelData.map((samples) => samples.subarray(0, samplesDecoded)), rate: sampleRate };
}

/** The bytes in pieces of at most `most`, so that one step of a decoder yields little. */
export async function* slices(bytes: AsyncIterable<Uint8Array>, most: number): AsyncGenerator<Uint8Array> {
  for await (const piece of bytes) {
    for (let at = 0; at < piece.length; at += most) yield piece.subarray(at, at + most);
  }
}
