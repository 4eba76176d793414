/** Joins consecutive pieces: however small they are, they take at most twice the memory of their bytes. */

const minCapacity = 1024;

const nothing = Buffer.alloc(0);

export class ByteCollector {
  #bytes = nothing;
  #length = 0;

  get length(): number {
    return this.#length;
  }

  add(piece: Uint8Array): void {
    const length = this.#length + piece.length;
    if (length > this.#bytes.length) {
      const larger = Buffer.allocUnsafeSlow(Math.max(length, 2 * this.#bytes.length, minCapacity));
      larger.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = larger;
    }
    this.#bytes.set(piece, this.#length);
    this.#length = length;
  }

  /** All bytes so far; the collector is empty afterwards. */
  take(): Buffer {
    const all = this.#bytes.subarray(0, this.#length);
    this.#bytes = nothing;
    this.#length = 0;
    return all;
  }

  /** All bytes so far with a last piece, which is not copied if it is the only one; the collector is empty afterwards. */
  takeWith(last: Buffer): Buffer {
    if (this.#length === 0) return last;
    this.add(last);
    return this.take();
  }
}
