/** The code that a person types to log a device in (RFC 8628 6.1). */
import { randomInt } from 'node:crypto';
import { sha256 } from '../runtime/secrets.ts';
import { elementAt } from '../../src/domain/elements.ts';

/** Without vowels, which make words, and without what is taken for something else. */
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
/** 8 of 20 letters are 34 bits: a guess at one of a hundred codes hits once in 256 million. */
const length = 8;

/** `WDJB-MJHT`. */
export function makeUserCode(): string {
  return shownUserCode(Array.from({ length }, () => elementAt(letters, randomInt(letters.length))).join(''));
}

/** The code as the device shows it, however it was typed. */
export function shownUserCode(typed: string): string {
  const code = lettersOf(typed);
  return code.length === length ? `${code.slice(0, length / 2)}-${code.slice(length / 2)}` : typed;
}

/** Without case, spaces and the dash. */
const lettersOf = (typed: string): string => typed.toUpperCase().replace(/[^A-Z]/g, '');

/** By which the store finds the login of a code, however it was typed. */
export const userCodeId = (typed: string): string => sha256(`user code ${lettersOf(typed)}`);
