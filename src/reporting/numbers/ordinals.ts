/** Ordinals of two words, in figures: "sixty third" → 63rd. */
import { wordSet } from '../../domain/fold.ts';
import { nextWord } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import type { Conversion } from './conversion.ts';
import type { DateWords } from './dates.ts';
import type { NumberWords } from './numeral.ts';

/** The ordinal at the token `at`; with the month after it, whose name begins with a capital. */
export function ordinalAt(
  tokens: readonly Token[],
  at: number,
  { dates, numbers }: { readonly dates: DateWords; readonly numbers: NumberWords },
): Conversion | undefined {
  const { compoundOrdinals: nouns, ordinals, of, months, names } = dates;
  const simple = tokens[at]?.kind === 'word' ? ordinals.get(tokens[at].folded) : undefined;
  // "twelfth percentile"
  if (nouns && simple !== undefined && wordSet(nouns.before).has(tokens[at + 1]?.folded ?? ''))
    return { rule: 'ordinal', to: at + 1, pieces: [{ from: at, to: at + 1, text: `${simple}${suffixOf(simple)}` }] };
  const ten = tokens[at]?.kind === 'word' ? numbers.values.get(tokens[at].folded) : undefined;
  if (!nouns || ten === undefined || ten < 20 || ten > 90 || ten % 10 !== 0) return undefined;
  const place = nextWord(tokens, at + 1);
  const word = tokens[place];
  const unit = word?.kind === 'word' ? ordinals.get(word.folded) : undefined;
  if (word === undefined || unit === undefined || unit > 9) return undefined;
  const [before, next] = [tokens[at - 1], tokens[place + 1]];
  const isOrdinal =
    word.folded !== nouns.noun ||
    wordSet(nouns.before).has(next?.folded ?? '') ||
    (wordSet(nouns.after).has(before?.folded ?? '') && of.has(next?.folded ?? ''));
  if (!isOrdinal) return undefined;
  const pieces = [{ from: at, to: place + 1, text: `${ten + unit}${suffixOf(unit)}` }];
  const month = of.has(next?.folded ?? '') ? months.get(tokens[place + 2]?.folded ?? '') : undefined;
  const name = month === undefined ? undefined : names[month - 1];
  if (name === undefined) return { rule: 'ordinal', to: place + 1, pieces };
  const inFull = { from: place + 2, to: place + 3, text: name.charAt(0).toUpperCase() + name.slice(1) };
  return { rule: 'ordinal', to: place + 3, pieces: [...pieces, { from: place + 1, to: place + 2 }, inFull] };
}

const suffixOf = (unit: number): string => ['st', 'nd', 'rd'][unit - 1] ?? 'th';
