/**
 * A code in the terminal of a server: typing it in a browser proves access to that terminal. It is valid until the
 * server stops. 50 random bits: guessing takes longer than any server runs, so no lockout is needed.
 */
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { elementAt } from '../../domain/elements.ts';

/** Crockford's base 32: without letters that are easily confused. */
const digits = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** `4F7K9-2QDXM`. */
export function makeSetupCode(): string {
  const code = Array.from(randomBytes(10), (byte) => elementAt(digits, byte % digits.length)).join('');
  return `${code.slice(0, 5)}-${code.slice(5)}`;
}

/** Whether `typed` is the code: in any case, with or without the dash, O for 0 and I or L for 1. */
export const isSetupCode = (typed: string, code: string): boolean => timingSafeEqual(digestOf(typed), digestOf(code));

const digestOf = (text: string): Buffer => createHash('sha256').update(inDigits(text)).digest();

const inDigits = (text: string): string =>
  text
    .toUpperCase()
    .replaceAll(/[^0-9A-Z]/g, '')
    .replaceAll('O', '0')
    .replaceAll(/[IL]/g, '1');
