/**
 * Finds what a measure measures: the noun after it ("a 5 mm stone", "3 mm de desvio"), or the one before it ("cálculo
 * de 5 mm").
 */
import { findFirstIndex } from '../../domain/binary-search.ts';
import { endsClause, phraseAt } from '../words/phrases.ts';
import type { FoundPhrase } from '../words/phrases.ts';
import type { Rules } from '../rules.ts';
import type { Token } from '../words/token.ts';
import { isDistance } from './measures.ts';
import type { Measure } from './measures.ts';
import type { ReadWord, Sentence } from './reading.ts';
import { elementAt } from '../../domain/elements.ts';

/** A key of `plausible`. */
type MeasuredKey = string;

interface NamedPhrase extends FoundPhrase<MeasuredKey> {
  readonly from: number;
}

interface Place {
  readonly sentence: Sentence;
  readonly measure: Measure;
  readonly tokens: readonly Token[];
  readonly rules: Rules;
  /** The previous measure in the sentence, and what it measures. */
  readonly before: { readonly measure: Measure; readonly of: MeasuredKey | undefined } | undefined;
}

/** `undefined` if it measures nothing known: another noun, or a distance ("4 cm above the carina"). */
export function findMeasured(place: Place): MeasuredKey | undefined {
  if (isDistance(place.sentence, place.measure, place.rules)) return undefined;
  const after = nounAfter(place);
  return after === 'none' ? nounBefore(place) : after;
}

const isEndAt = (tokens: readonly Token[], at: number): boolean =>
  endsClause(tokens, at) || elementAt(tokens, at).text === '(';

/** The largest number of words in a phrase. */
const maxWords = 6;

/** The longest phrase over the token that names a measurable thing or a finding: "kidney stone" over "kidney". */
function namedOver(tokens: readonly Token[], at: number, { lexicon }: Rules): NamedPhrase | undefined {
  for (let from = Math.max(0, at - maxWords); from <= at; from += 1) {
    const measured = phraseAt(tokens, from, lexicon.measured);
    const finding = phraseAt(tokens, from, lexicon.findings);
    const found = finding && finding.to > (measured?.to ?? 0) ? { value: 'finding', to: finding.to } : measured;
    if (found && found.to > at) return { ...found, from };
  }
  return undefined;
}

/** The noun after the measure that belongs to it; `none` if the measure belongs to the words before. */
function nounAfter(place: Place): MeasuredKey | 'none' | undefined {
  const { sentence, measure, tokens, rules } = place;
  const { lexicon, numbers } = rules;
  const { words } = sentence;
  const next = words[measure.last + 1];
  if (!next || endsBetween(tokens, elementAt(words, measure.last), next)) return 'none';
  // "5 mm of midline shift", but "5 mm de diâmetro"
  if (lexicon.genitives.has(next.key)) {
    let first = measure.last + 2;
    while (rules.instructions.articles.has(words[first]?.key ?? '')) first += 1;
    if (!words[first] || numbers.measures.sizes.has(elementAt(words, first).key)) return 'none';
    return headFrom(place, first);
  }
  if (!lexicon.measuresFirst) return 'none';
  const head = headFrom(place, measure.last + 1);
  if (head !== undefined) return head;
  const isAlone = lexicon.small.has(next.key) || lexicon.within.has(next.key) || numbers.measures.sizes.has(next.key);
  const isSaidOf = lexicon.measures.has(words[measure.at - 1]?.key ?? '');
  return (isAlone && next.fact === undefined) || isSaidOf ? 'none' : undefined;
}

/** The word that begins at the token, or the next one. */
const wordAt = (words: readonly ReadWord[], token: number): number =>
  findFirstIndex(words.length, (at) => elementAt(words, at).token >= token);

/** Whether a clause ends between two words. */
const endsBetween = (tokens: readonly Token[], a: ReadWord, b: ReadWord): boolean =>
  tokens.slice(a.token, b.token).some((_, i) => isEndAt(tokens, a.token + i));

/** The head noun of a group of words: the last of an English one ("right kidney stone"), otherwise the first. */
function headFrom({ sentence, tokens, rules }: Place, first: number): MeasuredKey | undefined {
  const { lexicon } = rules;
  const start = elementAt(sentence.words, first).token;
  for (let at = start; at < Math.min(sentence.to, start + maxWords) && !isEndAt(tokens, at); at += 1) {
    const named = namedOver(tokens, at, rules);
    if (named && named.from >= start) {
      if (!lexicon.measuresFirst || endsGroup(sentence, tokens, named.to, rules)) return named.value;
      at = named.to - 1;
    } else if (
      lexicon.measuresFirst ? beginsGroup(elementAt(tokens, at), rules) : !isAdjective(elementAt(tokens, at).folded)
    )
      return undefined;
  }
  return undefined;
}

/** Words with which another group of words begins: "a 5 mm focus in the spleen". */
const beginsGroup = ({ folded: key }: Token, { lexicon, numbers, instructions }: Rules): boolean =>
  instructions.articles.has(key) ||
  numbers.grammar.decimals.and.has(key) ||
  [lexicon.within, lexicon.genitives, lexicon.bears, lexicon.measures, lexicon.joints].some((words) => words.has(key));

/** Whether a group of words ends before the token: at a mark, a preposition, or a verb. */
function endsGroup({ words }: Sentence, tokens: readonly Token[], at: number, rules: Rules): boolean {
  const { lexicon } = rules;
  if (isEndAt(tokens, at)) return true;
  const next = words[wordAt(words, at)];
  const key = elementAt(tokens, at).folded;
  return (
    next?.fact === undefined &&
    (beginsGroup(elementAt(tokens, at), rules) || lexicon.small.has(key) || /..(?:ing|ed)$/.test(key))
  );
}

/**
 * Endings of adjectives, folded, in all languages: they come between a noun and its measure ("nódulo calcificado de 4
 * mm").
 */
const adjective =
  /.(?:[ai]d[oa]s?|ic[oa]s?|ares?|al|ais|ales|os[oa]s?|oide|oides|ente|ante|ed|ic|ous|oid|ified)$|^(?:solid|focal|round)$/;
const isAdjective = (word: string): boolean => adjective.test(word);

/** The noun before the measure, with nothing between that could be measured instead ("rim com cálculo de 8 mm"). */
function nounBefore(place: Place): MeasuredKey | undefined {
  const { sentence, measure, tokens, rules, before } = place;
  const { lexicon, numbers, instructions } = rules;
  const { words } = sentence;
  const isSize = ({ key }: ReadWord): boolean => numbers.measures.sizes.has(key);
  const isLink = ({ key }: ReadWord): boolean =>
    lexicon.genitives.has(key) || instructions.articles.has(key) || numbers.grammar.decimals.and.has(key);
  // Since the measure: whether all words are about its size, and whether a verb of measuring and a side occurred.
  let [isOfSize, isSaidOf, hasSide] = [true, false, false];
  for (let at = firstOfRange(words, measure, rules) - 1; at >= 0; at -= 1) {
    const word = elementAt(words, at);
    if (before && at <= before.measure.last) return isOfSize && hasSide ? before.of : undefined;
    const named = namedOver(tokens, word.token, rules);
    if (named) return findHead(place, named);
    isSaidOf ||= lexicon.measures.has(word.key);
    if (word.fact === 'side') hasSide = true;
    else if (lexicon.bears.has(word.key)) {
      // "com 10 cm", "has a length of 10 cm", but "com um cisto de 2 cm"
      if (!isOfSize) return undefined;
    } else if (!isSize(word) && !isLink(word)) {
      if (!lexicon.small.has(word.key) && !isAdjective(word.key)) return undefined;
      if (!isSaidOf && isAdjective(word.key) && isSeparateNoun(place, at)) return undefined;
      isOfSize &&= lexicon.small.has(word.key);
    }
  }
  return undefined;
}

/**
 * A word that looks like an adjective but is a noun, or makes one: "rim: líquido de 4 mm", "kidney, cortical thickness
 * 12 mm".
 */
function isSeparateNoun({ sentence: { words }, tokens, rules: { numbers, lexicon } }: Place, at: number): boolean {
  const isNoun = (word: ReadWord | undefined): boolean =>
    word !== undefined && numbers.measures.sizes.has(word.key) && !lexicon.measures.has(word.key);
  const [before, word] = [words[at - 1], elementAt(words, at)];
  return isNoun(before) || isNoun(words[at + 1]) || (before !== undefined && endsBetween(tokens, before, word));
}

/** The first number of "3 a 5 mm", "between 3 and 5 mm". */
function firstOfRange(words: readonly ReadWord[], { at }: Measure, { numbers }: Rules): number {
  const { and, range } = numbers.grammar.decimals;
  const [join, number] = [words[at - 1], words[at - 2]];
  if (number?.fact === 'number' && join && (and.has(join.key) || range.has(join.key))) return at - 2;
  // "3-5 mm"
  return join?.fact === 'number' ? at - 1 : at;
}

/** How many words of the clause before a name are read. */
const farthest = 16;

/** The head of a name in its clause: what it is "of"; nothing if something is only in it, near it, or affects it. */
function findHead({ sentence, tokens, rules }: Place, named: NamedPhrase): MeasuredKey | undefined {
  const { lexicon, numbers, instructions } = rules;
  if (named.value === 'finding') return 'finding';
  const { words } = sentence;
  const first = wordAt(words, named.from);
  let at = first - 1;
  const isInClause = (): boolean =>
    at >= Math.max(0, first - farthest) && !endsBetween(tokens, elementAt(words, at), elementAt(words, at + 1));
  const describes = ({ key, fact }: ReadWord): boolean =>
    instructions.articles.has(key) || fact === 'side' || fact === 'place';
  while (isInClause() && describes(elementAt(words, at))) at -= 1;
  if (!isInClause()) return named.value;
  const word = elementAt(words, at);
  if (lexicon.within.has(word.key)) return undefined;
  if (lexicon.genitives.has(word.key)) {
    const owner = words[at - 1];
    if (!owner || numbers.measures.sizes.has(owner.key)) return named.value;
    return namedOver(tokens, owner.token, rules)?.value;
  }
  // "Mass compressing the aorta, measuring 15 cm"
  for (; isInClause() && !lexicon.joints.has(elementAt(words, at).key); at -= 1)
    if (namedOver(tokens, elementAt(words, at).token, rules)) return undefined;
  return named.value;
}
