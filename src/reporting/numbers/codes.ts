/** Letters with numbers: vertebral levels, sequences, leads, stages. */
import { wordSet } from '../../domain/fold.ts';
import type { NumberTables, TermTables } from '../languages/tables.ts';
import { endsClause } from '../words/phrases.ts';
import type { Token } from '../words/token.ts';
import type { Conversion } from './conversion.ts';
import { letterAt } from './letters.ts';
import type { LetterWords } from './letters.ts';
import type { NumberReading } from './reading.ts';
import { unitAt } from './units.ts';
import type { UnitWords } from './units.ts';
import { elementAt } from '../../domain/elements.ts';

export interface CodeWords {
  readonly letters: LetterWords;
  readonly units: UnitWords;
  readonly levelNouns: ReadonlySet<string>;
  /** Nouns that have a level of two vertebrae. */
  readonly discNouns: ReadonlySet<string>;
  /** Words before a lead that is also a word: "en ve uno". */
  readonly leadNouns: ReadonlySet<string>;
  /** Small words between two levels, or between a noun and its level. */
  readonly levelJoints: ReadonlySet<string>;
  /** Words that directly precede such a name only if it is one: "de esse um". */
  readonly levelAfter: ReadonlySet<string>;
  /** Names of levels that are also words, and levels only next to another one. */
  readonly pairedOnly: ReadonlySet<string>;
  /** Words between the numbers of a size, a range or a list. */
  readonly joints: ReadonlySet<string>;
  readonly prefixes: ReadonlyMap<string, string>;
  /** Words next to which T1 and T2 are sequences. */
  readonly sequences: ReadonlySet<string>;
}

export const readCodes = (
  terms: TermTables,
  { connectors: { times, range, and } }: NumberTables,
  letters: LetterWords,
  units: UnitWords,
): CodeWords => ({
  letters,
  units,
  levelNouns: wordSet(terms.levelNouns),
  discNouns: wordSet(terms.discNouns),
  leadNouns: wordSet(terms.leadNouns),
  levelJoints: wordSet(terms.levelJoints),
  levelAfter: wordSet(terms.levelAfter),
  pairedOnly: wordSet(terms.pairedLevels),
  joints: wordSet(`${times} ${range} ${and} ,`),
  prefixes: new Map(Object.entries(terms.stagePrefixes)),
  sequences: wordSet(terms.sequences),
});

interface Context {
  readonly reading: NumberReading;
  readonly words: CodeWords;
}

interface Code {
  readonly letter: string;
  readonly number: number;
  readonly to: number;
  /** Unambiguous. */
  readonly isSure: boolean;
}

/** The number of vertebrae in each part of the spine, and the level that follows the last. */
const spine: Readonly<Record<string, { readonly last: number; readonly next: readonly string[] }>> = {
  C: { last: 8, next: ['T', 'D'] },
  T: { last: 12, next: ['L'] },
  D: { last: 12, next: ['L'] },
  L: { last: 6, next: ['S'] },
  S: { last: 5, next: [] },
};

const isLevel = ({ letter, number }: Code): boolean => number >= 1 && number <= (spine[letter]?.last ?? 0);

const follows = (a: Code, b: Code): boolean =>
  a.letter === b.letter
    ? b.number === a.number + 1
    : spine[a.letter]?.next.includes(b.letter) === true && b.number === 1;

/** "ele quatro", "l 4", "L4", "L-4". `isSecond`: the figure before it belongs to another code: "L 4 L 5". */
function codeAt(tokens: readonly Token[], at: number, context: Context, isSecond = false): Code | undefined {
  const { reading, words } = context;
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  // "14h30" is no code.
  const isGlued = !token.spaced && tokens[at - 1]?.kind === 'figure';
  const whole = isGlued ? null : /^([a-z])(\d{1,2})$/i.exec(token.text);
  if (whole) return { letter: elementAt(whole, 1).toUpperCase(), number: Number(whole[2]), to: at + 1, isSure: true };
  const hyphenated = hyphenatedLevelAt(tokens, at, words);
  if (hyphenated) return hyphenated;
  const named = letterAt(tokens, at, words.letters);
  if (!named || named.letter === 'X' || (tokens[at - 1]?.kind === 'figure' && !isSecond)) return undefined;
  const numeral = reading.numerals.get(at + 1);
  if (!numeral || numeral.isDecimal || Number(numeral.digits) > 20) return undefined;
  const code = { letter: named.letter, number: Number(numeral.digits), to: numeral.to };
  const isMeasured = unitAt(tokens, numeral.to, words.units) !== undefined;
  if (isMeasured && (isSecond || !leadsToNext(tokens, { ...code, isSure: true }, context))) return undefined;
  return { ...code, isSure: named.isSure && !words.pairedOnly.has(token.text.toLowerCase()) };
}

/** "L-4", as some recognisers write levels; no part of a longer code ("PD-L-1") and no measure. */
function hyphenatedLevelAt(tokens: readonly Token[], at: number, words: CodeWords): Code | undefined {
  const [letter, hyphen, figure, next] = tokens.slice(at, at + 4);
  if (!letter || hyphen?.text !== '-' || hyphen.spaced || !figure || figure.spaced) return undefined;
  const isContinued = !letter.spaced && tokens[at - 1]?.text === '-' && !/\d$/.test(tokens[at - 2]?.text ?? '');
  const isMeasured = unitAt(tokens, at + 3, words.units) !== undefined && !hyphenatedLevelAt(tokens, at + 3, words);
  const isLonger = next?.kind === 'word' && (!next.spaced || isMeasured);
  const code = { letter: letter.text, number: Number(figure.text), to: at + 3, isSure: true };
  return /^\d{1,2}$/.test(figure.text) && isLevel(code) && !isContinued && !isLonger ? code : undefined;
}

/** "L 4 L 5", "L 5 S 1": the letter after the number is no unit, since the next level begins with it. */
function leadsToNext(tokens: readonly Token[], first: Code, context: Context): boolean {
  const next = isLevel(first) ? codeAt(tokens, first.to, context, true) : undefined;
  return next !== undefined && isLevel(next) && follows(first, next);
}

/** Two levels in a row, or one code alone. */
export function levelAt(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const joined = joinedLevelsAt(tokens, at);
  if (joined) return joined;
  const first = codeAt(tokens, at, context);
  if (!first) return undefined;
  const text = `${first.letter}${first.number}`;
  const second = secondAt(tokens, at, first, context);
  if (second) {
    const other = `${second.code.letter}${second.code.number}`;
    return {
      rule: 'level',
      to: second.code.to,
      pieces: [
        { from: at, to: first.to, text },
        { from: first.to, to: second.code.to, text: `-${other}`, isTight: true },
      ],
    };
  }
  if (!first.isSure && !namesLevel(tokens, at, first, context)) return undefined;
  return { rule: isLevel(first) ? 'level' : 'code', to: first.to, pieces: [{ from: at, to: first.to, text }] };
}

/** "L4L5", "l4l5" → L4-L5 */
function joinedLevelsAt(tokens: readonly Token[], at: number): Conversion | undefined {
  const found =
    tokens[at]?.kind === 'word' ? /^([CTDLS])(\d{1,2})([CTDLS])(\d{1,2})$/.exec(tokens[at].text.toUpperCase()) : null;
  if (!found) return undefined;
  const [, letter = '', number = '', otherLetter = '', otherNumber = ''] = found;
  const upper = { letter, number: Number(number), to: at + 1, isSure: true };
  const lower = { letter: otherLetter, number: Number(otherNumber), to: at + 1, isSure: true };
  if (!isLevel(upper) || !isLevel(lower) || !follows(upper, lower)) return undefined;
  return {
    rule: 'level',
    to: at + 1,
    pieces: [{ from: at, to: at + 1, text: `${letter}${number}-${otherLetter}${otherNumber}` }],
  };
}

/** The lower level of a disc: "L4 L5", "L4-L5", "L four five". */
function secondAt(
  tokens: readonly Token[],
  from: number,
  first: Code,
  context: Context,
): { readonly code: Code } | undefined {
  if (!isLevel(first)) return undefined;
  const hasHyphen = tokens[first.to]?.text === '-';
  // "L5, S1": no list of vertebrae goes on in another part of the spine.
  const comma = tokens[first.to]?.text === ',' ? codeAt(tokens, first.to + 1, context) : undefined;
  const isAcross = comma?.isSure === true && comma.letter !== first.letter && follows(first, comma);
  const at = hasHyphen || isAcross ? first.to + 1 : first.to;
  const code = codeAt(tokens, at, context, at === first.to);
  if (code) {
    if (!hasHyphen && areSequences(tokens, { at: from, to: code.to }, first, code, context.words)) return undefined;
    return isLevel(code) && (follows(first, code) || hasHyphen) ? { code } : undefined;
  }
  const isNamed = first.isSure || first.letter === 'L' || namesLevel(tokens, from, first, context);
  const numeral = isNamed ? context.reading.numerals.get(at) : undefined;
  if (!numeral || numeral.isDecimal || unitAt(tokens, numeral.to, context.words.units)) return undefined;
  const short = { letter: first.letter, number: Number(numeral.digits), to: numeral.to, isSure: true };
  const ends =
    hasHyphen || context.words.levelNouns.has(tokens[numeral.to]?.folded ?? '') || !isCounted(tokens, numeral.to);
  return ends && isLevel(short) && follows(first, short) ? { code: short } : undefined;
}

/** Whether a plural follows before a small word or the end of the clause: "L4 five nodules" counts five. */
function isCounted(tokens: readonly Token[], at: number): boolean {
  for (let place = at; place < at + 3 && !endsClause(tokens, place); place += 1) {
    const { folded } = elementAt(tokens, place);
    if (folded.length < 4 || folded === 'with') return false;
    if (/[^siu]s$/.test(folded)) return true;
  }
  return false;
}

/** T1 and T2 are sequences if the words around them are about images: "T1 T2 FLAIR". */
function areSequences(
  tokens: readonly Token[],
  { at, to }: { at: number; to: number },
  first: Code,
  second: Code,
  { sequences }: CodeWords,
): boolean {
  if (first.letter !== 'T' || second.letter !== 'T' || second.number > 2) return false;
  const near = [...tokens.slice(Math.max(0, at - 4), at), ...tokens.slice(to, to + 4)];
  return near.some((token) => sequences.has(token.folded));
}

/** Whether a letter that is also a word names a level here: "raiz de esse um", "ele cinco sobre esse um". */
function namesLevel(tokens: readonly Token[], at: number, code: Code, context: Context): boolean {
  const { levelNouns, levelJoints, levelAfter, pairedOnly, leadNouns } = context.words;
  if (code.letter === 'V' && code.number >= 1 && code.number <= 6) {
    const isLead = (other: Code | undefined): boolean => other?.letter === 'V';
    const before = [2, 3].some((back) => at >= back && codeAt(tokens, at - back, context)?.to === at);
    return leadNouns.has(tokens[at - 1]?.folded ?? '') || before || isLead(codeAt(tokens, code.to, context));
  }
  if (!isLevel(code)) return false;
  // "en de tres": nothing else can stand between.
  if (code.letter === 'D' && code.number <= 3 && tokens[at - 1]?.folded === 'en') return true;
  if (!pairedOnly.has(elementAt(tokens, at).text.toLowerCase())) return code.letter === 'L' || code.letter === 'S';
  if (levelAfter.has(tokens[at - 1]?.folded ?? '')) return true;
  const isJoint = levelJoints.has(tokens[at - 1]?.folded ?? '');
  const noun = tokens[isJoint ? at - 2 : at - 1];
  if (noun?.kind === 'word' && levelNouns.has(noun.folded))
    return code.letter !== 'D' || !continuesMeasure(tokens, code.to, context);
  if (!isJoint) return false;
  return [2, 3, 4].some((back) => {
    const other = at - 1 >= back ? codeAt(tokens, at - back, context) : undefined;
    return other !== undefined && other.to === at - 1 && isLevel(other);
  });
}

/** "a nivel de dos a tres centímetros", "de tres nódulos": what is measured or counted after "de" is no level. */
const continuesMeasure = (tokens: readonly Token[], at: number, { reading, words }: Context): boolean =>
  isCounted(tokens, at) || (words.joints.has(tokens[at]?.folded ?? '') && reading.numerals.has(at + 1));

interface Part {
  readonly text: string;
  readonly to: number;
}

/** "T2b", "N1", "Mx" */
const partPatterns = { T: /^T(\d|x|is)([a-d]?)$/i, N: /^N(\d|x|is)([a-d]?)$/i, M: /^M(\d|x|is)([a-d]?)$/i } as const;

const stagePattern = /^(yp|[pcyr])?(T(?:\d[a-d]?|is|x))?(N(?:\d[a-d]?|x))?(M(?:\d[a-d]?|x))?$/i;

/** One part of a stage, said or written: "tê dois bê", "t2b", "N1". */
function partAt(tokens: readonly Token[], at: number, letter: 'T' | 'N' | 'M', context: Context): Part | undefined {
  const token = tokens[at];
  if (token?.kind !== 'word') return undefined;
  const { words, reading } = context;
  const written = partPatterns[letter].exec(token.text);
  const named = letterAt(tokens, at, words.letters)?.letter === letter;
  if (!written && !named) return undefined;
  let text: string = letter;
  let to = at + 1;
  if (written) text += valueOf(elementAt(written, 1));
  else {
    const numeral = reading.numerals.get(to);
    const isUnknown = letterAt(tokens, to, words.letters)?.letter === 'X' || tokens[to]?.folded === 'is';
    if (!isUnknown && (!numeral || numeral.isDecimal || Number(numeral.digits) > 4)) return undefined;
    text += numeral ? numeral.digits : valueOf(elementAt(tokens, to).folded);
    to = numeral?.to ?? to + 1;
  }
  if (written?.[2]) return { text: text + written[2].toLowerCase(), to };
  const suffix = letterAt(tokens, to, words.letters);
  const isSuffix =
    suffix !== undefined && 'ABCD'.includes(suffix.letter) && (suffix.isSure || endsStage(tokens, to + 1, words));
  return isSuffix ? { text: text + suffix.letter.toLowerCase(), to: to + 1 } : { text, to };
}

const valueOf = (said: string): string => (/^\d$/.test(said) ? said : said.toLowerCase() === 'is' ? 'is' : 'X');

const endsStage = (tokens: readonly Token[], at: number, { letters }: CodeWords): boolean =>
  endsClause(tokens, at) ||
  /^[NM]$/.test(letterAt(tokens, at, letters)?.letter ?? '') ||
  /^[nm]\d/i.test(tokens[at]?.text ?? '');

/** A stage of the TNM classification, with at least two of its parts. */
export function stageAt(tokens: readonly Token[], at: number, context: Context): Conversion | undefined {
  const token = tokens[at];
  // The names of T, N, M and of the letters before them are short, and so are written stages.
  if (token?.kind !== 'word' || token.text.length > 12 || !/^[tnmpcyreíi]/i.test(token.text)) return undefined;
  const prefix = prefixAt(tokens, at, context);
  const start = prefix ? at + 1 : at;
  const parts: Part[] = [];
  let to = start;
  for (const letter of ['T', 'N', 'M'] as const) {
    // "pê tê dois pê ene zero"
    const again = parts.length > 0 && tokens[to] ? prefixAt(tokens, to, context) : undefined;
    const part = partAt(tokens, again === undefined ? to : to + 1, letter, context);
    if (!part) continue;
    parts.push({ ...part, text: (again ?? '') + part.text });
    ({ to } = part);
  }
  if (parts.length >= 2) {
    const text = (prefix ?? '') + parts.map((part) => part.text).join('');
    return { rule: 'stage', to, pieces: [{ from: at, to, text }] };
  }
  return writtenStageAt(tokens, at);
}

/** "pt2n0", "T2N1 M0": written, in parts or in the wrong case. */
function writtenStageAt(tokens: readonly Token[], at: number): Conversion | undefined {
  let text = '';
  let to = at;
  while (to < at + 3) {
    const token = tokens[to];
    const found = token?.kind === 'word' && /\d|is|x$/i.test(token.text) ? stagePattern.exec(token.text) : null;
    if (!found || (text !== '' && found[1] !== undefined)) break;
    const [, prefix = '', t = '', n = '', m = ''] = found;
    const cased = [t, n, m].map((part) => part.charAt(0).toUpperCase() + valueText(part.slice(1)));
    text += prefix.toLowerCase() + cased.join('');
    to += 1;
  }
  const isStage = /T[^TN]*N|N[^NM]*M/.test(text) || /^(?:p|yp|c|y|r)[TN]/.test(text);
  return isStage ? { rule: 'stage', to, pieces: [{ from: at, to, text }] } : undefined;
}

const valueText = (value: string): string => (value.toLowerCase() === 'x' ? 'X' : value.toLowerCase());

/** "pê tê dois": a letter before the stage says how it was determined. */
function prefixAt(tokens: readonly Token[], at: number, context: Context): string | undefined {
  const prefix = context.words.prefixes.get(elementAt(tokens, at).text.toLowerCase());
  if (prefix === undefined) return undefined;
  return partAt(tokens, at + 1, 'T', context) || partAt(tokens, at + 1, 'N', context) ? prefix : undefined;
}
