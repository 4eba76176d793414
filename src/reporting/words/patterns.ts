/**
 * The patterns of `Uses` (src/reporting/languages/tables.ts): they decide if a phrase that can be punctuation is an
 * ordinary word.
 */
import { fold, wordList, wordSet } from '../../domain/fold.ts';
import type { MarkTables, Uses } from '../languages/tables.ts';
import { endsClause } from './phrases.ts';
import type { Token } from './token.ts';

/** Facts about the surrounding words that patterns test. */
export interface Surroundings {
  readonly isNumber: (token: Token) => boolean;
  readonly beginsSentence: (tokens: readonly Token[], at: number) => boolean;
  readonly isSectionName: (tokens: readonly Token[], at: number) => boolean;
  /** Whether the name of a section ends right before the token `at`. */
  readonly endsSectionName: (tokens: readonly Token[], at: number) => boolean;
}

type Test = (tokens: readonly Token[], at: number, around: Surroundings) => boolean;

interface Pattern {
  readonly verdict: 'mark' | 'word';
  /** In order from the phrase outwards. */
  readonly before: readonly Test[];
  readonly after: readonly Test[];
}
export type Patterns = readonly Pattern[];

const isOneOf =
  (words: ReadonlySet<string>): Test =>
  (tokens, at) => {
    const token = tokens[at];
    return token !== undefined && token.kind !== 'break' && words.has(token.folded);
  };

function buildTest(element: string, isBefore: boolean, sets: ReadonlyMap<string, ReadonlySet<string>>): Test {
  switch (element) {
    case '#':
      return (tokens, at, { isNumber }) => tokens[at] !== undefined && isNumber(tokens[at]);
    case '^':
      return (tokens, at, { beginsSentence }) => beginsSentence(tokens, at + 1);
    case '$':
      return (tokens, at, { isSectionName }) => endsClause(tokens, at) || isSectionName(tokens, at);
    case '§':
      return isBefore
        ? (tokens, at, { endsSectionName }) => endsSectionName(tokens, at + 1)
        : (tokens, at, { isSectionName }) => isSectionName(tokens, at);
    default: {
      const ending = /^-(\p{L}+)$/u.exec(element)?.[1];
      if (ending !== undefined)
        return (tokens, at) => tokens[at]?.kind === 'word' && tokens[at].folded.endsWith(ending);
      const set = /^\{(.+)\}$/.exec(element)?.[1];
      const known = set === undefined ? undefined : sets.get(set);
      if (set !== undefined && known === undefined) throw new Error(`no set ${set}`);
      return isOneOf(known ?? new Set(fold(element).replace(/[()]/g, '').split('|')));
    }
  }
}

function parsePattern(
  verdict: 'mark' | 'word',
  pattern: string,
  sets: ReadonlyMap<string, ReadonlySet<string>>,
): Pattern {
  const [before = [], after = []] = pattern.split('_').map((side) => wordList(side));
  return {
    verdict,
    before: before.toReversed().map((element) => buildTest(element, true, sets)),
    after: after.map((element) => buildTest(element, false, sets)),
  };
}

export function readUses({ uses, sets }: MarkTables): ReadonlyMap<string, Patterns> {
  const known = new Map(Object.entries(sets).map(([name, words]) => [name, wordSet(words)]));
  const read = (rows: Uses): Patterns => rows.map(([verdict, pattern]) => parsePattern(verdict, pattern, known));
  return new Map(Object.entries(uses).map(([phrase, rows]) => [phrase, read(rows)]));
}

/** The verdict for the tokens `from` up to `to`; a mark unless a pattern says otherwise. */
export function findVerdict(
  patterns: Patterns | undefined,
  tokens: readonly Token[],
  { from, to }: { from: number; to: number },
  around: Surroundings,
): 'mark' | 'word' {
  const fits = ({ before, after }: Pattern): boolean =>
    before.every((test, i) => test(tokens, from - 1 - i, around)) &&
    after.every((test, i) => test(tokens, to + i, around));
  return patterns?.find(fits)?.verdict ?? 'mark';
}
