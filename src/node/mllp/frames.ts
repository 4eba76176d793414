/**
 * Finds the messages in the bytes of a connection (MLLP: HL7 v2.5.1 appendix C). A message begins at 0x0B and ends at 0x1C, to
 * which 0x0D belongs; neither byte is in a text of any character set of HL7. Reads may split and join messages anywhere.
 */

export type Found =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** A message whose end never came: the next one began. */
  | { readonly kind: 'cut_off' }
  /** A message larger than the limit: what follows cannot be told apart any more. `beginning` shows whose it was. */
  | { readonly kind: 'too_large'; readonly beginning: Buffer }
  /** More than a few bytes outside of messages: it is not MLLP. */
  | { readonly kind: 'stranger' };

const begins = 0x0b;
const ends = 0x1c;
/** Line ends between messages, and the odd byte of a sender's own, are let pass. */
const mostOutside = 1024;
const beginningBytes = 1024;

export class Frames {
  readonly #limit: number;
  #parts: Buffer[] = [];
  #size = 0;
  #isInside = false;
  #outside = 0;

  /** `limit`: bytes of the largest message. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether a message has begun and not ended. */
  get isOpen(): boolean {
    return this.#isInside;
  }

  /** After `too_large` and `stranger` there is nothing more to find. */
  *push(chunk: Buffer): Generator<Found> {
    let at = 0;
    while (at < chunk.length) {
      if (!this.#isInside) {
        const start = chunk.indexOf(begins, at);
        this.#outside += countOutside(chunk.subarray(at, start === -1 ? chunk.length : start));
        if (this.#outside > mostOutside) return yield { kind: 'stranger' };
        if (start === -1) return;
        at = start + 1;
        this.#begin();
        continue;
      }
      const end = chunk.indexOf(ends, at);
      const again = chunk.subarray(at, end === -1 ? chunk.length : end).lastIndexOf(begins);
      if (again !== -1) {
        yield { kind: 'cut_off' };
        this.#begin();
        at += again + 1;
      }
      const part = chunk.subarray(at, end === -1 ? chunk.length : end);
      if (this.#size + part.length > this.#limit) {
        return yield {
          kind: 'too_large',
          beginning: Buffer.concat([...this.#parts, part]).subarray(0, beginningBytes),
        };
      }
      this.#parts.push(part);
      this.#size += part.length;
      if (end === -1) return;
      yield { kind: 'message', bytes: Buffer.concat(this.#parts) };
      this.#isInside = false;
      this.#parts = [];
      at = end + 1;
    }
  }

  #begin(): void {
    this.#isInside = true;
    this.#parts = [];
    this.#size = 0;
    this.#outside = 0;
  }
}

/** Bytes but those of line ends. */
function countOutside(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte !== 0x0d && byte !== 0x0a) count++;
  return count;
}

export const framed = (message: Buffer): Buffer => Buffer.concat([Buffer.of(begins), message, Buffer.of(ends, 0x0d)]);
