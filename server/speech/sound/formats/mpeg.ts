/** MPEG audio, layers I to III. */
import type { MPEGDecoder } from 'mpg123-decoder';
import { nameOf, viewOf } from './byte-reader.ts';
import { pieceOf, slices, unsupported } from './pcm.ts';
import type { DecodeFormat } from './pcm.ts';

/** Bytes that the decoder gets at once: about a second of speech. */
const pieceBytes = 8 * 1024;
/** Bytes at the beginning in which the length stands, where it does. */
const headBytes = 64 * 1024;

/** The decoder, from its package's own folder: whoever likes may have put another build of it there (docs/licences). */
export async function createMpeg(): Promise<MPEGDecoder> {
  const { MPEGDecoder: Decoder } = await import('mpg123-decoder').catch(() => {
    throw unsupported('MP3, whose decoder (the package mpg123-decoder) does not load on this computer');
  });
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
      yield* pieceOf(decoder.decode(piece));
    }
    if (bytes < lengthIn(head)) onCut();
  } finally {
    decoder.free();
  }
};

/** Bytes of the file, by the frame before the sound in which encoders tell of the others (`Xing`, `Info`); 0: unknown. */
function lengthIn(head: Uint8Array): number {
  const at = firstFrame(head);
  // Behind the head of the frame and its side information, whose length depends on version and channels.
  const mark = [13, 21, 36]
    .map((offset) => at + offset)
    .find((place) => ['Xing', 'Info'].includes(nameOf(head.subarray(place, place + 4))));
  if (mark === undefined || mark + 16 > head.length) return 0;
  const flags = viewOf(head).getUint32(mark + 4);
  const isTold = (flags & 2) !== 0;
  return isTold ? at + viewOf(head).getUint32(mark + (flags & 1 ? 12 : 8)) : 0;
}

/** Where the first frame begins: behind a tag ID3v2, whose length has 7 bits a byte. */
const firstFrame = (head: Uint8Array): number =>
  nameOf(head.subarray(0, 3)) === 'ID3' ? 10 + head.subarray(6, 10).reduce((sum, byte) => sum * 128 + byte, 0) : 0;
