/** Bytes that are put together piece by piece, and numbers among them: LEB128, seven bits a byte, the lowest first. */

/** Bytes that a number takes at most. */
export const longestNumber = 10;

/** The buffer, or a larger one with what it has up to `used`, that has room for so many bytes after that. */
export function withRoom(buffer: Buffer<ArrayBuffer>, used: number, bytes: number): Buffer<ArrayBuffer> {
  if (used + bytes <= buffer.length) return buffer;
  const larger = Buffer.allocUnsafeSlow(Math.max(2 * buffer.length, used + bytes));
  buffer.copy(larger, 0, 0, used);
  return larger;
}

/** Puts a whole number from 0 up; gives back where it ends. */
export function putNumber(buffer: Buffer, at: number, value: number): number {
  let next = at;
  let rest = value;
  for (; rest > 0x7f; rest = Math.floor(rest / 0x80)) buffer[next++] = (rest % 0x80) + 0x80;
  buffer[next++] = rest;
  return next;
}
