/**
 * The numbers of a text, by their beginnings, and the role of a spoken "vírgula" between two of them: a decimal sign, a
 * comma of a list, or a doubt.
 */
import { wordSet } from '../../domain/fold.ts';
import type { NumberTables } from '../languages/tables.ts';
import { endsClause } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import { decimalsAt, integerAt, isFeminine, thousandfold } from './numeral.ts';
import type { Numeral, NumberWords } from './numeral.ts';
import { unitAt } from './units.ts';
import type { UnitWords } from './units.ts';
import { elementAt } from '../../domain/elements.ts';

export interface DecimalWords {
  readonly spoken: ReadonlySet<string>;
  readonly point: ReadonlySet<string>;
  readonly unsure: ReadonlySet<string>;
  readonly digitByDigit: boolean;
  readonly listNouns: ReadonlySet<string>;
  readonly and: ReadonlySet<string>;
  readonly times: ReadonlySet<string>;
  readonly range: ReadonlySet<string>;
  readonly over: ReadonlySet<string>;
  readonly of: ReadonlySet<string>;
  /** Words after which a number may begin with its decimal sign: "from point six four". */
  readonly bareAfter: ReadonlySet<string>;
  /** Words after which the sign is a noun: "at this point". */
  readonly nounAfter: ReadonlySet<string>;
  /** Words of places: "a point five centimeters from the carina". */
  readonly places: ReadonlySet<string>;
  /** Words that make "por cento e dez" a factor: of a size, of a pressure. */
  readonly measuring: ReadonlySet<string>;
  readonly pressure: ReadonlySet<string>;
}

export const readDecimalWords = ({
  decimal,
  digitByDigit,
  listNouns,
  connectors,
  measuring,
  pressure,
}: NumberTables): DecimalWords => ({
  spoken: wordSet(decimal.spoken),
  point: wordSet(`${decimal.point} ${decimal.unsure}`),
  unsure: wordSet(decimal.unsure),
  digitByDigit,
  listNouns: wordSet(listNouns),
  and: wordSet(connectors.and),
  times: wordSet(connectors.times),
  range: wordSet(connectors.range),
  over: wordSet(connectors.over),
  of: wordSet(connectors.of),
  bareAfter: wordSet(decimal.bareAfter),
  nounAfter: wordSet(decimal.nounAfter),
  places: wordSet(decimal.places),
  measuring: wordSet(measuring),
  pressure: wordSet(pressure),
});

export interface NumberGrammar {
  readonly words: NumberWords;
  readonly units: UnitWords;
  readonly decimals: DecimalWords;
}

export interface NumberReading {
  /** The key is the token at which a number begins. */
  readonly numerals: ReadonlyMap<number, Numeral>;
  /**
   * The key is the token of a spoken decimal sign; a sign without an entry is punctuation. `times`: "por" in "por cento
   * e vinte" that is no percentage.
   */
  readonly signs: ReadonlyMap<number, 'decimal' | 'times' | 'doubt'>;
  /** Numbers with several readings, as ranges of tokens: they are not among the numerals. */
  readonly doubts: readonly { readonly from: number; readonly to: number }[];
}

/** The grammar, and the place where text begins: before it no noun is counted, and nothing is listed. */
interface PlacedGrammar extends NumberGrammar {
  readonly isStart: (at: number) => boolean;
}

/** The state of the reading. */
interface Reading {
  readonly numerals: Map<number, Numeral>;
  readonly signs: Map<number, 'decimal' | 'times' | 'doubt'>;
  readonly doubts: { readonly from: number; readonly to: number }[];
}

interface Link {
  /** Token of the spoken sign. */
  readonly sign: number;
  /** Token at which the number after it begins. */
  readonly at: number;
  readonly number: Numeral;
  /** Read as decimal places. */
  readonly decimals: { readonly to: number; readonly digits: string };
}

/** Numbers joined by spoken signs: "quatro vírgula cinco vírgula seis". */
interface Chain {
  readonly at: number;
  readonly first: Numeral;
  readonly links: readonly Link[];
  readonly to: number;
}

/** `isStart`: nothing can be listed before the token `at`, since a sentence or the text under a name begins there. */
export function readNumbers(
  tokens: readonly Token[],
  grammar: NumberGrammar,
  isStart: (at: number) => boolean,
): NumberReading {
  const reading: Reading = { numerals: new Map(), signs: new Map(), doubts: [] };
  let at = 0;
  while (at < tokens.length) {
    const chain = chainAt(tokens, at, grammar);
    if (!chain) {
      const bare = bareDecimalAt(tokens, at, grammar, isStart);
      if (bare) {
        reading.signs.set(at, bare.verdict);
        if (bare.verdict === 'decimal') reading.numerals.set(at, bare.numeral);
        else reading.doubts.push({ from: at, to: bare.numeral.to });
      }
      at = bare?.numeral.to ?? at + 1;
      continue;
    }
    const percent = percentAfter(tokens, chain, grammar);
    if (percent?.verdict === 'doubt') {
      for (const { sign } of [...chain.links, ...percent.links]) reading.signs.set(sign, 'doubt');
      reading.doubts.push({ from: at, to: percent.to });
      at = percent.to;
      continue;
    }
    if (percent?.verdict === 'times') reading.signs.set(chain.to, 'times');
    at = readChain(tokens, chain, { ...grammar, isStart }, reading);
    if (percent?.verdict === 'percent' && at === chain.to) at = percent.to;
  }
  return reading;
}

/**
 * "Oitenta por cento e vinte milímetros": 80% and 20 mm, or 80 by 120. `undefined`: no percentage follows the number
 * whose last word begins a longer number. `to`: the end of the percentage, or of the longer number.
 */
function percentAfter(
  tokens: readonly Token[],
  { at, to, first }: Chain,
  grammar: NumberGrammar,
):
  | { readonly verdict: 'percent' | 'times'; readonly to: number }
  | { readonly verdict: 'doubt'; readonly to: number; readonly links: readonly Link[] }
  | undefined {
  const { words, units, decimals: known } = grammar;
  const percentAt = (place: number): number | undefined => {
    const unit = known.times.has(tokens[place]?.folded ?? '') ? unitAt(tokens, place, units) : undefined;
    return unit?.symbol === '%' ? unit.to : undefined;
  };
  const end = percentAt(to);
  const second = end === undefined ? undefined : chainAt(tokens, to + 1, grammar);
  if (end === undefined || !second || second.first.to <= end) return undefined;
  const percent = { verdict: 'percent', to: end } as const;
  const hasAnd = words.and.has(elementAt(tokens, end).folded);
  if (hasAnd !== words.needsAnd.hundreds) return percent;
  const isFactor = known.times.has(tokens[second.to]?.folded ?? '') && integerAt(tokens, second.to + 1, words);
  const next = percentAt(second.to);
  // "oitenta por cento e vinte por cento": two percentages.
  if (next !== undefined && (!isFactor || isFactor.to <= next)) return percent;
  const times = { verdict: 'times', to: second.to } as const;
  if (isFactor || known.times.has(tokens[at - 1]?.folded ?? '')) return times;
  const before = tokens.slice(Math.max(0, at - 6), at).map(({ folded }) => folded);
  const [high, low] = [Number(first.digits), Number(second.first.digits)];
  if (before.some((word) => known.pressure.has(word)) && high > low && low <= 150) return times;
  const unit = unitAt(tokens, second.to, units);
  const isSize = before.some((word) => known.measuring.has(word));
  if (isSize && (unit?.symbol || endsClause(tokens, second.to))) return times;
  // "setenta por ciento veinte gramos": two measures have a word between them.
  if (unit?.symbol && !hasAnd) return times;
  const isMeasured = unit?.of === 'length' || unit?.symbol === 'mmHg' || second.links.length > 0;
  return isMeasured || high > 100 ? { verdict: 'doubt', to: second.to, links: second.links } : percent;
}

function chainAt(tokens: readonly Token[], at: number, grammar: NumberGrammar): Chain | undefined {
  const first = hundredAt(tokens, at, grammar) ?? integerAt(tokens, at, grammar.words);
  if (!first) return undefined;
  const links: Link[] = [];
  let { to } = first;
  while (!first.isDecimal) {
    const link = linkAt(tokens, to, links.length === 0 ? first : undefined, grammar);
    if (!link) break;
    links.push(link);
    to = link.decimals.to;
  }
  return { at, first, links, to };
}

/** "one twenty over eighty": hundreds without their word, if a unit or a second pressure follows. */
function hundredAt(
  tokens: readonly Token[],
  at: number,
  { words, units, decimals: { over } }: NumberGrammar,
): Numeral | undefined {
  const value = words.values.get(tokens[at]?.folded ?? '');
  if (words.hundred.size === 0 || tokens[at]?.kind !== 'word' || value === undefined || value < 1 || value > 9)
    return undefined;
  const rest = integerAt(tokens, at + 1, words);
  if (!rest?.isSpoken || Number(rest.digits) < 10 || Number(rest.digits) > 99) return undefined;
  if (!over.has(tokens[rest.to]?.folded ?? '') && !unitAt(tokens, rest.to, units)) return undefined;
  return { ...rest, digits: String(value * 100 + Number(rest.digits)) };
}

/**
 * The tokens of a spoken sign and of the number after it. Models write commas round a sign that they hear: "2, vírgula,
 * 5", "2, vírgula 5", "2 vírgula, 5". `isLoose`: the number is in words, and its one comma may be one of the text.
 */
function findSign(
  tokens: readonly Token[],
  from: number,
  known: DecimalWords,
): { readonly sign: number; readonly at: number; readonly isLoose: boolean } | undefined {
  const isComma = (place: number): boolean => tokens[place]?.kind === 'mark' && tokens[place].text === ',';
  const sign = isComma(from) ? from + 1 : from;
  const at = isComma(sign + 1) ? sign + 2 : sign + 1;
  const token = tokens[sign];
  // A full stop has no comma before it.
  const isSign = known.spoken.has(token?.folded ?? '') || (sign === from && known.point.has(token?.folded ?? ''));
  if (token?.kind !== 'word' || !isSign) return undefined;
  const hasOneComma = isComma(from) !== isComma(sign + 1);
  return { sign, at, isLoose: hasOneComma && tokens[at]?.kind !== 'figure' };
}

/** A sign at the token `from`, and the number after it. */
function linkAt(
  tokens: readonly Token[],
  from: number,
  first: Numeral | undefined,
  grammar: NumberGrammar,
): Link | undefined {
  const { words, decimals: known } = grammar;
  const found = findSign(tokens, from, known);
  if (!found) return undefined;
  const { sign, at, isLoose } = found;
  const isSpoken = known.spoken.has(elementAt(tokens, sign).folded);
  const number = integerAt(tokens, at, words);
  if (!number || number.isDecimal || isFeminine(elementAt(tokens, at))) return undefined;
  const byDefault = decimalsAt(tokens, at, words, known.digitByDigit || first?.digits === '0');
  const digits = known.digitByDigit ? byDefault : decimalsAt(tokens, at, words, true);
  // "um vírgula dois cinco centímetros": digit by digit if the unit follows at once.
  const isMeasured = digits !== undefined && unitAt(tokens, digits.to, grammar.units) !== undefined;
  const decimals = isMeasured ? digits : byDefault;
  if (!decimals || (isLoose && !isMeasured)) return undefined;
  // "segmento um ponto dois nódulos": a full stop, unless a unit follows, or factors with one.
  if (!isSpoken && !isMeasured && !leadsToUnit(tokens, decimals.to, grammar)) return undefined;
  return { sign, at, number, decimals };
}

/** "… por uno punto ocho centímetros": more factors, and a unit after the last. */
function leadsToUnit(tokens: readonly Token[], at: number, { words, units, decimals: known }: NumberGrammar): boolean {
  let place = at;
  for (let factors = 0; factors < 3; factors += 1) {
    const joint = tokens[place];
    if (joint?.kind !== 'word' || !(known.times.has(joint.folded) || known.range.has(joint.folded))) return false;
    const whole = integerAt(tokens, place + 1, words);
    if (!whole) return false;
    const sign = tokens[whole.to];
    const isSign = sign?.kind === 'word' && (known.point.has(sign.folded) || known.spoken.has(sign.folded));
    place = (isSign ? decimalsAt(tokens, whole.to + 1, words, true)?.to : undefined) ?? whole.to;
    if (unitAt(tokens, place, units)) return true;
  }
  return false;
}

/**
 * "point five centimeters": 0.5 if a unit follows. A comma belongs to a list, except after a word that introduces a
 * number ("de vírgula cinco"); if nothing can be listed before it, it is a doubt.
 */
function bareDecimalAt(
  tokens: readonly Token[],
  at: number,
  { words, units, decimals: known }: NumberGrammar,
  isStart: (at: number) => boolean,
): { readonly verdict: 'decimal' | 'doubt'; readonly numeral: Numeral } | undefined {
  const token = tokens[at];
  const before = tokens[at - 1];
  if (token?.kind !== 'word' || !known.spoken.has(token.folded) || known.nounAfter.has(before?.folded ?? ''))
    return undefined;
  const decimals = decimalsAt(tokens, at + 1, words, known.digitByDigit);
  if (!decimals) return undefined;
  const numeral = {
    to: decimals.to,
    digits: `0.${decimals.digits}`,
    isSpoken: true,
    isArticle: false,
    isDecimal: true,
  };
  const unit = unitAt(tokens, decimals.to, units);
  const isAfter = known.bareAfter.has(before?.folded ?? '');
  if (known.digitByDigit) {
    const isPlace = unit !== undefined && before?.kind === 'word' && known.places.has(tokens[unit.to]?.folded ?? '');
    if (isPlace && !isAfter) return { verdict: 'doubt', numeral };
    // "density point one five": no list has digits.
    const isSpelled = before?.kind === 'word' && decimals.digits.length > 1;
    return unit || isAfter || isSpelled ? { verdict: 'decimal', numeral } : undefined;
  }
  if (!unit?.symbol) return undefined;
  if (isAfter) return { verdict: 'decimal', numeral };
  return isStart(at) ? { verdict: 'doubt', numeral } : undefined;
}

const joined = (whole: Numeral, link: Link): Numeral => ({
  to: link.decimals.to,
  digits: `${whole.digits}.${link.decimals.digits}`,
  isSpoken: true,
  isArticle: false,
  isDecimal: true,
});

function readChain(tokens: readonly Token[], chain: Chain, grammar: PlacedGrammar, into: Reading): number {
  const { at, first, links, to } = chain;
  const tail = findTail(tokens, chain, grammar);
  const verdict = verdictOn(tokens, chain, tail, grammar);
  if (verdict === 'doubt') {
    for (const { sign } of links) into.signs.set(sign, 'doubt');
    // The number that shares the unit stays a word as well.
    const end = tail?.to ?? to;
    into.doubts.push({ from: at, to: end });
    return end;
  }
  if (verdict === 'list') {
    into.numerals.set(at, first);
    for (const link of links) into.numerals.set(link.at, link.number);
    return to;
  }
  // Decimals: if there are several signs, every other one separates two decimals.
  let whole: { at: number; number: Numeral } | undefined = { at, number: first };
  for (const link of links) {
    if (whole) {
      into.numerals.set(whole.at, thousandfold(tokens, joined(whole.number, link), grammar.words));
      into.signs.set(link.sign, 'decimal');
      whole = undefined;
    } else whole = { at: link.at, number: link.number };
  }
  if (whole) into.numerals.set(whole.at, whole.number);
  return to;
}

/** "de dois vírgula um e de quatro": the preposition is repeated after "and". */
const repeatsPreposition = (tokens: readonly Token[], and: number, known: DecimalWords): boolean =>
  known.of.has(tokens[and + 1]?.folded ?? '');

/** The number after "e" at the end of a chain: "quatro vírgula cinco e seis". */
function findTail(
  tokens: readonly Token[],
  { to }: Chain,
  { decimals: known, words }: NumberGrammar,
): Numeral | undefined {
  const token = tokens[to];
  if (token?.kind !== 'word' || !known.and.has(token.folded)) return undefined;
  return integerAt(tokens, repeatsPreposition(tokens, to, known) ? to + 2 : to + 1, words);
}

/**
 * The roles of a chain's signs. Three or more numbers, or a noun that is counted in whole numbers, make a list, not a
 * decimal.
 */
function verdictOn(
  tokens: readonly Token[],
  { at, first, links, to }: Chain,
  tail: Numeral | undefined,
  grammar: PlacedGrammar,
): 'decimal' | 'list' | 'doubt' {
  const { decimals: known, units, words } = grammar;
  const last = links.at(-1);
  // "uno con cinco centímetros": 1,5 cm, or one that has 5 cm.
  if (first.digits === '1' && links.some(({ sign }) => known.unsure.has(elementAt(tokens, sign).folded)))
    return 'doubt';
  if (!last || known.digitByDigit) return links.length > 1 ? 'doubt' : 'decimal';
  const noun = tokens[at - 1];
  if (noun?.kind === 'word' && known.listNouns.has(noun.folded) && !grammar.isStart(at)) return 'list';
  // "dois vírgula um milhões"
  const scale = tokens[to];
  if (
    links.length === 1 &&
    scale?.kind === 'word' &&
    (words.million.has(scale.folded) || words.thousand.has(scale.folded))
  )
    return 'decimal';
  const isTailDecimal = tail !== undefined && linkAt(tokens, tail.to, tail, grammar) !== undefined;
  const isMeasured =
    unitAt(tokens, tail?.to ?? to, units) !== undefined || isTailDecimal || leadsOn(tokens, to, grammar);
  // "são dois vírgula um à direita": perhaps no number at all.
  const leadsToWord = tokens[to]?.kind === 'word' || tokens[to]?.kind === 'figure';
  if (last.number.isArticle && first.digits !== '0' && leadsToWord && !tail && !isMeasured) return 'doubt';
  // "zero vírgula …", "… vírgula zero", "… vírgula vinte e cinco" occur only in decimals.
  const isPlain = first.digits !== '0' && links.every(({ decimals: { digits } }) => /^[1-9]$|^1[0-2]$/.test(digits));
  if (links.length === 1) {
    if (tail && repeatsPreposition(tokens, to, known)) return 'decimal';
    // "doze vírgula quinze e vinte milímetros": 12,15 mm, or three sizes that ascend.
    const places = Number(last.decimals.digits);
    const isAscending = Number(first.digits) < places && places < Number(tail?.digits ?? 0);
    if (isAscending && isMeasured && first.digits !== '0' && !isTailDecimal) return 'doubt';
    if (!tail || isTailDecimal || !isPlain) return 'decimal';
    return isMeasured ? 'doubt' : 'list';
  }
  if (isPlain && !isMeasured) return 'list';
  return isTailDecimal && links.length % 2 === 1 ? 'decimal' : 'doubt';
}

/** Whether a factor or the end of a range follows: "… por um vírgula oito". */
function leadsOn(tokens: readonly Token[], at: number, { decimals: known, words }: NumberGrammar): boolean {
  const token = tokens[at];
  if (token?.kind !== 'word' || !(known.times.has(token.folded) || known.range.has(token.folded))) return false;
  return integerAt(tokens, at + 1, words) !== undefined;
}
