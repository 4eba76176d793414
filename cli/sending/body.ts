/** The body of a request, written once and in place: strings that are kept until a request goes cost more than all else. */
import { maxBatchBytes } from '../../src/contract/worklist.ts';

export interface Body {
  hasRoomFor(json: string): boolean;
  add(json: string): void;
  /** The JSON array of what was added; begins the next one. */
  take(): Uint8Array;
}

const bracket = { open: 0x5b, close: 0x5d } as const;
const comma = 0x2c;

export function createBody(): Body {
  let bytes = Buffer.allocUnsafe(256 * 1024);
  let end = 1;
  bytes[0] = bracket.open;
  return {
    // A comma before it and the bracket after it.
    hasRoomFor: (json) => end + Buffer.byteLength(json) + 2 <= maxBatchBytes,
    add(json) {
      // A UTF-16 unit takes three bytes at most.
      const needed = end + json.length * 3 + 2;
      if (needed > bytes.length) {
        const larger = Buffer.allocUnsafe(Math.max(needed, bytes.length * 2));
        bytes.copy(larger, 0, 0, end);
        bytes = larger;
      }
      if (end > 1) bytes[end++] = comma;
      end += bytes.write(json, end);
    },
    take() {
      bytes[end++] = bracket.close;
      const body = Buffer.from(bytes.subarray(0, end));
      end = 1;
      return body;
    },
  };
}
