/** Names that are spelled: "Smith to S M Y T H E", "Souza por Sousa com S". */
import { fold } from '../../domain/fold.ts';
import { letterAt } from '../numbers/letters.ts';
import { spelledAt } from '../steps/spelling.ts';
import { phraseAt } from '../words/phrases.ts';
import { textOf } from '../words/token.ts';
import { Problem } from './operations.ts';
import type { Range } from './scopes.ts';
import { convertWords } from './sought-words.ts';
import type { ParsedInstruction } from './sought-words.ts';
import { valueAt } from '../../domain/elements.ts';

/** Fewer letters are an abbreviation. */
const minLetters = 3;

/** The name that the words spell; `undefined`: they spell none. */
export function readSpelledName({ from, to }: Range, parsed: ParsedInstruction): string | Problem | undefined {
  const { tokens, reading } = parsed;
  const { spelling, instructions } = reading.rules;
  const spelled = spelledAt(tokens, from, spelling);
  if (spelled?.to === to && spelled.word.length >= minLetters) {
    const [known, ...others] = convertWords(parsed, { from, to });
    return known && others.length === 0 ? known.text : spelled.word;
  }
  for (let at = from + 1; at < to; at += 1) {
    const rest = spelledAt(tokens, at, spelling);
    if (rest?.to !== to || rest.word.length < minLetters) continue;
    const name = textOf(tokens.slice(from, at));
    return fold(name) === fold(rest.word) ? rest.word : new Problem('unclear', name);
  }
  const letter = letterAt(tokens, to - 1, spelling.letters);
  if (!letter) return undefined;
  for (let at = from + 1; at < to - 1; at += 1) {
    if (phraseAt(tokens, at, valueAt(instructions.words, 'with'))?.to !== to - 1) continue;
    const name = textOf(tokens.slice(from, at));
    // The recogniser may have written the other name: "Souza with an S".
    return fold(name).includes(fold(letter.letter)) ? name : new Problem('unclear', name);
  }
  return undefined;
}
