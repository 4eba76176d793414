/** Builds byte sequences piece by piece, with numbers in LEB128: seven bits a byte, the lowest first. */

/** The largest number of bytes that a number takes. */
export const longestNumber = 10;

/** Returns the buffer, or a larger copy of its first `used` bytes, with room for the further bytes. */
export function withRoom(buffer: Buffer<ArrayBuffer>, used: number, bytes: number): Buffer<ArrayBuffer> {
  if (used + bytes <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, used + bytes));
  buffer.copy(larger, 0, 0, used);
  return larger;
}

/** Writes a whole number from 0 up; returns the position after the number. */
export function putNumber(buffer: Buffer, at: number, value: number): number {
  let next = at;
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) buffer[next++] = (rest % 0x80) + 0x80;
  buffer[next++] = rest;
  return next;
}
