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
import { stem } from '../words/stem.ts';
import type { Token } from '../words/token.ts';

export interface DoubtContext {
  readonly language: Language;
  readonly facts: Pick<FactWords, 'sides' | 'grammar'>;
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
