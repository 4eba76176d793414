/** Builds the body of a request, written once and in place: holding strings until the request leaves costs the most. */
import { maxBatchBytes } from '../contract/worklist.ts';
import { textEncoder } from '../files/worklist/web-standards.ts';

export interface Body {
  hasRoomFor(json: string): boolean;
  add(json: string): void;
  /** Returns the JSON array of the added items, in UTF-8, and begins the next body. */
  take(): Uint8Array;
}

const bracket = { open: 0x5b, close: 0x5d } as const;
const comma = 0x2c;
/** A UTF-16 unit takes three bytes at most. */
const maxBytes = (text: string): number => text.length * 3;

export function createBody(): Body {
  const encoder = textEncoder();
  let bytes = new Uint8Array(256 * 1024);
  let end = 1;
  bytes[0] = bracket.open;
  /** Whether so many bytes fit, with a comma before them and the bracket after them. */
  const fits = (size: number): boolean => end + size + 2 <= maxBatchBytes;
  return {
    hasRoomFor: (json) => fits(maxBytes(json)) || fits(encoder.encode(json).length),
    add(json) {
      const needed = end + maxBytes(json) + 2;
      if (needed > bytes.length) {
        const larger = new Uint8Array(Math.max(needed, bytes.length * 2));
        larger.set(bytes.subarray(0, end));
        bytes = larger;
      }
      if (end > 1) bytes[end++] = comma;
      end += encoder.encodeInto(json, bytes.subarray(end)).written;
    },
    take() {
      bytes[end++] = bracket.close;
      const body = bytes.slice(0, end);
      end = 1;
      return body;
    },
  };
}
