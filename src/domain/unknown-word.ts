/** Errors for mistyped words. */
import { AppError } from '../contract/errors.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { suggestWord } from './nearest-word.ts';

/** The error for a word that isn't known. Its hint suggests the most similar known word; `more` follows. */
export const unknownWord = (
  message: string,
  typed: string,
  known: Iterable<string>,
  more?: string,
  code: ErrorCode = 'USAGE',
): AppError => {
  const hint = [suggestWord(typed, known), more].filter((sentence) => sentence !== undefined).join(' ');
  return new AppError(code, { message, ...(hint !== '' && { hint }) });
};
