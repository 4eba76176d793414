/** Detects the type of audio by its bytes, not by its name or declared type. */
import { audioTypeNames } from '../../src/contract/document.ts';
import type { AudioType } from '../../src/contract/document.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';

/** Types of file-type → types of the contract. Audio recordings are often detected as video. */
const typeOfDetected: Readonly<Record<string, AudioType>> = {
  'audio/wav': 'audio/wav',
  'video/webm': 'audio/webm',
  'audio/webm': 'audio/webm',
  'audio/ogg': 'audio/ogg',
  'audio/ogg; codecs=opus': 'audio/ogg',
  'audio/mpeg': 'audio/mpeg',
  'audio/mp4': 'audio/mp4',
  'audio/x-m4a': 'audio/mp4',
  'video/mp4': 'audio/mp4',
  'audio/flac': 'audio/flac',
};

/** The number of bytes that file-type reads. */
const headBytes = 4100;

/** Signatures of the supported types, with their offsets. */
const signatures: readonly { readonly at: number; readonly bytes: readonly number[] }[] = [
  { at: 0, bytes: [...Buffer.from('RIFF')] },
  { at: 0, bytes: [0x1a, 0x45, 0xdf, 0xa3] },
  { at: 0, bytes: [...Buffer.from('OggS')] },
  { at: 0, bytes: [...Buffer.from('fLaC')] },
  { at: 0, bytes: [...Buffer.from('ID3')] },
  { at: 0, bytes: [0xff] },
  { at: 4, bytes: [...Buffer.from('ftyp')] },
];

const mayBeAudio = (head: Uint8Array): boolean =>
  signatures.some(({ at, bytes }) => bytes.every((byte, index) => head[at + index] === byte));

/** Detects the type, but only of bytes that may be audio: file-type's other parsers unpack files or are slow. */
async function detectAudioType(head: Uint8Array): Promise<AudioType | undefined> {
  if (!mayBeAudio(head)) return undefined;
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = await fileTypeFromBuffer(head).catch(() => undefined);
  return detected && typeOfDetected[detected.mime];
}

/**
 * Passes audio on after reporting its type to `onType`. Rejects with UNSUPPORTED_MEDIA_TYPE before any byte is passed
 * on, and with VALIDATION_FAILED if the audio is empty.
 */
export async function* withDetectedType(
  source: AsyncIterable<Uint8Array>,
  onType: (type: AudioType) => void,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array[] | undefined = [];
  let length = 0;
  const detect = async (bytes: Uint8Array): Promise<Uint8Array> => {
    if (bytes.length === 0) {
      throw validationFailed([{ field: 'audio', message: 'audio is empty', code: 'INVALID_VALUE' }]);
    }
    const type = await detectAudioType(bytes.subarray(0, headBytes));
    if (!type) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
        message: 'The format of the audio is not supported.',
        details: { supported: audioTypeNames },
      });
    }
    onType(type);
    return bytes;
  };
  for await (const bytes of source) {
    if (!head) {
      yield bytes;
      continue;
    }
    head.push(bytes);
    length += bytes.length;
    if (length >= headBytes) {
      const gathered = Buffer.concat(head);
      head = undefined;
      yield await detect(gathered);
    }
  }
  if (head) yield await detect(Buffer.concat(head));
}
