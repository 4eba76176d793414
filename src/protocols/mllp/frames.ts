/**
 * Finds the messages in the bytes of a connection (MLLP: HL7 v2.5.1 appendix C). A message begins at 0x0B and ends at
 * 0x1C 0x0D; neither byte occurs in a text of any character set of HL7. Reads may split and join messages anywhere.
 */
import { ByteCollector } from '../../node/byte-collector.ts';

export type FrameEvent =
  | { readonly kind: 'message'; readonly bytes: Buffer }
  /** A message without an end: the next one began. */
  | { readonly kind: 'cut_off' }
  /** A message larger than the limit: the boundaries after it are unknown. `beginning` shows its sender. */
  | { readonly kind: 'too_large'; readonly beginning: Buffer }
  /** More than a few bytes outside messages: it is not MLLP. */
  | { readonly kind: 'stranger' };

const begins = 0x0b;
const ends = 0x1c;
/** Line ends between messages, and some stray bytes of a sender, are ignored. */
const maxOutside = 1024;
const beginningBytes = 1024;

export class Frames {
  readonly #limit: number;
  readonly #message = new ByteCollector();
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

  /** After `too_large` and `stranger` nothing more can be found. */
  *push(chunk: Buffer): Generator<FrameEvent> {
    let at = 0;
    while (at < chunk.length) {
      if (!this.#isInside) {
        const start = chunk.indexOf(begins, at);
        this.#outside += countOutside(chunk.subarray(at, start === -1 ? chunk.length : start));
        if (this.#outside > maxOutside) return yield { kind: 'stranger' };
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
      if (this.#message.length + part.length > this.#limit) {
        const beginning = this.#message.takeWith(part.subarray(0, beginningBytes));
        return yield { kind: 'too_large', beginning: beginning.subarray(0, beginningBytes) };
      }
      if (end === -1) return this.#message.add(part);
      yield { kind: 'message', bytes: this.#message.takeWith(part) };
      this.#isInside = false;
      at = end + 1;
    }
  }

  #begin(): void {
    this.#isInside = true;
    this.#message.take();
    this.#outside = 0;
  }
}

/** Counts bytes other than line ends. */
function countOutside(bytes: Buffer): number {
  let count = 0;
  for (const byte of bytes) if (byte !== 0x0d && byte !== 0x0a) count++;
  return count;
}

export function framed(message: Buffer): Buffer {
  const bytes = Buffer.allocUnsafe(message.length + 3);
  bytes[0] = begins;
  bytes.set(message, 1);
  bytes[message.length + 1] = ends;
  bytes[message.length + 2] = 0x0d;
  return bytes;
}
