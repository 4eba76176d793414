/** What audio is, told by its bytes: never by its name or by what the sender calls it. */
import { audioTypeNames } from '../../src/contract/document.ts';
import type { AudioType } from '../../src/contract/document.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';

/** What file-type answers → the type that the contract knows; what recorders call video holds sound alone, as a rule. */
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

/** As much as file-type looks at. */
const headBytes = 4100;

/** First bytes, and where they stand, of what may be one of those. */
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

/** Only what may be audio is looked at: readers of other formats unpack it, or look for long. */
async function audioTypeOf(head: Uint8Array): Promise<AudioType | undefined> {
  if (!mayBeAudio(head)) return undefined;
  const { fileTypeFromBuffer } = await import('file-type');
  const detected = await fileTypeFromBuffer(head).catch(() => undefined);
  return detected && typeOfDetected[detected.mime];
}

/**
 * Passes audio on once its first bytes show what it is. Rejects with UNSUPPORTED_MEDIA_TYPE where it is none of the
 * formats taken, before more than its head has come through, and with VALIDATION_FAILED where it is empty.
 */
export async function* recognised(
  source: AsyncIterable<Uint8Array>,
  tell: (type: AudioType) => void,
): AsyncGenerator<Uint8Array> {
  let head: Uint8Array[] | undefined = [];
  let length = 0;
  const recognise = async (bytes: Uint8Array): Promise<Uint8Array> => {
    if (bytes.length === 0) {
      throw validationFailed([{ field: 'audio', message: 'audio is empty', code: 'INVALID_VALUE' }]);
    }
    const type = await audioTypeOf(bytes.subarray(0, headBytes));
    if (!type) {
      throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
        message: 'The audio is in none of the formats taken.',
        details: { supported: audioTypeNames },
      });
    }
    tell(type);
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
      yield await recognise(gathered);
    }
  }
  if (head) yield await recognise(Buffer.concat(head));
}
