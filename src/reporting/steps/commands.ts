/** Spoken commands: writes spoken punctuation, and leaves ordinary words and written marks. */
import { fold, phraseList, wordSet } from '../../domain/fold.ts';
import type { MarkRow, MarkTables } from '../languages/tables.ts';
import type { Change } from '../operation.ts';
import { readUses, findVerdict } from '../words/patterns.ts';
import type { Patterns, Surroundings } from '../words/patterns.ts';
import { beginsSentence, indexPhrases, phraseAt, phraseSet } from '../words/phrases.ts';
import type { PhraseIndex } from '../words/phrases.ts';
import { readHesitations } from './hesitations.ts';
import { isComma, writtenTokens } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

interface SpokenMark {
  readonly row: MarkRow;
  readonly patterns: Patterns | undefined;
  readonly isNoun: boolean;
}

export interface SpokenMarks {
  readonly marks: PhraseIndex<SpokenMark>;
  /** Forms of the colon behind the name of a section. */
  readonly colons: PhraseIndex<true>;
  readonly escape: string;
  readonly hesitations: ReadonlySet<string>;
}

export function readMarks(tables: MarkTables): SpokenMarks {
  const uses = readUses(tables);
  const nouns = wordSet(tables.nouns);
  const entries = tables.marks.flatMap((row) =>
    phraseList(row.phrases).map(
      (phrase) => [phrase, { row, patterns: uses.get(phrase), isNoun: nouns.has(fold(phrase)) }] as const,
    ),
  );
  return {
    marks: indexPhrases(entries),
    colons: phraseSet(tables.colons),
    escape: tables.escape,
    hesitations: readHesitations(tables.hesitations),
  };
}

export interface MarkContext extends Omit<Surroundings, 'beginsSentence'> {
  readonly marks: SpokenMarks;
  /** Tokens of spoken decimal signs, which belong to their numbers, and of doubtful ones. */
  readonly signs: ReadonlyMap<number, unknown>;
  /** Whether the token can be next to a slash: a figure, a letter, an abbreviation. */
  readonly isCode: (tokens: readonly Token[], at: number) => boolean;
}

/** Words of the longest mark: "punto y a parte". */
const maxMarkWords = 4;

/** Whether the words of a mark that begins something, such as a new line, end right before the token `at`. */
export const endsMark = (tokens: readonly Token[], at: number, { marks }: SpokenMarks): boolean =>
  Array.from({ length: maxMarkWords }, (_, words) => phraseAt(tokens, at - words - 1, marks)).some(
    (found) => found?.to === at && endsSentence(found.value.row.out),
  );

/** A place of spoken punctuation. */
interface SpokenPlace {
  readonly mark: SpokenMark;
  readonly from: number;
  readonly to: number;
  /** Whether a sentence begins here: a hyphen there belongs to a list, and keeps its space. */
  readonly isFirst: boolean;
  /** Whether it is a question mark before the questioned word. */
  readonly asks: boolean;
}

const isStop = (text: string): boolean => /^[.,;:?!…]/.test(text);
const isWrittenStop = (token: Token | undefined): boolean => token?.kind === 'mark' && isStop(token.text);
const endsSentence = (text: string): boolean => /^[.?!…\n]/.test(text);

/** The spoken marks, and the escape words before phrases that are not marks. */
export function writeMarks(tokens: readonly Token[], context: MarkContext): Change[] {
  const { spoken, escapes } = findMarks(tokens, context);
  // "somnolencia, coma, convulsiones": a noun between written marks, unless punctuation is spoken in this text.
  const speaksMarks = spoken.some(({ mark }) => !mark.isNoun);
  const places = spoken.filter(({ mark, from, to }) => !mark.isNoun || speaksMarks || !isSetApart(tokens, from, to));
  const changes: Change[] = [];
  let free = 0;
  let next = 0;
  for (const [number, place] of places.entries()) {
    for (; next < escapes.length && elementAt(escapes, next) < place.from; next += 1)
      changes.push(dropEscape(tokens, elementAt(escapes, next)));
    const change = changeFor(tokens, place, { from: free, to: places[number + 1]?.from ?? tokens.length });
    changes.push(change);
    free = change.to;
  }
  for (; next < escapes.length; next += 1) changes.push(dropEscape(tokens, elementAt(escapes, next)));
  return changes;
}

const isSetApart = (tokens: readonly Token[], from: number, to: number): boolean =>
  isWrittenStop(tokens[from - 1]) && (tokens[to] === undefined || isWrittenStop(tokens[to]));

/** Removes the escape word, and makes the word after it an ordinary one. */
function dropEscape(tokens: readonly Token[], at: number): Change {
  const [escape, word] = [elementAt(tokens, at), elementAt(tokens, at + 1)];
  return {
    rule: 'literal',
    from: at,
    to: at + 2,
    out: [{ ...word, spaced: escape.spaced, isEscaped: true }],
    fates: [{ from: escape.from, to: escape.to, fate: 'command' }],
  };
}

function findMarks(tokens: readonly Token[], context: MarkContext): { spoken: SpokenPlace[]; escapes: number[] } {
  const spoken: SpokenPlace[] = [];
  const escapes: number[] = [];
  /** Spoken marks also begin sentences. */
  const begins = new Set<number>();
  const around: Surroundings = {
    ...context,
    beginsSentence: (of, place) => begins.has(place) || beginsSentence(of, place),
  };
  let at = 0;
  while (at < tokens.length) {
    if (tokens[at]?.folded === context.marks.escape) {
      const kept = phraseAt(tokens, at + 1, context.marks.marks);
      if (kept || context.isSectionName(tokens, at + 1)) {
        escapes.push(at);
        at = kept?.to ?? at + 2;
        continue;
      }
    }
    const found = context.signs.has(at) ? undefined : phraseAt(tokens, at, context.marks.marks);
    const isFirst = found !== undefined && around.beginsSentence(tokens, at);
    const place = found && { mark: found.value, from: at, to: found.to, isFirst, asks: false };
    if (place && isMark(tokens, place, context, around)) {
      spoken.push({ ...place, asks: isAsking(tokens, place, context) });
      const { out } = place.mark.row;
      const endsName = out === ':' && context.endsSectionName(tokens, at);
      if (endsName || endsSentence(out)) begins.add(place.to);
    }
    // If the longest phrase is no mark, a shorter one may begin inside it.
    at = found && spoken.at(-1)?.from === at ? found.to : at + 1;
  }
  return { spoken, escapes };
}

function isMark(
  tokens: readonly Token[],
  { mark, from, to }: SpokenPlace,
  context: MarkContext,
  around: Surroundings,
): boolean {
  const [before, after] = [tokens[from - 1], tokens[to]];
  // "comma-shaped", "(period"
  const isGlued = (token: Token | undefined): boolean =>
    token?.kind === 'mark' && !isStop(token.text) && token.text !== ')';
  const opens = mark.row.out === '?' && before?.text === '(';
  if ((!tokens[from]?.spaced && isGlued(before) && !opens) || (after !== undefined && !after.spaced && isGlued(after)))
    return false;
  // "Findings, colon, lungs clear"
  if (mark.row.out === ':' && before?.text === ',' && context.endsSectionName(tokens, from - 1)) return true;
  if (mark.row.cling === 'link' && !(context.isCode(tokens, from - 1) && context.isCode(tokens, to))) return false;
  return findVerdict(mark.patterns, tokens, { from, to }, around) === 'mark';
}

/**
 * Whether a spoken question mark precedes a word of its sentence: at its beginning, after a mark, or as the language
 * says.
 */
function isAsking(
  tokens: readonly Token[],
  { mark: { row }, from, to, isFirst }: SpokenPlace,
  context: MarkContext,
): boolean {
  const next = tokens[to];
  if (row.out !== '?' || next?.kind !== 'word') return false;
  if (context.isSectionName(tokens, to) || phraseAt(tokens, to, context.marks.marks)) return false;
  const isApart = isFirst || isWrittenStop(tokens[from - 1]) || context.endsSectionName(tokens, from);
  return isApart || (row.cling === 'asks' && /^\p{Ll}/u.test(next.text));
}

/** Tokens `from` up to, not including, `to`. */
interface Range {
  readonly from: number;
  readonly to: number;
}

/** The replaced tokens: the phrase, and adjacent written marks of the free ones, so that none is doubled. */
function changeFor(
  tokens: readonly Token[],
  { mark: { row }, from: first, to: last, isFirst, asks }: SpokenPlace,
  free: Range,
): Change {
  const { out } = row;
  const cling = asks || (isFirst && out === '-') ? 'none' : row.cling === 'asks' ? 'left' : row.cling;
  const takesMarks = (!asks && isStop(out)) || out.startsWith('\n');
  const isBracket = /^[()"]$/.test(out);
  let from = first;
  let to = last;
  let wasSentenceEnd = false;
  if (isStop(out) && !asks) {
    while (from > free.from && isWrittenStop(tokens[from - 1])) {
      from -= 1;
      wasSentenceEnd ||= endsSentence(elementAt(tokens, from).text);
    }
  }
  // "lobe, open paren, series 3, close paren, unchanged": the inner marks are those of a recogniser, and so is the first comma.
  const isInner = (token: Token | undefined, at: 'left' | 'right'): boolean =>
    isComma(token) || (cling === at && token?.text === '.' && token.kind === 'mark');
  if (isBracket && from > free.from && isInner(tokens[from - 1], 'left')) from -= 1;
  if (isBracket && cling === 'right' && isInner(tokens[to], 'right')) to += 1;
  while (takesMarks && isWrittenStop(tokens[to])) {
    wasSentenceEnd ||= endsSentence(elementAt(tokens, to).text);
    to += 1;
  }
  const [start, end] = [elementAt(tokens, from).from, elementAt(tokens, to - 1).to];
  const isSpaced = cling === 'none' || (cling === 'right' && (tokens[first]?.spaced ?? true));
  const mark = writtenTokens(out, start, end, isSpaced);
  const fates = [{ from: start, to: end, fate: 'command' as const }];
  const change = { rule: out.trim() === '' ? 'line' : out.trim(), from, to, out: mark, fates };
  // "Limpos. Vírgula. Sem derrame": the sentence continues.
  const next = tokens[to];
  if (
    wasSentenceEnd &&
    !endsSentence(out) &&
    to < free.to &&
    next?.kind === 'word' &&
    /^\p{Lu}\p{Ll}+$/u.test(next.text)
  ) {
    const small = { ...next, text: next.text.toLowerCase(), spaced: cling === 'left' };
    return { ...change, to: to + 1, out: [...mark, small] };
  }
  return { ...change, clingsRight: cling !== 'left' && cling !== 'none' };
}
