/** MPEG audio, layers I to III. */
import { MPEGDecoder } from 'mpg123-decoder';
import { pieceOf, slices } from './pcm.ts';
import type { DecodeFormat } from './pcm.ts';

/** Bytes that the decoder gets at once: about a second of speech. */
const pieceBytes = 8 * 1024;

export const decodeMpeg: DecodeFormat = async function* (read) {
  const decoder = new MPEGDecoder();
  await decoder.ready;
  try {
    for await (const bytes of slices(read(), pieceBytes)) yield* pieceOf(decoder.decode(bytes));
  } finally {
    decoder.free();
  }
};
