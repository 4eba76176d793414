/** Builds byte sequences piece by piece, with numbers in LEB128: seven bits a byte, the lowest first. */

/** The largest number of bytes that a number takes. */
export const maxNumberBytes = 10;

/** Returns the buffer, or a larger copy of its first `used` bytes, with room for the further bytes. */
export function withRoom(buffer: Buffer<ArrayBuffer>, used: number, bytes: number): Buffer<ArrayBuffer> {
  if (used + bytes <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, used + bytes));
  buffer.copy(larger, 0, 0, used);
  return larger;
}

/** Writes a whole number from 0 up; returns the position after the number. */
export function putNumber(buffer: Buffer, at: number, value: number): number {
  if (value >= fourBytes) return putLarge(buffer, at, value);
  let next = at;
  for (let rest = value; ; rest >>>= 7) {
    if (rest <= 0x7f) {
      buffer[next] = rest;
      return next + 1;
    }
    buffer[next++] = (rest & 0x7f) | 0x80;
  }
}

/** The first number that four bytes do not hold. */
const fourBytes = 2 ** 28;

/** Four bytes at a time, so that all but the division is done with small integers. */
function putLarge(buffer: Buffer, at: number, value: number): number {
  const upper = Math.floor(value / fourBytes);
  const low = value - upper * fourBytes;
  buffer[at] = (low & 0x7f) | 0x80;
  buffer[at + 1] = ((low >>> 7) & 0x7f) | 0x80;
  buffer[at + 2] = ((low >>> 14) & 0x7f) | 0x80;
  buffer[at + 3] = (low >>> 21) | 0x80;
  return putNumber(buffer, at + 4, upper);
}
