/** Units of measure: their places and written forms. */
import type { UnitRow, UnitTables } from '../languages/tables.ts';
import { writtenDenominators, writtenUnits } from '../languages/units.ts';
import type { KnownUnit, WrittenUnit } from '../languages/units.ts';
import { indexPhrases, indexRows, phraseAt } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import { wordSet } from '../../domain/fold.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

export interface UnitWords {
  readonly units: PhraseIndex<UnitRow>;
  readonly denominators: PhraseIndex<string>;
  readonly per: ReadonlySet<string>;
}

export interface Unit {
  readonly to: number;
  readonly symbol: string | null;
  readonly isTight: boolean;
  readonly of: UnitRow['of'];
}

export const readUnits = (tables: UnitTables): UnitWords => ({
  units: indexRows([...knownUnits(tables), ...tables.own]),
  denominators: indexPhrases(Object.entries({ ...writtenDenominators, ...tables.denominators })),
  per: wordSet(tables.per),
});

/** The units of every language, with this one's spoken names. */
const knownUnits = ({ spoken }: UnitTables): UnitRow[] =>
  Object.entries<WrittenUnit>(writtenUnits).map(([symbol, { written = '', ...row }]) => ({
    symbol,
    ...row,
    phrases: `${spoken[symbol as KnownUnit]}, ${written}`,
  }));

/** Written units that are one letter, and so a word or a name elsewhere: units only right after a figure. */
const isLetter = (token: Token): boolean => token.text.length === 1;

/** The unit that begins at the token `at`, with its denominator. */
export function unitAt(tokens: readonly Token[], at: number, words: UnitWords): Unit | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  if (token.kind === 'mark') return signAt(tokens, at);
  const found = phraseAt(tokens, at, words.units);
  if (!found || (isLetter(token) && found.to === at + 1 && tokens[at - 1]?.kind !== 'figure')) return undefined;
  const { symbol, isTight = false, of } = found.value;
  const per = symbol === null ? undefined : perAt(tokens, found.to, words);
  return per
    ? { to: per.to, symbol: `${symbol}/${per.symbol}`, isTight, of: undefined }
    : { to: found.to, symbol, isTight, of };
}

/** Written `%` and `°` are separate tokens. */
function signAt(tokens: readonly Token[], at: number): Unit | undefined {
  const { text } = elementAt(tokens, at);
  if (text !== '%' && text !== '°') return undefined;
  const scale = tokens[at + 1];
  const isScale = text === '°' && scale !== undefined && !scale.spaced && /^[CF]$/i.test(scale.text);
  if (isScale) return { to: at + 2, symbol: `°${scale.text.toUpperCase()}`, isTight: false, of: undefined };
  return { to: at + 1, symbol: text, isTight: true, of: undefined };
}

function perAt(tokens: readonly Token[], at: number, words: UnitWords): { to: number; symbol: string } | undefined {
  const token = tokens[at];
  if (token === undefined || !(token.text === '/' || (token.kind === 'word' && words.per.has(token.folded)))) {
    return undefined;
  }
  const found = phraseAt(tokens, at + 1, words.denominators);
  return found && { to: found.to, symbol: found.value };
}
