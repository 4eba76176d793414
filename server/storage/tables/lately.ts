/**
 * A cache of the last unpacked documents: callers read the same token or exam again and again. The bytes of a document never
 * change, so an unpacked document stays true to its bytes, whatever becomes of the table.
 */
export interface Lately<D> {
  /** The document that begins there, in the buffer with that number. */
  get(buffer: number, start: number): D | undefined;
  set(buffer: number, start: number, document: D): void;
}

/** The most documents in the cache of a collection: a few MB, where all are as large as may be. A power of two. */
const places = 256;

/** Each document has one place in the cache, and replaces any other document there. */
export function createLately<D>(): Lately<D> {
  const buffers = new Float64Array(places);
  const starts = new Float64Array(places);
  const documents: (D | undefined)[] = Array.from({ length: places }, () => undefined);
  const findPlace = (buffer: number, start: number): number => (buffer * 31 + (start >>> 4)) & (places - 1);

  return {
    get(buffer, start) {
      const place = findPlace(buffer, start);
      return buffers[place] === buffer && starts[place] === start ? documents[place] : undefined;
    },
    set(buffer, start, document) {
      const place = findPlace(buffer, start);
      buffers[place] = buffer;
      starts[place] = start;
      documents[place] = document;
    },
  };
}
