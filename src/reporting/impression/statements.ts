/**
 * Sentences as statements, for deciding whether one says no more than others do: the clauses of each, with their words,
 * facts and findings.
 */
import { isDeniedAfter, readDenials, readSection } from '../checks/reading.ts';
import type { Sentence } from '../checks/reading.ts';
import { comparedWords } from '../facts.ts';
import type { ComparedWord } from '../facts.ts';
import type { Rules } from '../rules.ts';
import { nextWord, phraseAt } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import { isQuery } from '../words/sentences.ts';
import { stem } from '../words/stem.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

/** A word that says something, or a fact. */
export interface Part {
  /** Equal for parts that say the same; other for an affirmed and a denied one. */
  readonly key: string;
  /** Two different parts of one kind exclude each other, such as two sides; `undefined`: an ordinary word. */
  readonly kind: string | undefined;
  /** Whether it says where: a side, a place, an organ. */
  readonly isPlace: boolean;
  /** Whether the clause says something else without it: "no *acute* fracture", "*old* infarct". */
  readonly isHeld: boolean;
}

/** The words up to a comma, an "and", or a denial, with those after them that name nothing by themselves. */
export interface Clause {
  readonly parts: readonly Part[];
  /** Keys of its findings, as affirmed or denied. */
  readonly findings: readonly string[];
}

/** A sentence, or a half of it up to a semicolon. */
export interface Statement {
  readonly clauses: readonly Clause[];
  /** The words that bear on all of it, such as "possible" and "previously". */
  readonly turns: string;
}

/** A clause while it is read. */
interface OpenClause {
  readonly parts: Part[];
  readonly findings: string[];
  /** Whether it names something: only then can it be a clause by itself. */
  isNamed: boolean;
}

interface Reading {
  readonly tokens: readonly Token[];
  readonly words: readonly ComparedWord[];
  readonly sentence: Sentence;
  readonly rules: Rules;
}

interface Range {
  readonly from: number;
  readonly to: number;
}

export function readStatements(text: string, rules: Rules): Statement[] {
  const { tokens, sentences } = readSection({ key: 'findings', title: '', text }, rules);
  const words = comparedWords(tokens, rules.facts);
  return sentences.flatMap((sentence) => {
    const reading = { tokens, words, sentence, rules };
    return splitHalves(tokens, sentence).map((range) => ({
      clauses: readClauses(reading, range),
      turns: readTurns(reading, range),
    }));
  });
}

function splitHalves(tokens: readonly Token[], { from, to }: Range): Range[] {
  const cuts = [from - 1, to];
  for (let at = from; at < to; at += 1) if (elementAt(tokens, at).text === ';') cuts.push(at);
  cuts.sort((a, b) => a - b);
  return cuts.slice(1).flatMap((end, at) => {
    const begin = elementAt(cuts, at) + 1;
    return end > begin ? [{ from: begin, to: end }] : [];
  });
}

/** The tokens of all phrases of a table. */
function findTokens(tokens: readonly Token[], { from, to }: Range, table: PhraseIndex<unknown>): Set<number> {
  const found = new Set<number>();
  for (let at = from; at < to; at += 1) {
    const phrase = phraseAt(tokens, at, table);
    for (let each = at; phrase && each < phrase.to; each += 1) found.add(each);
  }
  return found;
}

const isTurning = (folded: string, { turning }: Rules['lexicon']): boolean => turning.has(stem(folded));

function readTurns(reading: Reading, range: Range): string {
  const { tokens, rules } = reading;
  const { lexicon } = rules;
  const { hypothetical, priors, history, family, exceptions, comparisons, shifts } = lexicon;
  const phrases = [hypothetical, priors, history, family, exceptions, comparisons, shifts].map((table) =>
    findTokens(tokens, range, table),
  );
  const isDistance = createDistanceReader(reading);
  const turns = new Set<string>();
  for (let at = range.from; at < range.to; at += 1) {
    const { folded } = elementAt(tokens, at);
    const turnsMeasure = lexicon.changes.has(folded) || isDistance(at);
    if (turnsMeasure || isTurning(folded, lexicon) || phrases.some((found) => found.has(at))) turns.add(stem(folded));
    else if (isQuery(tokens, at)) turns.add('?');
  }
  // "Fracture?"
  if (/^\?$/.test(tokens[range.to]?.text ?? tokens[range.to - 1]?.text ?? '')) turns.add('?');
  return [...turns].toSorted().join(' ');
}

/** Reads words that make a measure a distance: "2 cm *from* the nipple", "*a* 2 cm da papila", but "3 a 5 mm". */
function createDistanceReader({ tokens, words, rules: { lexicon } }: Reading): (at: number) => boolean {
  const ends = (fact: string): Set<number> => new Set(words.flatMap((word) => (word.fact === fact ? word.to : [])));
  const [numberEnds, unitEnds] = [ends('number'), ends('unit')];
  return (at) => {
    const { folded } = elementAt(tokens, at);
    const isMark = lexicon.distanceMarks.has(folded) && !numberEnds.has(at) && tokens[at + 1]?.kind === 'figure';
    return isMark || (lexicon.distances.has(folded) && unitEnds.has(at));
  };
}

/** A part of a clause, the finding that it begins, and whether it names something. */
interface ReadPart {
  readonly part: Part;
  readonly finding?: string;
  readonly isNamed: boolean;
}

/** Reads the words of a statement, one at a time; `undefined`: the word says nothing by itself. */
function createPartReader(
  { tokens, sentence, rules }: Reading,
  range: Range,
): (word: ComparedWord) => ReadPart | undefined {
  const { lexicon, facts } = rules;
  const denials = [...readDenials(tokens, range, rules).values()];
  const denying = findTokens(tokens, range, lexicon.absences);
  const organs = findTokens(tokens, range, lexicon.organs);
  const findings = new Map(sentence.mentions.map(({ token, key }) => [token, key]));
  const compounds = findCompounds(tokens, sentence, rules);
  const elsewhere = new Set(sentence.words.flatMap(({ token, isElsewhere }) => (isElsewhere ? token : [])));
  return ({ from: at, fact, key, value, isFree }) => {
    const { folded } = elementAt(tokens, at);
    const isDenied =
      denials.some(({ from, to }) => from <= at && at < to) ||
      isDeniedAfter(tokens, at + 1, range.to, lexicon.absences);
    const denied = isDenied ? ' denied' : '';
    if (fact !== undefined) {
      const place = elsewhere.has(at) ? ' elsewhere' : '';
      const kind = fact === 'place' ? `place ${value?.split(' ')[0]}` : fact === 'unit' ? 'number' : fact;
      const isPlace = kind !== 'number';
      return { part: { key: `${fact} ${value}${place}${denied}`, kind, isPlace, isHeld: isDenied }, isNamed: false };
    }
    if (isFree || denying.has(at) || lexicon.introducing.has(folded)) return undefined;
    const finding = findings.get(at);
    const isPlace = organs.has(at) || facts.sidedParts.has(folded);
    return {
      // One nodule is not several.
      part: {
        key: `word ${stem(key)}${folded.endsWith('s') ? ' s' : ''}${denied}`,
        kind: undefined,
        isPlace,
        isHeld: isDenied || compounds.has(at) || isHeld(folded, rules),
      },
      ...(finding !== undefined && { finding: `${finding}${denied}` }),
      isNamed: finding !== undefined || !isPlace,
    };
  };
}

/** Words that make another thing of a finding: "mass *effect*", "*risk* of fracture", "*non*-mass". */
function findCompounds(tokens: readonly Token[], { mentions }: Sentence, { facts, lexicon }: Rules): Set<number> {
  const found = new Set<number>();
  for (const { token } of mentions) {
    // Adjectives follow in the languages in which sides do.
    if (facts.sideFirst) found.add(nextWord(tokens, phraseAt(tokens, token, lexicon.findings)?.to ?? token + 1));
    let before = token - 1;
    while (facts.free.has(tokens[before]?.text.toLowerCase() ?? '')) before -= 1;
    const isGenitive = tokens.slice(before + 1, token).some(({ folded }) => lexicon.genitives.has(folded));
    if (isGenitive) found.add(before);
    if (tokens[token - 1]?.text === '-') found.add(token - 2);
  }
  return found;
}

/** Marks between two figures of one measure: "3.2 x 1.8 cm", "3–5 mm". */
const betweenFigures = /^[x×\-–/±]$/i;

function readClauses(reading: Reading, range: Range): Clause[] {
  const { tokens, words, rules } = reading;
  const { lexicon, numbers } = rules;
  const { and, range: ranges } = numbers.grammar.decimals;
  const joins = ({ folded, kind, text }: Token): boolean =>
    kind === 'word'
      ? [and, lexicon.alternatives, lexicon.joints, lexicon.bears].some((joints) => joints.has(folded))
      : /^[,()]$/.test(text);
  const joinsFigures = ({ text, folded }: Token): boolean => betweenFigures.test(text) || ranges.has(folded);
  const readPart = createPartReader(reading, range);
  const clauses: OpenClause[] = [{ parts: [], findings: [], isNamed: false }];
  const begin = (): void => void clauses.push({ parts: [], findings: [], isNamed: false });
  /** The token after the last word, and after the last figure or unit. */
  let [end, figuresEnd] = [range.from, -1];
  for (const [n, word] of words.entries()) {
    if (word.from < range.from || word.from >= range.to) continue;
    const first = elementAt(tokens, word.from);
    const isJoint = word.fact === 'negation' || (word.fact === undefined && joins(first));
    if (isJoint || tokens.slice(end, word.from).some(joins)) begin();
    end = word.to;
    // "3 to 5 mm": the word between the figures is a part of them.
    const isInFigures = word.from === figuresEnd && joinsFigures(first) && words[n + 1]?.fact === 'number';
    const read = isJoint || isInFigures ? undefined : readPart(word);
    if (!read) continue;
    const clause = elementAt(clauses, clauses.length - 1);
    const { part, finding, isNamed } = read;
    const between = figuresEnd < 0 ? undefined : tokens.slice(figuresEnd, word.from);
    const before = part.kind === 'number' && between?.every(joinsFigures) ? clause.parts.pop() : undefined;
    const signs = between?.map(({ folded }) => folded).join(' ');
    clause.parts.push(before ? { ...part, key: `${before.key} ${signs} ${part.key}` } : part);
    clause.isNamed ||= isNamed;
    if (finding !== undefined) clause.findings.push(finding);
    if (part.kind === 'number') figuresEnd = word.to;
  }
  return joinUnnamed(clauses);
}

const isHeld = (folded: string, { lexicon }: Rules): boolean =>
  isTurning(folded, lexicon) ||
  [lexicon.chronic, lexicon.acute, lexicon.limits, lexicon.within].some((words) => words.has(folded));

/** ", 6 mm" and ", in the right upper lobe" belong to the clause before them, or at the beginning to the next one. */
function joinUnnamed(clauses: readonly OpenClause[]): Clause[] {
  const joined: OpenClause[] = [];
  for (const clause of clauses) {
    const before = joined.at(-1);
    if (clause.parts.length === 0) continue;
    if (before && (!clause.isNamed || !before.isNamed)) {
      before.parts.push(...clause.parts);
      before.findings.push(...clause.findings);
      before.isNamed ||= clause.isNamed;
    } else joined.push(clause);
  }
  return joined;
}
