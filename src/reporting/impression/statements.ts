/**
 * Sentences as statements, for deciding whether one says no more than others do: the clauses of each, with their words,
 * facts and findings.
 */
import { isDeniedAfter, readDenials, readSection } from '../checks/reading.ts';
import type { Sentence } from '../checks/reading.ts';
import { comparedWords } from '../facts.ts';
import type { ComparedWord } from '../facts.ts';
import type { Rules } from '../rules.ts';
import { phraseAt } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import { isQuery } from '../words/sentences.ts';
import { stem } from '../words/stem.ts';
import type { Span, Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

/** A word that says something, or a fact. */
export interface Part {
  /** Equal for parts that say the same; other for an affirmed and a denied one. */
  readonly key: string;
  /** Two different parts of one kind exclude each other, such as two sides; `undefined`: an ordinary word. */
  readonly kind: string | undefined;
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
export interface Statement extends Span {
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
      start: sentence.start,
      end: sentence.end,
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
function tokensOf(tokens: readonly Token[], { from, to }: Range, table: PhraseIndex<unknown>): Set<number> {
  const found = new Set<number>();
  for (let at = from; at < to; at += 1) {
    const phrase = phraseAt(tokens, at, table);
    for (let each = at; phrase && each < phrase.to; each += 1) found.add(each);
  }
  return found;
}

function readTurns({ tokens, rules: { lexicon } }: Reading, range: Range): string {
  const { hypothetical, priors, history, exceptions, comparisons, shifts } = lexicon;
  const phrases = [hypothetical, priors, history, exceptions, comparisons, shifts].map((table) =>
    tokensOf(tokens, range, table),
  );
  const turns = new Set<string>();
  for (let at = range.from; at < range.to; at += 1) {
    const { folded } = elementAt(tokens, at);
    if (lexicon.turning.has(folded) || phrases.some((found) => found.has(at))) turns.add(stem(folded));
    else if (isQuery(tokens, at)) turns.add('?');
  }
  return [...turns].toSorted().join(' ');
}

/** Marks and words between two figures of one measure: "3.2 x 1.8 cm", "3–5 mm". */
const joinsFigures = /^[x×\-–/±]$/i;

function readClauses({ tokens, words, sentence, rules }: Reading, range: Range): Clause[] {
  const { lexicon, facts, numbers } = rules;
  const denials = [...readDenials(tokens, range, rules).values()];
  const isDenied = (at: number): boolean =>
    denials.some(({ from, to }) => from <= at && at < to) || isDeniedAfter(tokens, at + 1, range.to, lexicon.absences);
  const denying = tokensOf(tokens, range, lexicon.absences);
  const organs = tokensOf(tokens, range, lexicon.organs);
  const { and, range: ranges } = numbers.grammar.decimals;
  const joins = ({ folded, kind, text }: Token): boolean =>
    kind === 'word'
      ? and.has(folded) || lexicon.alternatives.has(folded) || lexicon.joints.has(folded) || lexicon.bears.has(folded)
      : /^[,()]$/.test(text);
  const findings = new Map(sentence.mentions.map(({ token, key }) => [token, key]));
  const clauses: OpenClause[] = [{ parts: [], findings: [], isNamed: false }];
  const last = (): OpenClause => elementAt(clauses, clauses.length - 1);
  const begin = (): void => void (last().parts.length > 0 && clauses.push({ parts: [], findings: [], isNamed: false }));
  /** The token after the last figure or unit. */
  let figuresEnd = -1;
  let place = range.from;
  for (const [n, word] of words.entries()) {
    if (word.from < range.from || word.from >= range.to) continue;
    if (tokens.slice(place, word.from).some(joins)) begin();
    place = word.to;
    const { folded } = elementAt(tokens, word.from);
    const key = `${describe(word, elementAt(tokens, word.from), sentence)}${isDenied(word.from) ? ' denied' : ''}`;
    if (word.fact === 'negation') begin();
    else if (word.fact === 'number' || word.fact === 'unit') {
      const between = tokens.slice(figuresEnd, word.from);
      const goesOn =
        figuresEnd >= 0 && between.every(({ text, folded: sign }) => joinsFigures.test(text) || ranges.has(sign));
      const before = goesOn ? last().parts.pop() : undefined;
      const sign = between.map((token) => token.folded).join(' ');
      last().parts.push({
        key: before ? `${before.key} ${sign} ${key}` : key,
        kind: 'number',
        isHeld: isDenied(word.from),
      });
      figuresEnd = word.to;
    } else if (word.fact !== undefined) {
      const kind = word.fact === 'side' ? 'side' : `place ${word.value?.split(' ')[0]}`;
      last().parts.push({ key, kind, isHeld: isDenied(word.from) });
    } else if (joins(elementAt(tokens, word.from))) begin();
    else if (word.isFree || denying.has(word.from) || lexicon.introducing.has(folded)) continue;
    else if (word.from === figuresEnd && (ranges.has(folded) || folded === 'x') && words[n + 1]?.fact === 'number')
      continue;
    else {
      const finding = findings.get(word.from);
      const isPlace = organs.has(word.from) || facts.sidedParts.has(folded);
      last().parts.push({ key, kind: undefined, isHeld: isDenied(word.from) || isHeld(folded, rules) });
      last().isNamed ||= finding !== undefined || !isPlace;
      if (finding !== undefined) last().findings.push(`${finding}${isDenied(word.from) ? ' denied' : ''}`);
    }
  }
  return joinUnnamed(clauses);
}

/** A word with a meaning of its own keeps its number: one nodule is not several. */
function describe({ fact, key, value, from }: ComparedWord, { folded }: Token, sentence: Sentence): string {
  if (fact === 'side') {
    const isElsewhere = sentence.words.some(({ token, isElsewhere: is }) => token === from && is);
    return `side ${value}${isElsewhere ? ' elsewhere' : ''}`;
  }
  if (fact !== undefined) return `${fact} ${value}`;
  return `word ${stem(key)}${folded.endsWith('s') ? ' s' : ''}`;
}

const isHeld = (folded: string, { lexicon }: Rules): boolean =>
  [lexicon.chronic, lexicon.acute, lexicon.limits, lexicon.within, lexicon.turning].some((words) => words.has(folded));

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
