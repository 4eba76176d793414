/** Numbers with their units: sizes, ranges, percentages, and neighbouring counts without a unit. */
import { endsClause, nextWord, phraseAt } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import { figure, rewritten } from './figures.ts';
import type { Connector, MeasureWords } from './measure-words.ts';
import type { Numeral } from './numeral.ts';
import type { Conversion, Piece } from './conversion.ts';
import type { NumberReading } from './reading.ts';
import { unitAt } from './units.ts';
import type { Unit } from './units.ts';
import { elementAt, lastElement } from '../../domain/elements.ts';

interface Item {
  readonly at: number;
  readonly to: number;
  readonly numeral: Numeral;
  readonly isNegative: boolean;
  /** Half is added: "dois e meio", "dois centímetros e meio". */
  readonly isHalf: boolean;
  readonly unit: Unit | undefined;
  /** The token after the number itself, before unit and half. */
  readonly numberTo: number;
}

interface Joint {
  readonly kinds: readonly Connector[];
  readonly at: number;
  readonly to: number;
}

interface Chain {
  readonly items: readonly Item[];
  /** Before each item but the first. */
  readonly joints: readonly Joint[];
}

/** Units that may be below zero. */
const signedUnits = new Set(['UH', 'HU', '°C', 'dB', '°']);

/** `before`: the joint with the number before it, if there is one. */
function itemAt(
  tokens: readonly Token[],
  at: number,
  reading: NumberReading,
  words: MeasureWords,
  before?: Joint,
): Item | undefined {
  const isNegative = tokens[at]?.kind === 'word' && words.minus.has(elementAt(tokens, at).folded);
  const start = isNegative ? at + 1 : at;
  const numeral = reading.numerals.get(start);
  if (!numeral) return undefined;
  const item = { at, numeral, isNegative, numberTo: numeral.to };
  const inner = numeral.isDecimal ? undefined : phraseAt(tokens, numeral.to, words.halfAfter);
  // "dois milhões e meio": half of a million.
  const scale = elementAt(tokens, numeral.to - 1);
  if (inner && scale.kind === 'word' && (words.million.has(scale.folded) || words.thousand.has(scale.folded)))
    return undefined;
  const halved = inner ? unitAt(tokens, inner.to, words.units) : undefined;
  if (inner && halved?.symbol) return { ...item, isHalf: true, unit: halved, numberTo: inner.to, to: halved.to };
  // "two and a half by three centimeters"
  if (inner && (before?.kinds.includes('times') === true || sharesMeasure(tokens, inner.to, reading, words)))
    return { ...item, isHalf: true, unit: undefined, numberTo: inner.to, to: inner.to };
  // "five-millimeter"
  const place = numeral.isSpoken ? nextWord(tokens, numeral.to) : overPause(tokens, numeral.to, words);
  const unit =
    reading.signs.get(place) === 'times'
      ? undefined
      : (thousandthsAt(tokens, numeral, words) ?? unitAt(tokens, place, words.units));
  if (!unit) return { ...item, isHalf: false, unit: undefined, to: numeral.to };
  const outer = unit.symbol !== null && !numeral.isDecimal ? phraseAt(tokens, unit.to, words.halfAfter) : undefined;
  return { ...item, isHalf: outer !== undefined, unit, to: outer?.to ?? unit.to };
}

/** Whether a factor, the end of a range, or another number with a unit follows. */
function sharesMeasure(tokens: readonly Token[], at: number, reading: NumberReading, words: MeasureWords): boolean {
  const joint = jointAt(tokens, at, words);
  const isShared = joint?.kinds.some((kind) => kind === 'times' || kind === 'range' || kind === 'and') === true;
  const next = isShared ? itemAt(tokens, joint.to, reading, words, joint) : undefined;
  return next !== undefined && (next.unit?.symbol != null || next.isHalf || joint?.kinds.includes('times') === true);
}

/** "4,2, cm.": a recogniser's comma between a figure and its unit. */
function overPause(tokens: readonly Token[], at: number, { units }: MeasureWords): number {
  const unit = tokens[at]?.text === ',' ? unitAt(tokens, at + 1, units) : undefined;
  return unit?.symbol != null && endsClause(tokens, unit.to) ? at + 1 : at;
}

/** "cento e cinquenta mil por milímetro cúbico": a count per volume has no unit before "por". */
function thousandthsAt(tokens: readonly Token[], { to, digits }: Numeral, words: MeasureWords): Unit | undefined {
  const per = tokens[to];
  if (Number(digits) < 1000 || per?.kind !== 'word' || !words.units.per.has(per.folded)) return undefined;
  const found = phraseAt(tokens, to + 1, words.units.denominators);
  return found && { to: found.to, symbol: `/${found.value}`, isTight: true, of: undefined };
}

function jointAt(tokens: readonly Token[], at: number, words: MeasureWords): Joint | undefined {
  const token = tokens[at];
  if (token === undefined) return undefined;
  const marker = phraseAt(tokens, token.text === ',' ? at + 1 : at, words.markers);
  if (marker) return { kinds: ['marker'], at, to: tokens[marker.to]?.text === ',' ? marker.to + 1 : marker.to };
  const next = tokens[at + 1];
  if (token.folded === 'out' && next?.folded === 'of') return { kinds: ['of'], at, to: at + 2 };
  // "4,8, por 4,1": a recogniser's comma before the sign of a size.
  const afterComma = token.text === ',' && next?.kind === 'word' ? words.connectors.get(next.folded) : undefined;
  if (afterComma?.includes('times')) return { kinds: afterComma, at, to: at + 2 };
  if (token.text === ',') return { kinds: ['comma'], at, to: at + 1 };
  const kinds = words.connectors.get(token.folded);
  // "1.2 by, 3.4"
  if (kinds?.includes('times') && next?.text === ',') return { kinds, at, to: at + 2 };
  // "de três e de cinco": the preposition is repeated.
  const isRepeated = kinds?.includes('and') === true && words.connectors.get(next?.folded ?? '')?.includes('of');
  return kinds && { kinds, at, to: isRepeated ? at + 2 : at + 1 };
}

/** As many consecutive numbers as only connectors separate. */
function chainAt(tokens: readonly Token[], at: number, reading: NumberReading, words: MeasureWords): Chain | undefined {
  const first = itemAt(tokens, at, reading, words);
  if (!first) return undefined;
  const items = [first];
  const joints: Joint[] = [];
  for (let last = first; ; last = lastElement(items)) {
    const joint = jointAt(tokens, last.to, words);
    const item = joint && itemAt(tokens, joint.to, reading, words, joint);
    // "uno de 8 mm": a count, and a measure of the counted things.
    const isMeasureOf = joint?.kinds.includes('of') && item?.unit !== undefined && last.unit === undefined;
    if (!joint || !item || isMeasureOf) return withoutCommas({ items, joints });
    joints.push(joint);
    items.push(item);
  }
}

/** How many items of the chain belong together: up to the last one with a unit, if the others can share it. */
function measured({ items }: Chain): number {
  return items.findLastIndex(({ unit }) => unit !== undefined) + 1;
}

/** Commas join only a list that ends with "and": "três, quatro e sete milímetros". */
function withoutCommas({ items, joints }: Chain): Chain {
  const comma = joints.findIndex(({ kinds }) => kinds.includes('comma'));
  const last = joints[measured({ items, joints }) - 2];
  const isList = last?.kinds.includes('and') === true && items.slice(0, -1).every(({ unit }) => !unit);
  return comma < 0 || isList ? { items, joints } : { items: items.slice(0, comma + 1), joints: joints.slice(0, comma) };
}

/**
 * The numbers that begin at the token `at`, in written form. `isForced`: after a sign even a small count becomes a
 * figure.
 */
export function measureAt(
  tokens: readonly Token[],
  at: number,
  { reading, words, isForced = false }: { reading: NumberReading; words: MeasureWords; isForced?: boolean },
): Conversion | undefined {
  const half = halfAt(tokens, at, words);
  const chain = half ? undefined : chainAt(tokens, at, reading, words);
  if (!chain) return half;
  const [first] = chain.items as [Item];
  if (first.isNegative && !isBelowZero(tokens, chain, words)) return undefined;
  const compound = apart(tokens, chain, reading, words);
  if (compound) return compound;
  const count = measured(chain);
  if (count === 0) return bare(tokens, chain, { reading, words, isForced });
  const items = chain.items.slice(0, count);
  // "um ano", "one year", "um grau de": an article and a noun.
  const { unit, numeral } = first;
  const isOne = numeral.isArticle || (numeral.isSpoken && numeral.digits === '1' && !followsTime(tokens, at, words));
  if (count === 1 && isOne && !isForced && (unit?.symbol === null || unit?.symbol === '°')) {
    return { rule: 'unit', to: first.to, pieces: [] };
  }
  const [joint] = chain.joints;
  if (
    items.length === 2 &&
    elementAt(items, 1).unit?.symbol === 'mmHg' &&
    joint &&
    /times|over/.test(joint.kinds.join())
  ) {
    return pressure(tokens, items as [Item, Item], joint, words);
  }
  const shared = sharedUnit(items, chain.joints);
  const pieces = items.flatMap((item, i): Piece[] => {
    const isLast = i === items.length - 1;
    const joint = chain.joints[i];
    const hidesUnit = shared !== undefined && !isLast;
    const [number, ...rest] = buildPieces(tokens, item, words, hidesUnit);
    // "120/80 mmHg", but "3x4 mm" with spaces.
    const isTight = i > 0 && !elementAt(tokens, item.at).spaced && !isSize(items, chain.joints, i - 1);
    return [
      { ...number, isTight },
      ...rest,
      ...(isLast || !joint ? [] : [jointPiece(tokens, joint, isSize(items, chain.joints, i) ? 'x' : undefined)]),
    ];
  });
  return { rule: nameRule(items, chain.joints), to: lastElement(items).to, pieces };
}

/** "thirty five weeks one day": the continuation of a time. */
const followsTime = (tokens: readonly Token[], at: number, { units }: MeasureWords): boolean =>
  [1, 2].some((back) => unitAt(tokens, at - back, units)?.of === 'time');

const nameRule = (items: readonly Item[], joints: readonly Joint[]): string => {
  if (items.length > 1 && joints[0]?.kinds.includes('times')) return 'size';
  return items.length > 1 ? 'range' : elementAt(items, 0).unit?.symbol === '%' ? 'percent' : 'unit';
};

/** Whether the joint after item `i` is between two factors. */
const isSize = (items: readonly Item[], joints: readonly Joint[], i: number): boolean =>
  joints[i]?.kinds.includes('times') === true &&
  items[i + 1] !== undefined &&
  // "500 mg por 7 dias"
  [items[i], items[i + 1]].every((item) => item?.unit?.of !== 'time');

/** The unit of factors that share one, or leave it to the last. */
function sharedUnit(items: readonly Item[], joints: readonly Joint[]): string | undefined {
  const last = items.at(-1)?.unit;
  const areFactors = items.length > 1 && items.slice(1).every((_, i) => isSize(items, joints, i));
  return areFactors && last?.symbol && items.every(({ unit }) => !unit || unit.symbol === last.symbol)
    ? last.symbol
    : undefined;
}

function isBelowZero(tokens: readonly Token[], { items }: Chain, words: MeasureWords): boolean {
  const [first] = items as [Item];
  const before = tokens[first.at - 1];
  if (before?.kind === 'word' && words.notMinusAfter.has(before.folded)) return false;
  const unit = items.find((item) => item.unit)?.unit;
  const isNear = (of: ReadonlySet<string>): boolean =>
    tokens.slice(Math.max(0, first.at - 6), first.at).some((token) => of.has(token.folded));
  if (unit)
    return unit.symbol !== null && (signedUnits.has(unit.symbol) || (unit.symbol === '%' && isNear(words.strain)));
  // "T-score de menos dois vírgula cinco"
  return isNear(words.minusContexts);
}

const jointPiece = (tokens: readonly Token[], { at, to }: Joint, text?: string): Piece =>
  text === undefined ? { from: at, to, isTight: !elementAt(tokens, at).spaced } : { from: at, to, text };

/** The pieces of a number, the first of which has its figures. */
type Pieces = [Piece, ...Piece[]];

function buildPieces(tokens: readonly Token[], item: Item, words: MeasureWords, hidesUnit: boolean): Pieces {
  const { unit } = item;
  const [number, ...rest] = numberPieces(tokens, item, words);
  if (!unit) return [number, ...rest];
  if (hidesUnit) return [{ ...number, to: item.to }];
  const from = rest.at(-1)?.to ?? number.to;
  if (unit.symbol === null) return [number, ...rest, { from, to: item.to }];
  return [number, ...rest, { from, to: item.to, text: unit.symbol, isTight: unit.isTight }];
}

/** The number, and "mil" where it stays a word. */
function numberPieces(tokens: readonly Token[], item: Item, words: MeasureWords): Pieces {
  const { numeral, at, numberTo, isHalf, isNegative } = item;
  const start = isNegative ? at + 1 : at;
  const sign = isNegative ? '-' : '';
  const last = tokens[numeral.to - 1];
  const isBelowMillion = Number(numeral.digits) < 1_000_000;
  if (
    words.keepsThousand &&
    isBelowMillion &&
    numeral.to > start + 1 &&
    last?.kind === 'word' &&
    words.thousand.has(last.folded)
  ) {
    const text = figure(String(Number(numeral.digits) / 1000), words.style);
    return [
      { from: at, to: numeral.to - 1, text: sign + text },
      { from: numeral.to - 1, to: numberTo },
    ];
  }
  const digits = isHalf ? `${numeral.digits}.5` : numeral.digits;
  const token = elementAt(tokens, start);
  const isMeasured = item.unit?.symbol != null;
  const text =
    numeral.isSpoken || isHalf ? figure(digits, words.style, isMeasured) : rewritten(token, digits, words.style);
  return [{ from: at, to: numberTo, text: sign + text }];
}

/** "meio centímetro", "half a centimeter" */
function halfAt(tokens: readonly Token[], at: number, words: MeasureWords): Conversion | undefined {
  const half = phraseAt(tokens, at, words.halfAlone);
  const unit = half && unitAt(tokens, half.to, words.units);
  if (!half || !unit?.symbol || unit.isTight) return undefined;
  return {
    rule: 'unit',
    to: unit.to,
    pieces: [
      { from: at, to: half.to, text: figure('0.5', words.style) },
      { from: half.to, to: unit.to, text: unit.symbol },
    ],
  };
}

/** Tens with an ordinal after them ("sixty third"), or two that are a year ("twenty twenty four"): they stay words. */
function apart(
  tokens: readonly Token[],
  { items: [first, ...others] }: Chain,
  { numerals }: NumberReading,
  words: MeasureWords,
): Conversion | undefined {
  if (!first?.numeral.isSpoken || others.length > 0) return undefined;
  const { to } = first.numeral;
  const [value, next] = [Number(first.numeral.digits), numerals.get(to)];
  const ordinal = words.ordinals.get(tokens[to]?.folded ?? '');
  const isCompound = value >= 20 && value % 10 === 0 && ordinal !== undefined && ordinal < 10;
  if (isCompound) return { rule: 'count', to: to + 1, pieces: [] };
  const isPair = next?.isSpoken === true && /^[1-9]\d$/.test(next.digits);
  // "nineteen ninety eight", and "three fifty": no half of it is converted.
  const isWhole = (value >= 18 && value <= 21) || (value > 0 && value < 10 && !first.numeral.isArticle);
  return isPair && isWhole && !unitAt(tokens, next.to, words.units)
    ? { rule: 'count', to: next.to, pieces: [] }
    : undefined;
}

/** Counts above ten and decimals become figures, and smaller neighbours with them ("3 de 12"). */
function bare(
  tokens: readonly Token[],
  chain: Chain,
  { reading, words, isForced }: { reading: NumberReading; words: MeasureWords; isForced: boolean },
): Conversion | undefined {
  const pressure = readPressure(tokens, chain, reading, words);
  if (pressure) return pressure;
  const isSized = (kinds: readonly Connector[]): boolean =>
    kinds.includes('times') && !(kinds.includes('over') && !speaksOfSize(tokens, chain, words));
  const end = chain.joints.findIndex(({ kinds }) => kinds.includes('marker'));
  const items = end < 0 ? chain.items : chain.items.slice(0, end + 1);
  const isFigure = ({ numeral }: Item): boolean =>
    numeral.isDecimal || !numeral.isSpoken || (Number(numeral.digits) > 10 && !isLoneThousand(tokens, numeral));
  const isLoneThousand = (of: readonly Token[], { to, digits }: Numeral): boolean =>
    digits === '1000' && of[to - 1]?.kind === 'word' && words.thousand.has(elementAt(of, to - 1).folded);
  const joints = chain.joints.slice(0, items.length - 1);
  const hasSize = joints.some(({ kinds }) => isSized(kinds));
  const hasSlash = joints.some(({ kinds }) => kinds.includes('slash'));
  if (!isForced && !hasSize && !hasSlash && !items.some(isFigure)) {
    return { rule: 'count', to: lastElement(items).to, pieces: [] };
  }
  const isPart = joints.some(({ kinds }) => kinds.includes('of'));
  const pieces = items.flatMap((item, i): Piece[] => [
    ...(item.numeral.isArticle && !hasSize && !hasSlash && !isPart && !isForced
      ? [{ from: item.at, to: item.to }]
      : numberPieces(tokens, item, words).map((piece) => ({
          ...piece,
          isTight: hasSlash && !elementAt(tokens, item.at).spaced,
        }))),
    ...(joints[i] ? [jointPiece(tokens, joints[i], isSized(joints[i].kinds) ? 'x' : undefined)] : []),
  ]);
  return { rule: hasSize ? 'size' : 'count', to: lastElement(items).to, pieces };
}

/** "por" is between factors if one of them is a decimal, or the words before are about a size. */
function speaksOfSize(tokens: readonly Token[], { items }: Chain, words: MeasureWords): boolean {
  const at = elementAt(items, 0).at;
  return (
    items.some(({ numeral }) => numeral.isDecimal) ||
    items.length > 2 ||
    tokens.slice(Math.max(0, at - 4), at).some((token) => words.sizes.has(token.folded))
  );
}

/** Words before a visual acuity, at most: one word names the acuity of both eyes. */
const acuityReach = 16;

/** "cento e vinte por oitenta": 120/80; "acuity twenty over forty": 20/40. */
function readPressure(
  tokens: readonly Token[],
  { items, joints }: Chain,
  { numerals }: NumberReading,
  words: MeasureWords,
): Conversion | undefined {
  const [systolic, diastolic] = items;
  const [joint] = joints;
  if (!systolic || !diastolic || !joint?.kinds.includes('over')) return undefined;
  const [high, low] = [Number(systolic.numeral.digits), Number(diastolic.numeral.digits)];
  const isNamed = tokens
    .slice(Math.max(0, systolic.at - 6), systolic.at)
    .some((token) => words.pressure.has(token.folded));
  // "Lesão de 80 por 45", "medindo 120 por 80", "80 por 40 7 mm"
  const isOfThing =
    words.connectors.get(tokens[systolic.at - 1]?.folded ?? '')?.includes('of') === true ||
    speaksOfSize(tokens, { items: [systolic], joints: [] }, words);
  const isInRange = high >= 70 && high <= 260 && low >= 30 && low <= 150 && high > low;
  const isLikely = isInRange && !isOfThing && !numerals.has(diastolic.to) && !numerals.has(diastolic.to + 1);
  const isOver = !joint.kinds.includes('times');
  const isAcuity =
    (high === 20 || high === 6) &&
    tokens.slice(Math.max(0, systolic.at - acuityReach), systolic.at).some(({ folded }) => words.acuity.has(folded));
  if (!isAcuity && !isLikely && !(isNamed && high > low) && !(isOver && endsClause(tokens, diastolic.to)))
    return undefined;
  if (systolic.numeral.isDecimal || diastolic.numeral.isDecimal) return undefined;
  return pressure(tokens, [systolic, diastolic], joint, words);
}

/** 120/80, with the unit if it was said. */
function pressure(
  tokens: readonly Token[],
  [systolic, diastolic]: readonly [Item, Item],
  joint: Joint,
  words: MeasureWords,
): Conversion {
  const [low, ...rest] = buildPieces(tokens, diastolic, words, false);
  return {
    rule: 'pressure',
    to: diastolic.to,
    pieces: [
      ...numberPieces(tokens, { ...systolic, numberTo: systolic.to }, words),
      { from: joint.at, to: joint.to, text: '/', isTight: true },
      { ...low, isTight: true },
      ...rest,
    ],
  };
}

/** "El mayor de 12 mm", "la lesión mayor de 5 cm" */
function isSuperlative(tokens: readonly Token[], at: number, { superlatives }: MeasureWords): boolean {
  const isArticle = (token: Token | undefined): boolean => superlatives.articles.has(token?.folded ?? '');
  const hasNoun = tokens[at - 1]?.kind === 'word' && phraseAt(tokens, at, superlatives.withNoun) !== undefined;
  return isArticle(tokens[at - 1]) || (hasNoun && isArticle(tokens[at - 2]));
}

/** A spoken sign before a number, such as "maior que": returns where its number begins. */
export function signAt(
  tokens: readonly Token[],
  at: number,
  { reading, words }: { reading: NumberReading; words: MeasureWords },
): { readonly to: number; readonly sign: string } | undefined {
  const sign = phraseAt(tokens, at, words.signs);
  const numeral = sign && reading.numerals.get(sign.to);
  if (!sign || !numeral || isSuperlative(tokens, at, words)) return undefined;
  // "maior que um nódulo"
  const isCount = numeral.isArticle && !unitAt(tokens, numeral.to, words.units) && !endsClause(tokens, numeral.to);
  return isCount ? undefined : { to: sign.to, sign: sign.value };
}
