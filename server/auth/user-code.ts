/** The code that a person types to log a device in (RFC 8628 6.1). */
import { randomInt } from 'node:crypto';
import { sha256 } from '../runtime/secrets.ts';
import { elementAt } from '../../src/domain/elements.ts';

/** No vowels, so that no words arise, and no letters that look alike. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
/** 8 of 20 letters are 34 bits: with a hundred pending codes, one guess in 256 million hits. */
const length = 8;

/** Such as `WDJB-MJHT`. */
export function makeUserCode(): string {
  return formatUserCode(Array.from({ length }, () => elementAt(letters, randomInt(letters.length))).join(''));
}

/** Formats a typed code as the device shows it. */
export function formatUserCode(typed: string): string {
  const code = lettersOf(typed);
  return code.length === length ? `${code.slice(0, length / 2)}-${code.slice(length / 2)}` : typed;
}

/** Ignores case, spaces and the dash. */
const lettersOf = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '');

/** The key of a code in the store, however it was typed. */
export const userCodeId = (typed: string): string => sha256(`user code ${lettersOf(typed)}`);
