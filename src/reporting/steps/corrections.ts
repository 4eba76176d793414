/**
 * Self-corrections: similar words replace the corrected ones ("direito, digo, esquerdo"). Without similar words the
 * text stays, and there is a question.
 */
import { fold, phraseList, wordList, wordSet } from '../../domain/fold.ts';
import type { CorrectionTables } from '../languages/tables.ts';
import { areSameKind, kindAt } from '../words/token-kinds.ts';
import type { TokenKind, KindWords } from '../words/token-kinds.ts';
import type { Change, Doubt, HeardFate } from '../operation.ts';
import { buildFates } from '../operation.ts';
import { integerAt } from '../numbers/numeral.ts';
import { unitAt } from '../numbers/units.ts';
import { indexPhrases, phraseAt, phraseSet } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import { endsSentence } from '../words/sentences.ts';
import { writtenTokens } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { commandAt, scratchAt } from './scratch.ts';
import { elementAt } from '../../domain/elements.ts';

export interface CorrectionWords {
  readonly markers: PhraseIndex<'sure' | 'weak' | 'strike'>;
  readonly scratch: PhraseIndex<true>;
  readonly between: ReadonlySet<string>;
  readonly negations: ReadonlySet<string>;
  readonly fillers: ReadonlySet<string>;
  /** Preposition, alone or with its article → its line in the table. */
  readonly prepositions: ReadonlyMap<string, number>;
  /** Marks of doubt only if they are isolated, and no word of these follows. */
  readonly apart: PhraseIndex<true>;
  readonly goesOn: ReadonlySet<string>;
  readonly likes: KindWords;
}

export function readCorrections(tables: CorrectionTables, likes: KindWords): CorrectionWords {
  const kinds = (['sure', 'weak', 'strike'] as const).flatMap((kind) =>
    phraseList(tables[kind === 'sure' ? 'markers' : kind]).map((phrase) => [phrase, kind] as const),
  );
  return {
    markers: indexPhrases(kinds),
    scratch: phraseSet(`${tables.scratch}, ${tables.strike}`),
    between: wordSet(fold(tables.between)),
    negations: wordSet(tables.negations),
    fillers: wordSet(tables.fillers),
    prepositions: new Map(tables.prepositions.flatMap((line, at) => wordList(line).map((word) => [word, at] as const))),
    apart: phraseSet(tables.apart),
    goesOn: wordSet(tables.goesOn),
    likes,
  };
}

export interface CorrectionResult {
  readonly changes: Change[];
  readonly doubts: { readonly from: number; readonly to: number }[];
}

/** The largest number of words before a marker, and after it, that are considered: people correct no more at once. */
const reach = 24;

/** The words before a marker and after it, as ranges of tokens. */
interface Place {
  readonly tokens: readonly Token[];
  /** The first word that can be removed, and the end of those words. */
  readonly start: number;
  readonly end: number;
  /** The first word after the marker, and the end of its clause. */
  readonly from: number;
  readonly to: number;
}

/** A replacement: `by` moves to the place of `old`, and `echo` repeats words that stay. */
interface Repair {
  readonly old: readonly [from: number, to: number];
  readonly by: readonly [from: number, to: number];
  readonly echo?: readonly [from: number, to: number];
}

/** `doubted`: numbers with several readings, as ranges of heard tokens. */
export function correct(
  tokens: readonly Token[],
  words: CorrectionWords,
  doubted: readonly DoubtRange[],
): CorrectionResult {
  const changes: Change[] = [];
  const doubts: { from: number; to: number }[] = [];
  let free = 0;
  let at = 0;
  while (at < tokens.length) {
    const found = markerAt(tokens, at, words);
    if (!found) {
      // Text that a command deletes cannot be corrected.
      const taken = scratchAt(tokens, at, words.scratch);
      free = taken ?? free;
      at = taken ?? at + 1;
      continue;
    }
    const place = findPlace(tokens, at, found.to, free);
    const repair = findRepair(place, words);
    const isCut = repair !== undefined && doubted.some((number) => cuts(place, repair, number));
    if (repair && !isCut && !found.isDoubtful) {
      const change = changeFor(place, repair, words);
      changes.push(change);
      free = change.to;
      at = change.to;
      continue;
    }
    if (found.kind === 'sure' || isCut || (found.isDoubtful && repair) || isIsolated(tokens, at, words))
      doubts.push({ from: at, to: found.to });
    at = found.to;
  }
  return { changes, doubts };
}

type DoubtRange = Pick<Doubt, 'from' | 'to'>;

/** Whether a part of the number would be removed: "dois vírgula um, digo, três" is not three point one. */
function cuts({ tokens, start, end }: Place, { old: [from, to] }: Repair, number: DoubtRange): boolean {
  const isOf = (token: Token): boolean => token.from >= number.from && token.to <= number.to;
  return tokens.slice(from, to).some(isOf) && [...tokens.slice(start, from), ...tokens.slice(to, end)].some(isOf);
}

interface Marker {
  readonly to: number;
  readonly kind: 'sure' | 'weak' | 'strike';
  readonly isDoubtful: boolean;
}

function markerAt(tokens: readonly Token[], at: number, words: CorrectionWords): Marker | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  const found = commandAt(tokens, at, words.markers);
  if (found) return { to: found.to, kind: found.value, isDoubtful: false };
  if (!words.between.has(token.folded)) return undefined;
  // "right no I mean left": the denial belongs to the command.
  const command = commandAt(tokens, tokens[at + 1]?.text === ',' ? at + 2 : at + 1, words.markers);
  if (command) return { to: command.to, kind: command.value, isDoubtful: false };
  return betweenAt(tokens, at, words.likes);
}

/** "right, no, left": a denial in between is a correction with a comma after it, otherwise perhaps one. */
function betweenAt(tokens: readonly Token[], at: number, likes: KindWords): Marker | undefined {
  const hasComma = tokens[at + 1]?.text === ',';
  const next = kindAt(tokens, hasComma ? at + 2 : at + 1, likes);
  const last = tokens[at - 1]?.text === ',' ? at - 2 : at - 1;
  const before =
    next &&
    [last, last - 1, last - 2]
      .map((from) => (from < 0 ? undefined : kindAt(tokens, from, likes)))
      .find((like) => like?.to === last + 1);
  if (!next || !before || !areSameKind(before, next)) return undefined;
  return { to: at + 1, kind: 'weak', isDoubtful: !hasComma };
}

/** A hyphen is one only between spaces: not in "L4-L5". */
const isComma = (token: Token | undefined): boolean =>
  token?.kind === 'mark' && (/^[,;:…]$/.test(token.text) || (token.text === '-' && token.spaced));

function findPlace(tokens: readonly Token[], marker: number, after: number, free: number): Place {
  let end = marker;
  while (end > free && isComma(tokens[end - 1])) end -= 1;
  // A recogniser may end the sentence before "digo"; then the last sentence is corrected.
  if (end > free && end === marker && tokens[end - 1]?.text === '.' && endsSentence(tokens, end - 1)) end -= 1;
  let start = end;
  while (start > Math.max(free, end - reach) && !endsSentence(tokens, start - 1)) start -= 1;
  let from = after;
  while (isComma(tokens[from])) from += 1;
  let to = from;
  while (to < Math.min(tokens.length, from + reach) && !endsSentence(tokens, to) && !isComma(tokens[to])) to += 1;
  return { tokens, start, end, from, to };
}

const findRepair = (place: Place, words: CorrectionWords): Repair | undefined =>
  place.start === place.end || place.from === place.to
    ? undefined
    : (repairRepeatedSentence(place, words) ??
      repairRepeatedPhrase(place, words) ??
      repairDenial(place, words) ??
      repairLike(place, words) ??
      repairUnit(place, words) ??
      repairEcho(place, words) ??
      repairPreposition(place, words));

interface Alignment {
  /** The ends of the similar words before and after the marker. */
  readonly old: number;
  readonly by: number;
  readonly hasDifference: boolean;
}

/** The extent of equal or similar words from `old` and from `by` on. */
function alignRepair({ tokens, end, to }: Place, old: number, by: number, { likes }: CorrectionWords): Alignment {
  let hasDifference = false;
  while (old < end && by < to) {
    if (elementAt(tokens, old).folded === elementAt(tokens, by).folded) {
      old += 1;
      by += 1;
      continue;
    }
    const [a, b] = [kindAt(tokens, old, likes), kindAt(tokens, by, likes)];
    if (!a || !b || !areSameKind(a, b) || a.to > end || b.to > to) break;
    hasDifference = true;
    // The unit of a measure stays until another replaces it.
    old = a.unit && !b.unit ? a.numberTo : a.to;
    by = b.to;
  }
  return { old, by, hasDifference };
}

/** Places of the word `by` before the marker, the last one first. */
function findWordPlaces({ tokens, start, end }: Place, by: number): number[] {
  const found: number[] = [];
  for (let at = end - 1; at >= start && found.length < 4; at -= 1) {
    const token = elementAt(tokens, at);
    // Not inside "L4-L5".
    if (token.kind === 'word' && token.spaced && token.folded === elementAt(tokens, by).folded) found.push(at);
  }
  return found;
}

/**
 * The speaker repeats the sentence from its first words on: "there is an effusion, correction, there is no effusion".
 */
function repairRepeatedSentence(place: Place, words: CorrectionWords): Repair | undefined {
  const { tokens, start, end, from, to } = place;
  const isSame = (i: number): boolean => elementAt(tokens, start + i).folded === elementAt(tokens, from + i).folded;
  const isLong = end - start > 2 && to - from > 2;
  const isRepeated =
    isLong && isSame(0) && isSame(1) && !isBeforeUnit(place, alignRepair(place, start, from, words), words);
  return isRepeated ? { old: [start, end], by: [from, to] } : undefined;
}

/** Whether a number is repeated without its unit, which stays: "nodule of 2 cm, I mean, nodule of three". */
const isBeforeUnit = ({ tokens }: Place, { old }: Alignment, { likes }: CorrectionWords): boolean =>
  tokens[old - 1]?.kind === 'figure' && unitAt(tokens, old, likes.units) !== undefined;

/** Whether the words at `at` are those of a denial: "no", or "não se observa", right before them. */
const isDeniedAt = ({ tokens, start }: Place, at: number, { negations }: CorrectionWords): boolean =>
  tokens.slice(Math.max(start, at - 3), at).some(({ folded }) => negations.has(folded));

/** The words before a repeated one: "subclavia derecha, mejor dicho, yugular derecha". */
function repairEcho(place: Place, words: CorrectionWords): Repair | undefined {
  const [{ tokens, start, end, from, to }, { fillers }] = [place, words];
  const last = elementAt(tokens, end - 1);
  if (last.kind !== 'word' || fillers.has(last.folded)) return undefined;
  for (let at = from + 1; at < Math.min(to, from + 3); at += 1) {
    if (elementAt(tokens, at).folded !== last.folded) continue;
    const old = end - 1 - (at - from);
    const areWords = tokens.slice(old, end).every(({ kind, folded }) => kind === 'word' && !fillers.has(folded));
    // "No hay líquido libre, corrijo, mínimo líquido libre": the verb of a denial does not go without it.
    const isMeant = old >= start && areWords && !isDeniedAt(place, old, words);
    return isMeant ? { old: [old, end], by: [from, at + 1] } : undefined;
  }
  return undefined;
}

/** The largest number of words in a repeated phrase with a preposition. */
const maxPhrase = 6;

/**
 * The last phrase with the same preposition: "fratura do colo do rádio, digo, do úmero". If more words are repeated,
 * the same number: "do colo do rádio, digo, do colo do úmero".
 */
function repairPreposition({ tokens, start, end, from, to }: Place, words: CorrectionWords): Repair | undefined {
  const lineAt = (at: number): number | undefined => words.prepositions.get(elementAt(tokens, at).folded);
  const line = lineAt(from);
  const noun = from + 1 < to && words.fillers.has(elementAt(tokens, from + 1).folded) ? from + 2 : from + 1;
  if (
    line === undefined ||
    noun >= to ||
    elementAt(tokens, noun).kind !== 'word' ||
    kindAt(tokens, noun, words.likes)?.kind === 'measure'
  )
    return undefined;
  let best: { at: number; same: number } | undefined;
  for (let at = end - 1; at >= Math.max(start, end - maxPhrase); at -= 1) {
    const token = elementAt(tokens, at);
    const other = lineAt(at);
    // A figure, a mark or a phrase of another kind is not removed unsaid; "of" is a part of any phrase.
    if (token.kind !== 'word' || words.negations.has(token.folded)) break;
    if (other !== undefined && other !== line && other !== 0) break;
    if (other !== line || end - at < 2) continue;
    let same = 0;
    while (
      at + same < end &&
      from + same < to &&
      elementAt(tokens, at + same).folded === elementAt(tokens, from + same).folded
    )
      same += 1;
    const isSaidAgain = tokens
      .slice(at, at + same)
      .some(({ folded }) => !words.fillers.has(folded) && !words.prepositions.has(folded));
    if (!best || (isSaidAgain && same > best.same)) best = { at, same };
  }
  return best && { old: [best.at, end], by: [from, from + 1] };
}

/** "Nódulo sólido, correção, derrame": between marks the word is no noun of its sentence. */
function isIsolated(tokens: readonly Token[], at: number, words: CorrectionWords): boolean {
  const found = phraseAt(tokens, at, words.apart);
  const [before, after] = [tokens[at - 1], tokens[found?.to ?? at]];
  if (!found || !before || !after || before.kind !== 'mark') return false;
  if (isComma(after) || after.text === '.') return true;
  return endsSentence(tokens, at - 1) && after.kind === 'word' && !words.goesOn.has(after.folded);
}

/** "5.2 mm, I mean, centimeters": the unit alone. */
function repairUnit({ tokens, start, end, from, to }: Place, { likes }: CorrectionWords): Repair | undefined {
  const by = unitAt(tokens, from, likes.units);
  if (!by?.symbol || by.to > to) return undefined;
  for (let at = end - 1; at > start; at -= 1) {
    const old = elementAt(tokens, at - 1).kind === 'figure' ? unitAt(tokens, at, likes.units) : undefined;
    if (old?.symbol && old.to === end) return { old: [at, end], by: [from, by.to] };
  }
  return undefined;
}

/** The speaker repeats the phrase: "no lobo direito, digo, no lobo esquerdo". */
function repairRepeatedPhrase(place: Place, words: CorrectionWords): Repair | undefined {
  const { tokens, start, end, from, to } = place;
  if (elementAt(tokens, from).kind !== 'word') return undefined;
  for (const at of findWordPlaces(place, from)) {
    const aligned = alignRepair(place, at, from, words);
    // If nothing differs, the speaker repeated a denial without its "não".
    if (aligned.old === end) {
      const isDenied = !aligned.hasDifference && at > start && words.negations.has(elementAt(tokens, at - 1).folded);
      // "Não se observa fratura, correção, fratura antiga": denied or not?
      if (!aligned.hasDifference && !isDenied && isDeniedAt(place, at, words)) return undefined;
      return { old: [isDenied ? at - 1 : at, end], by: [from, aligned.by] };
    }
    if (aligned.by === to && aligned.hasDifference) return { old: [at, aligned.old], by: [from, to] };
    // The same head noun, with little after it.
    const isHead = !words.fillers.has(elementAt(tokens, from).folded) && elementAt(tokens, from).text.length > 3;
    const rest = tokens.slice(aligned.old, end);
    const isShort =
      rest.length <= 2 &&
      !isBeforeUnit(place, aligned, words) &&
      rest.every((token, i) => token.kind === 'word' && !kindAt(rest, i, words.likes));
    if (isHead && isShort) return { old: [at, end], by: [from, aligned.by] };
  }
  return undefined;
}

/** "há derrame, digo, não há derrame"; "com derrame, digo, sem derrame". */
function repairDenial(place: Place, words: CorrectionWords): Repair | undefined {
  const { tokens, start, end, from, to } = place;
  if (!words.negations.has(elementAt(tokens, from).folded) || from + 1 >= to) return undefined;
  for (const at of findWordPlaces(place, from + 1)) {
    const aligned = alignRepair(place, at, from + 1, words);
    if (aligned.old !== end || aligned.hasDifference) continue;
    const [before, negation] = [kindAt(tokens, at - 1, words.likes), kindAt(tokens, from, words.likes)];
    const hasLike = at > start && before !== undefined && negation !== undefined && areSameKind(before, negation);
    return { old: [hasLike ? at - 1 : at, end], by: [from, aligned.by] };
  }
  return undefined;
}

/** The last similar words before the marker: "direito, digo, esquerdo"; "6 mm, digo, 8 mm". */
function repairLike(place: Place, words: CorrectionWords): Repair | undefined {
  const { tokens, start, end, from, to } = place;
  let at = from;
  while (
    at < Math.min(to, from + 4) &&
    words.fillers.has(elementAt(tokens, at).folded) &&
    !kindAt(tokens, at, words.likes)
  )
    at += 1;
  const by = kindAt(tokens, at, words.likes);
  if (!by || by.to > to) return undefined;
  const found = lastLike(place, by, words);
  if (!found) return undefined;
  const { from: old, like } = found;
  const target = replacedPart(tokens, { old, like }, { at, by }, end);
  if (!target) return undefined;
  // Small words before both are part of the replaced words: "à direita, digo, à esquerda".
  const fillers = at - from;
  const hasFillers =
    fillers > 0 &&
    old - fillers >= start &&
    tokens.slice(old - fillers, old).every((token) => words.fillers.has(token.folded));
  const rest = sameRest(tokens, [target.to, end], [target.by, to]);
  if (rest === undefined) return undefined;
  return {
    old: [hasFillers ? old - fillers : target.from, target.to],
    by: [hasFillers ? from : target.byFrom, target.by],
    ...(rest > 0 && { echo: [target.by, target.by + rest] as const }),
  };
}

function lastLike(
  { tokens, start, end }: Place,
  by: TokenKind,
  { likes }: CorrectionWords,
): { from: number; like: TokenKind } | undefined {
  for (let at = end - 1; at >= start; at -= 1) {
    // The second level of "L4-L5" is a part of a token sequence of one kind.
    if (at > start && elementAt(tokens, at).kind === 'word' && !elementAt(tokens, at).spaced) continue;
    const like = kindAt(tokens, at, likes);
    if (!like || like.to > end) continue;
    const isInside =
      at > start && elementAt(tokens, at).kind === 'figure' && /^[x×/-]$/.test(elementAt(tokens, at - 1).text);
    if (isInside && by.kind === 'measure' && by.factors > 1) continue;
    if (like.kind !== by.kind && !areSameKind(like, by)) continue;
    // "3,2 x 1,8, digo, 1,9 cm": the last factor, right before the marker.
    if (isInside && (like.unit !== undefined || like.to !== end)) return undefined;
    return areSameKind(like, by) ? findLongest({ tokens, start }, at, like, likes) : undefined;
  }
  return undefined;
}

/** A date begins before the month that it ends with: "12 de maio". */
function findLongest(
  { tokens, start }: Pick<Place, 'tokens' | 'start'>,
  from: number,
  like: TokenKind,
  likes: KindWords,
): { from: number; like: TokenKind } {
  for (let at = Math.max(start, from - 3); like.kind === 'date' && at < from; at += 1) {
    const longer = kindAt(tokens, at, likes);
    if (longer?.to === like.to && longer.kind === like.kind) return { from: at, like: longer };
  }
  return { from, like };
}

/** For two measures: the numbers, and the units if the new one has its own. */
function replacedPart(
  tokens: readonly Token[],
  { old, like }: { old: number; like: TokenKind },
  { at, by }: { at: number; by: TokenKind },
  end: number,
): { from: number; to: number; byFrom: number; by: number } | undefined {
  if (like.kind !== 'measure' || by.unit || !like.unit) return { from: old, to: like.to, byFrom: at, by: by.to };
  return like.numberTo <= end && tokens[at] ? { from: old, to: like.numberTo, byFrom: at, by: by.numberTo } : undefined;
}

/** How many words after the new one only repeat those after the old one; `undefined` if they repeat a part of it. */
function sameRest(
  tokens: readonly Token[],
  [from, end]: [number, number],
  [by, to]: [number, number],
): number | undefined {
  let same = 0;
  while (
    from + same < end &&
    by + same < to &&
    elementAt(tokens, from + same).folded === elementAt(tokens, by + same).folded
  )
    same += 1;
  if (same === 0 || from + same === end || by + same === to) return same;
  return undefined;
}

function changeFor(place: Place, repair: Repair, { likes }: CorrectionWords): Change {
  const { tokens, end, from: after } = place;
  const { echo } = repair;
  const [oldFrom, oldTo] = repair.old;
  const [byFrom, byTo] = repair.by;
  const inFigures = beforeLetter(place, repair, likes);
  const moved = (inFigures ?? tokens.slice(byFrom, byTo)).map((token, at) =>
    at === 0 && token.spaced !== elementAt(tokens, oldFrom).spaced
      ? { ...token, spaced: elementAt(tokens, oldFrom).spaced }
      : token,
  );
  const last = echo?.[1] ?? byTo;
  // "5 mm, make that 7 mm, obstructing stone": both commas are those of the correction.
  const isEnclosed = oldTo === end && [tokens[end], tokens[last]].every((token) => token?.text === ',');
  const to = isEnclosed ? last + 1 : last;
  const fate = (from: number, until: number, what: HeardFate['fate']): HeardFate[] =>
    buildFates(tokens.slice(from, until), what);
  return {
    rule: 'like',
    from: oldFrom,
    to,
    out: [...moved, ...tokens.slice(oldTo, end)],
    fates: [
      ...fate(oldFrom, oldTo, 'taken_back'),
      ...fate(end, after, 'command'),
      ...fate(after, byFrom, 'command'),
      ...(inFigures ? fate(byFrom, byTo, 'converted') : []),
      ...(echo ? fate(echo[0], echo[1], 'command') : []),
      ...fate(last, to, 'command'),
    ],
  };
}

/**
 * A letter is a unit only right after figures: the number in words that replaces them becomes figures too. So "2 g, I
 * mean, three a day" is 3 g a day, and no word contains "GA".
 */
function beforeLetter({ tokens, end }: Place, { old, by }: Repair, { numbers }: KindWords): Token[] | undefined {
  const [last, next] = [tokens[old[1] - 1], tokens[old[1]]];
  const isBefore = old[1] < end && last?.kind === 'figure' && next?.kind === 'word' && next.text.length === 1;
  const numeral = isBefore ? integerAt(tokens, by[0], numbers) : undefined;
  if (!numeral?.isSpoken || numeral.to !== by[1]) return undefined;
  return writtenTokens(numeral.digits, elementAt(tokens, by[0]).from, elementAt(tokens, by[1] - 1).to, true);
}
