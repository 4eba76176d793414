/** Reads a byte stream by length. */

export interface ByteReader {
  /** Bytes read so far. */
  readonly position: number;
  /** The next `length` bytes; `undefined` if the stream ends first. */
  take(length: number): Promise<Uint8Array | undefined>;
  /** The next available bytes, from one to `max`; `undefined` at the end of the stream. */
  some(max: number): Promise<Uint8Array | undefined>;
  /** Skips bytes; `false` if the stream ends first. */
  skip(length: number): Promise<boolean>;
}

export function byteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const pieces = source[Symbol.asyncIterator]();
  let rest: Uint8Array = new Uint8Array();
  let position = 0;
  const some = async (max: number): Promise<Uint8Array | undefined> => {
    while (rest.length === 0) {
      const next = await pieces.next();
      if (next.done) return undefined;
      rest = next.value;
    }
    const taken = rest.subarray(0, max);
    rest = rest.subarray(taken.length);
    position += taken.length;
    return taken;
  };
  return {
    get position() {
      return position;
    },
    some,
    async take(length) {
      if (length <= rest.length) return length === 0 ? new Uint8Array() : some(length);
      const taken: Uint8Array[] = [];
      for (let missing = length; missing > 0;) {
        const piece = await some(missing);
        if (!piece) return undefined;
        taken.push(piece);
        missing -= piece.length;
      }
      return Buffer.concat(taken);
    },
    async skip(length) {
      for (let missing = length; missing > 0;) {
        const piece = await some(missing);
        if (!piece) return false;
        missing -= piece.length;
      }
      return true;
    },
  };
}

export const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** Decodes Latin-1: the names of chunks and boxes. */
export const nameOf = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1');
