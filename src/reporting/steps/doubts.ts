/** Words that were probably misheard: they stay as they were heard, and a person is asked. */
import type { Language } from '../../contract/shared.ts';
import { fold, phraseList } from '../../domain/fold.ts';
import { findChange } from '../../domain/text-change.ts';
import { tables } from '../languages/index.ts';
import { rads } from '../languages/rads.ts';
import type { FactWords } from '../facts.ts';
import { soundsAlike, indexVocabulary } from '../vocabulary/vocabulary.ts';
import type { VocabularyIndex } from '../vocabulary/vocabulary.ts';
import { findMisheardFacts } from './misheard-facts.ts';
import type { MisheardPlace as Place } from './misheard-facts.ts';
import type { CodeWords } from '../numbers/codes.ts';
import { isMarkerName } from '../numbers/letters.ts';
import { unitAt } from '../numbers/units.ts';
import { endsClause } from '../words/phrases.ts';
import { stem } from '../words/stem.ts';
import type { Token } from '../words/token.ts';

export interface DoubtContext {
  readonly language: Language;
  readonly facts: Pick<FactWords, 'sides' | 'grammar'>;
  readonly levels: Pick<CodeWords, 'levelJoints' | 'levelNouns' | 'discNouns' | 'joints' | 'letters'>;
  /** Markers of a self-correction: "digo", "I mean". */
  readonly markers: string;
}

/** The longest misheard term, in words. */
const maxWords = 3;

/** Places that a person should look at, as tokens, in order. */
export function findDoubts(tokens: readonly Token[], context: DoubtContext): Place[] {
  const facts = new Map(
    findMisheardFacts(tokens, context.language, context.facts.grammar).map(({ from, to }) => [from, to]),
  );
  const places: Place[] = [];
  let free = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    if (at < free) continue;
    const to =
      impossibleCategory(tokens, at) ??
      unnamedScore(tokens, at) ??
      cutLevel(tokens, at, context) ??
      unknownCode(tokens, at, context) ??
      unheardCorrection(tokens, at, context) ??
      facts.get(at) ??
      misheardTerm(tokens, at, context);
    if (to === undefined) continue;
    places.push({ from: at, to });
    free = to;
  }
  return places;
}

/** Categories that the system of scores lacks: "VI-RADS 4A". */
function impossibleCategory(tokens: readonly Token[], at: number): number | undefined {
  const system = rads.find(({ name }) => tokens[at]?.text === name.split('-')[0] && name.includes('-'));
  if (!system || tokens[at + 1]?.text !== '-' || tokens[at + 2]?.text.toUpperCase() !== 'RADS') return undefined;
  const category = /^(\d)$/.exec(tokens[at + 3]?.text ?? '')?.[1];
  const letter = tokens[at + 4];
  if (category === undefined || letter?.kind !== 'word' || !/^[A-Z]$/.test(letter.text) || letter.spaced)
    return undefined;
  return system.letters?.[Number(category)]?.includes(letter.text) === true ? undefined : at + 5;
}

/** "B RADS 4", "Barads 4": a score of no system. */
function unnamedScore(tokens: readonly Token[], at: number): number | undefined {
  const isInitial = /^\p{L}{1,2}$/u.test(tokens[at]?.text ?? '');
  const name = isInitial ? at + 1 : at;
  const { folded = '', kind } = tokens[name] ?? {};
  const isSystem = rads.some(
    (system) => fold(system.name) === folded || system.name.split('-')[0]?.toLowerCase() === folded,
  );
  if (kind !== 'word' || !/^\p{L}{0,6}rads$/u.test(folded) || isSystem) return undefined;
  const isNamed = tokens[name - 1]?.text === '-' || tokens[name - 1]?.kind === 'figure';
  return !isNamed && tokens[name + 1]?.kind === 'figure' ? name + 2 : undefined;
}

/** The most words between a disc and its level. */
const maxDiscWords = 8;

/**
 * "Cone medular em L, 1", "hérnia em L4, L5": a level that a comma cuts. A list of vertebrae has three, or another noun.
 */
function cutLevel(tokens: readonly Token[], at: number, { levels }: DoubtContext): number | undefined {
  const isComma = (place: number): boolean => tokens[place]?.text === ',';
  const [code, next] = [tokens[at]?.text ?? '', tokens[at + 2]?.text ?? ''];
  if (!/^[CTLS]\d{0,2}$/.test(code) || !isComma(at + 1) || isComma(at - 1)) return undefined;
  const words = tokens.slice(Math.max(0, at - maxDiscWords), at);
  const clause = words.slice(words.findLastIndex(({ text }) => /^[.;:?!]$/.test(text)) + 1);
  if (code.length === 1) {
    const before = tokens[at - 1]?.folded ?? '';
    const isPlaced =
      levels.levelJoints.has(before) ||
      levels.levelNouns.has(before) ||
      clause.some(({ text }) => /^[CTLS]\d/.test(text));
    return isPlaced && /^\d{1,2}$/.test(next) && endsClause(tokens, at + 3) ? at + 3 : undefined;
  }
  const isNext = next === `${code.charAt(0)}${Number(code.slice(1)) + 1}`;
  const isList = levels.joints.has(tokens[at + 3]?.folded ?? '') && /^[CTLS]\d{1,2}$/.test(tokens[at + 4]?.text ?? '');
  const isDisc = clause.some(({ folded }) => levels.discNouns.has(folded));
  return isNext && isDisc && (!isList || tokens[at + 4]?.text === next) ? at + 3 : undefined;
}

/** "NZL1" of "ends at L1", "BIRD-SEQ-13" of "BI-RADS 4C": letters with a number that name nothing. */
function unknownCode(tokens: readonly Token[], at: number, { facts, levels }: DoubtContext): number | undefined {
  if (isJoinedCode(tokens.slice(at, at + 5))) return at + 5;
  const { text = '', origin, kind } = tokens[at] ?? {};
  const letters = /^(\p{Lu}{2,4})\d{1,3}$/u.exec(text)?.[1];
  if (kind !== 'word' || origin !== 'said' || letters === undefined) return undefined;
  const isKnown =
    isMarkerName(letters) ||
    levels.letters.abbreviations.has(letters) ||
    rads.some(({ name }) => name.startsWith(letters));
  return isKnown || unitAt(tokens, at, facts.grammar.units) ? undefined : at + 1;
}

const joinedCode = /^(\p{Lu}{2,6}-\p{Lu}{2,6})-\d{1,3}$/u;

const isJoinedCode = (tokens: readonly Token[]): boolean => {
  const name = joinedCode.exec(tokens.map(({ text }) => text).join(''))?.[1];
  const isGlued = tokens.slice(1).every(({ spaced }) => !spaced);
  return name !== undefined && isGlued && !rads.some((system) => system.name.toUpperCase() === name);
};

/** "direito, de go esquerdo": between two sides words that sound like a marker of a correction. */
function unheardCorrection(tokens: readonly Token[], at: number, { facts, markers }: DoubtContext): number | undefined {
  const sideAt = (place: number): string | undefined =>
    tokens[place]?.kind === 'word' ? facts.sides.get(tokens[place].folded) : undefined;
  const side = sideAt(at);
  if (side === undefined || tokens[at + 1]?.text !== ',') return undefined;
  for (let to = at + 3; to <= at + 4; to += 1) {
    const other = sideAt(to);
    if (other === undefined || other === side) continue;
    const heard = tokens.slice(at + 2, to);
    const isMarker = heard.every(({ kind }) => kind === 'word') && soundsLikeOne(heard, markers);
    return isMarker ? to + 1 : undefined;
  }
  return undefined;
}

/** Whether joined words differ from one of the phrases in at most one letter, and are not that phrase. */
function soundsLikeOne(words: readonly Token[], phrases: string): boolean {
  const heard = words.map(({ folded }) => folded).join('');
  return phraseList(phrases).some((phrase) => {
    const marker = fold(phrase).replaceAll(' ', '');
    const { from, to, by } = findChange(heard, marker);
    return heard !== marker && to - from <= 1 && by.length <= 1;
  });
}

interface FindingNames {
  readonly index: VocabularyIndex;
  /** Words → whether they sound like a finding: a dictation is written again with each spoken word. */
  readonly verdicts: Map<string, boolean>;
}

const lexicons = new Map<Language, FindingNames>();
/** The largest number of verdicts that are kept. */
const maxVerdicts = 20_000;

function findLexicon(language: Language): FindingNames {
  const known = lexicons.get(language);
  if (known) return known;
  const { findings } = tables[language].lexicon;
  const terms = Object.values<string>(findings).flatMap(phraseList);
  const index = indexVocabulary(
    terms.map((write) => ({ write, for: [] })),
    language,
  );
  const lexicon = { index, verdicts: new Map<string, boolean>() };
  lexicons.set(language, lexicon);
  return lexicon;
}

function soundsLikeFinding(words: readonly Token[], { index, verdicts }: FindingNames): boolean {
  const key = words.map(({ text }) => text).join(' ');
  const known = verdicts.get(key);
  if (known !== undefined) return known;
  const isAlike =
    words.some(({ folded }) => !index.ordinary.has(stem(folded))) && soundsAlike(words, index) !== undefined;
  if (verdicts.size >= maxVerdicts) verdicts.clear();
  verdicts.set(key, isAlike);
  return isAlike;
}

/** "Pneu motórax", "hematoma subtural": words that sound like a finding and are none. */
function misheardTerm(tokens: readonly Token[], at: number, { language }: DoubtContext): number | undefined {
  const lexicon = findLexicon(language);
  for (let length = 1; length <= maxWords; length += 1) {
    const words = tokens.slice(at, at + length);
    const last = words.at(-1);
    if (
      words.length < length ||
      last === undefined ||
      words.some(({ kind, origin }) => kind !== 'word' || origin !== 'said')
    )
      return undefined;
    if (soundsLikeFinding(words, lexicon)) return at + length;
  }
  return undefined;
}
