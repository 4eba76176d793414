/** Spelling: letter names after "soletrando" or "spell" become a word. */
import { fold, wordSet } from '../../domain/fold.ts';
import type { SpellingTables } from '../languages/tables.ts';
import { letterAt } from '../numbers/letters.ts';
import type { LetterWords } from '../numbers/letters.ts';
import type { Change, HeardFate } from '../operation.ts';
import { buildFates, findHull } from '../operation.ts';
import { indexPhrases, phraseAt, phraseSet } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import { writtenTokens } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { elementAt } from '../../domain/elements.ts';

export interface SpellingWords {
  readonly start: PhraseIndex<true>;
  readonly end: PhraseIndex<true>;
  readonly alphabet: ReadonlyMap<string, string>;
  readonly as: ReadonlySet<string>;
  readonly double: ReadonlySet<string>;
  readonly accents: PhraseIndex<string>;
  readonly letters: LetterWords;
}

export const readSpelling = (tables: SpellingTables, letters: LetterWords): SpellingWords => ({
  start: phraseSet(tables.start),
  end: phraseSet(tables.end),
  alphabet: new Map(Object.entries(tables.alphabet).map(([word, letter]) => [fold(word), letter])),
  as: wordSet(tables.as),
  double: wordSet(tables.double),
  accents: indexPhrases(Object.entries(tables.accents)),
  letters,
});

export function spell(tokens: readonly Token[], words: SpellingWords): Change[] {
  const changes: Change[] = [];
  let at = 0;
  while (at < tokens.length) {
    const start = elementAt(tokens, at).kind === 'word' ? phraseAt(tokens, at, words.start) : undefined;
    const spelled = start && spelledAt(tokens, start.to, words);
    if (!start || !spelled) {
      at += 1;
      continue;
    }
    changes.push(changeFor(tokens, { at, letters: start.to, ...spelled }, changes.at(-1)?.to ?? 0, words));
    at = spelled.to;
  }
  return changes;
}

const isBetween = (token: Token | undefined): boolean => token?.kind === 'mark' && /^[,:.-]$/.test(token.text);

/** The word that the letters from the token `from` on spell, at least two; marks between them are the recogniser's. */
export function spelledAt(
  tokens: readonly Token[],
  from: number,
  words: SpellingWords,
): { word: string; to: number } | undefined {
  let word = '';
  let to = from;
  let at = from;
  for (;;) {
    while (isBetween(tokens[at]) && at < to + 2) at += 1;
    const found = namedAt(tokens, at, words);
    if (!found) break;
    word += found.letters;
    ({ to } = found);
    at = to;
  }
  return word.length >= 2 ? { word: cased(normalForm(word)), to } : undefined;
}

const cased = (letters: string): string => letters.charAt(0) + letters.slice(1).toLowerCase();

/** "esse", "S", "S de sapo", "sierra", "dois esses", "a til". */
function namedAt(
  tokens: readonly Token[],
  at: number,
  words: SpellingWords,
): { letters: string; to: number } | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  if (words.double.has(token.folded)) {
    const doubled = namedAt(tokens, at + 1, { ...words, double: new Set() }) ?? pluralAt(tokens, at + 1, words);
    return doubled && { letters: doubled.letters + doubled.letters, to: doubled.to };
  }
  const isAccented = /^\p{L}$/u.test(token.text) && token.folded !== token.text.toLowerCase();
  const letter = isAccented
    ? token.text.toUpperCase()
    : (letterAt(tokens, at, words.letters)?.letter ?? words.alphabet.get(token.folded));
  if (letter === undefined) return undefined;
  const example = tokens[at + 2];
  const isExample =
    words.as.has(tokens[at + 1]?.folded ?? '') &&
    example?.kind === 'word' &&
    example.folded.charAt(0) === letter.toLowerCase();
  if (isExample) return { letters: letter, to: at + 3 };
  const isLongExample =
    tokens[at + 1]?.folded === 'as' &&
    example?.folded === 'in' &&
    tokens[at + 3]?.folded.charAt(0) === letter.toLowerCase();
  if (isLongExample) return { letters: letter, to: at + 4 };
  const accent = phraseAt(tokens, at + 1, words.accents);
  return accent ? { letters: letter + accent.value, to: accent.to } : { letters: letter, to: at + 1 };
}

/** "dois esses" */
function pluralAt(
  tokens: readonly Token[],
  at: number,
  { letters }: SpellingWords,
): { letters: string; to: number } | undefined {
  const token = tokens[at];
  const letter =
    token?.kind === 'word' && token.text.endsWith('s')
      ? letters.letters.get(token.text.slice(0, -1).toLowerCase())
      : undefined;
  return letter === undefined ? undefined : { letters: letter, to: at + 1 };
}

/** The word, replacing the one before the command if that was meant: "doutor Sylva, soletrando, esse i ele vê a". */
function changeFor(
  tokens: readonly Token[],
  { at, letters, word, to }: { at: number; letters: number; word: string; to: number },
  free: number,
  { end }: SpellingWords,
): Change {
  let before = at;
  while (before > free && isBetween(tokens[before - 1]) && elementAt(tokens, before - 1).text !== '.') before -= 1;
  const meant = before > free && sounds(elementAt(tokens, before - 1), word) ? before - 1 : undefined;
  let until = phraseAt(tokens, to, end)?.to ?? to;
  if (until > to && isBetween(tokens[until]) && elementAt(tokens, until).text === ',') until += 1;
  const fate = (from: number, last: number, what: HeardFate['fate']): HeardFate[] =>
    buildFates(tokens.slice(from, last), what);
  const source = findHull(tokens.slice(letters, to));
  const from = meant ?? (isBetween(tokens[at - 1]) && before > free ? before : at);
  return {
    rule: 'spelled',
    from,
    to: until,
    out: writtenTokens(word, source.from, source.to, from > 0),
    fates: [
      ...(meant === undefined ? [] : fate(meant, meant + 1, 'taken_back')),
      ...fate(meant === undefined ? from : meant + 1, letters, 'command'),
      ...fate(letters, to, 'converted'),
      ...fate(to, until, 'command'),
    ],
  };
}

/** Whether a recogniser may have written the spelled word so: it begins alike, and most of its letters are the same. */
function sounds(token: Token, word: string): boolean {
  if (token.kind !== 'word') return false;
  const [a, b] = [token.folded, fold(word)];
  if (a.charAt(0) !== b.charAt(0) || Math.abs(a.length - b.length) > 2) return false;
  let same = 0;
  for (const letter of a) if (b.includes(letter)) same += 1;
  return same / Math.max(a.length, b.length) >= 0.6;
}
