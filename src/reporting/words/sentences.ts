/** Where sentences begin and end among tokens. */
import { wordSet } from '../../domain/fold.ts';
import { isBoundary } from './token.ts';
import type { Token } from './token.ts';
import { elementAt } from '../../domain/elements.ts';

/** Abbreviations with a full stop that ends no sentence. */
const abbreviated = wordSet(`
  dr dra drs dras sr sra srs sras srta mr mrs prof profa aprox approx ex eg vs cf fig figs obs ref tel jr ud uds vol esq dir dcho dcha izdo izda izq
`);

/** The largest number of question marks in a row that are read together. */
const maxInARow = 4;

/** Whether the token is a question mark before the questioned word: "?fracture", "opacity ? pneumonia". */
export function isQuery(tokens: readonly Token[], at: number): boolean {
  const isMark = (place: number): boolean => tokens[place]?.kind === 'mark' && tokens[place].text === '?';
  if (!isMark(at)) return false;
  let [first, last] = [at, at];
  while (at - first < maxInARow && !elementAt(tokens, first).spaced && isMark(first - 1)) first -= 1;
  while (last - at < maxInARow && tokens[last + 1]?.spaced === false && isMark(last + 1)) last += 1;
  const [before, token, next] = [tokens[first - 1], elementAt(tokens, first), tokens[last + 1]];
  if (next?.kind !== 'word' && next?.kind !== 'figure') return false;
  if (before === undefined || isBoundary(before) || /^[([{:]$/.test(before.text)) return true;
  return token.spaced && (!next.spaced || /^[.!…;]$/.test(before.text) || /^[\p{Ll}\p{N}]/u.test(next.text));
}

/** Whether the token is a mark or break that ends a sentence. */
export function endsSentence(tokens: readonly Token[], at: number): boolean {
  const token = tokens[at];
  if (token === undefined || isBoundary(token)) return true;
  if (token.kind !== 'mark' || !/^[.?!…]$/.test(token.text)) return false;
  if (isQuery(tokens, at)) return false;
  if (token.text !== '.' || token.operation !== undefined) return true;
  const before = tokens[at - 1];
  const after = tokens[at + 1];
  if (after === undefined || after.kind === 'break') return true;
  // "p.ej.", "3.a": a full stop with nothing after it is inside a word.
  if (!after.spaced && (after.kind === 'word' || after.kind === 'figure')) return false;
  if (before?.kind !== 'word' || token.spaced) return true;
  return !abbreviated.has(before.folded) && !isInitial(tokens, at - 1);
}

/** Second words of the names of germs. */
const species = wordSet(`
  pylori coli aureus difficile pneumoniae jirovecii influenzae albicans faecalis faecium aeruginosa tuberculosis
  fumigatus henselae granulosus solium gondii cruzi
`);

/** "J. Silva", "Dr. J. Silva": the initial of a name. */
function isInitial(tokens: readonly Token[], at: number): boolean {
  const [before, letter, name] = [tokens[at - 1], elementAt(tokens, at), tokens[at + 2]];
  if (letter.text.length !== 1 || !/\p{Lu}/u.test(letter.text) || name?.kind !== 'word') return false;
  // "H. pylori"
  if (species.has(name.text)) return true;
  return /^\p{Lu}/u.test(name.text) && (before === undefined || (before.kind === 'mark' && letter.spaced));
}

/** Sentences as ranges of tokens, each with the mark that ends it; a break is in none. */
export function splitSentences(tokens: readonly Token[]): { readonly from: number; readonly to: number }[] {
  const sentences: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (!endsSentence(tokens, at)) continue;
    const token = elementAt(tokens, at);
    let to = isBoundary(token) ? at : at + 1;
    // Closing quotation marks and parentheses belong to the sentence, and so do additional stops.
    while (to > at && /^(?:["”’»)\].?!…])$/.test(tokens[to]?.text ?? '') && tokens[to]?.spaced === false) to += 1;
    if (to > from) sentences.push({ from, to });
    if (token.kind === 'block') sentences.push({ from: at, to: at + 1 });
    from = Math.max(to, at + 1);
    at = from - 1;
  }
  if (from < tokens.length) sentences.push({ from, to: tokens.length });
  return sentences;
}
