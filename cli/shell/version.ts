/** The words that ask for the program's version alone: answered before anything else is loaded. */
import { elementAt } from '../../src/domain/elements.ts';
const flags: ReadonlySet<string> = new Set(['--version', '-v', '-V', 'version']);

export const asksForVersion = (words: readonly string[]): boolean =>
  words.length === 1 && flags.has(elementAt(words, 0));
