/** Bytes as streams, and streams in pieces of a length that a format or a service asks for. */

/** Bytes that are in memory. */
export async function* oneChunk<B extends Uint8Array>(content: B): AsyncGenerator<B, void> {
  yield content;
}

export interface CutPiece {
  readonly bytes: Buffer;
  readonly isLast: boolean;
}

/**
 * The source in pieces of `getLength()` bytes, asked for each; the last one may be shorter. There is always a last one, of no bytes if
 * the source is empty. A piece may share the memory of the source.
 */
export async function* cutPieces(
  source: AsyncIterable<Uint8Array>,
  getLength: () => number,
): AsyncGenerator<CutPiece, undefined> {
  let parts: Uint8Array[] = [];
  let held = 0;
  for await (const chunk of source) {
    parts.push(chunk);
    held += chunk.length;
    // A piece is known not to be the last one once something follows it.
    if (held <= getLength()) continue;
    let joined = Buffer.concat(parts);
    // Parts may be large: nothing else keeps them while a piece is used.
    parts = [];
    for (let length = getLength(); joined.length > length; length = getLength()) {
      yield { bytes: joined.subarray(0, length), isLast: false };
      joined = joined.subarray(length);
    }
    parts = [joined];
    held = joined.length;
  }
  yield { bytes: Buffer.concat(parts), isLast: true };
  return undefined;
}
