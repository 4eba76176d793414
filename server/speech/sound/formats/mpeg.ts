/** MPEG audio, layers I to III. */
import type { MPEGDecoder } from 'mpg123-decoder';
import { AppError } from '../../../../src/contract/errors.ts';
import { loadOptional } from '../../../../src/node/optional-packages.ts';
import { nameOf, viewOf } from './byte-reader.ts';
import { toPcm, slices, unsupported } from './pcm.ts';
import type { DecodeFormat } from './pcm.ts';

/** Bytes per decoder call: about a second of speech. */
const pieceBytes = 8 * 1024;
/** The length, if given, is within these bytes. */
const headBytes = 64 * 1024;

/** Loads the decoder from its own package, which users may replace with another build (docs/licences). */
export async function createMpeg(): Promise<MPEGDecoder> {
  const { MPEGDecoder: Decoder } = await loadOptional('sound', () => import('mpg123-decoder')).catch(
    (error: unknown) => {
      throw error instanceof AppError
        ? error
        : unsupported('MP3, whose decoder (the package mpg123-decoder) does not load on this computer');
    },
  );
  const decoder = new Decoder();
  await decoder.ready;
  return decoder;
}

export const decodeMpeg: DecodeFormat = async function* (read, onCut) {
  const decoder = await createMpeg();
  let head = new Uint8Array();
  let bytes = 0;
  try {
    for await (const piece of slices(read(), pieceBytes)) {
      if (bytes < headBytes) head = Buffer.concat([head, piece]);
      bytes += piece.length;
      yield* toPcm(decoder.decode(piece));
    }
    if (bytes < lengthIn(head)) onCut();
  } finally {
    decoder.free();
  }
};

/** The file size in bytes from the encoder's info frame (`Xing`, `Info`); 0 if unknown. */
function lengthIn(head: Uint8Array): number {
  const at = firstFrame(head);
  // It follows the frame header and side information, whose length depends on version and channels.
  const mark = [13, 21, 36]
    .map((offset) => at + offset)
    .find((place) => ['Xing', 'Info'].includes(nameOf(head.subarray(place, place + 4))));
  if (mark === undefined || mark + 16 > head.length) return 0;
  const flags = viewOf(head).getUint32(mark + 4);
  const isTold = (flags & 2) !== 0;
  return isTold ? at + viewOf(head).getUint32(mark + (flags & 1 ? 12 : 8)) : 0;
}

/** Offset of the first frame: after an ID3v2 tag, whose length has 7 bits per byte. */
const firstFrame = (head: Uint8Array): number =>
  nameOf(head.subarray(0, 3)) === 'ID3' ? 10 + head.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0) : 0;
