/**
 * Renders tokens as the text of a section: with correct spaces, capitals and full stops, and the origin of each word.
 */
import { wordSet } from '../domain/fold.ts';
import { joinedRun } from './versions/provenance.ts';
import type { Run } from './versions/provenance.ts';
import { endsSentence, isQuery } from './words/sentences.ts';
import { isBoundary } from './words/token.ts';
import type { Span, Token } from './words/token.ts';
import { elementAt } from '../domain/elements.ts';

/** A word of the text, and the heard tokens it comes from. */
export interface RenderedWord extends Span {
  readonly token: Token;
}

export interface RenderedSection {
  readonly text: string;
  readonly words: readonly RenderedWord[];
}

const clingsLeft = /^[.,;:?!)…”\]]$/;
const isMark = (token: Token | undefined, pattern: RegExp): boolean =>
  token?.kind === 'mark' && pattern.test(token.text);

/** A word such as pH or mRNA has its own case, and so have units ("mm") and waves ("aVR"). */
const hasOwnCase = (text: string): boolean => /^\p{Ll}+(?:\p{Lu}|\p{Ll}?\d)/u.test(text);

/** The text with a capital first, if one represents exactly that letter (`ß` and `ϰ` stay). */
export function withCapital(text: string): string {
  const small = text.charAt(0);
  const large = small.toUpperCase();
  return large.toLowerCase() === small ? large + text.slice(1) : text;
}

const strength = ({ text }: Token): number => ',;:.?!'.indexOf(text);

/** Without marks and breaks that follow nothing, and without doubled marks. */
function tidyTokens(tokens: readonly Token[]): Token[] {
  const kept: Token[] = [];
  for (const [at, token] of tokens.entries()) {
    const before = kept.at(-1);
    const isFirst = before === undefined || before.kind === 'break';
    if (token.isKept) {
      kept.push(token);
      continue;
    }
    if (isFirst && isMark(token, /^[.,;:?!…]$/) && !isQuery(tokens, at)) continue;
    if (token.kind === 'break' && (before === undefined || (before.kind === 'break' && kept.at(-2)?.kind === 'break')))
      continue;
    const isEllipsis =
      token.text === '.' && before?.text === '.' && !token.spaced && !before.spaced && token.operation === undefined;
    if (before && isMark(token, /^[.,;:]$/) && isMark(before, /^[.,;:?!]$/) && !isEllipsis) {
      // The stronger of two marks stays.
      if (strength(token) > strength(before)) kept[kept.length - 1] = { ...token, spaced: false };
      continue;
    }
    kept.push(token);
  }
  while (kept.at(-1)?.kind === 'break') kept.pop();
  return kept;
}

/** Ends each line with a full stop, unless it has a mark that ends it. */
function closeLines(tokens: readonly Token[]): Token[] {
  const out: Token[] = [];
  tokens.forEach((token, at) => {
    const next = tokens[at + 1];
    const isEnd = next === undefined || next.kind === 'break';
    const leadsOn = isMark(token, /^[,;]$/) || (next === undefined && isMark(token, /^:$/));
    if (!isEnd || token.kind === 'break' || token.kind === 'block') out.push(token);
    else if (leadsOn) out.push({ ...token, text: '.', folded: '.' });
    else if (isMark(token, /^[^%°”»")\]]$/)) out.push(token);
    else out.push(token, { ...token, kind: 'mark', text: '.', folded: '.', spaced: false });
  });
  return out;
}

/** Whether a capital belongs at the beginning of the token `at`. */
function beginsWithCapital(tokens: readonly Token[], at: number): boolean {
  let before = at - 1;
  while (before >= 0 && (isMark(tokens[before], /^[("“«¿¡[\-–•*]$/) || isQuery(tokens, before))) before -= 1;
  const isList =
    before >= 1 && elementAt(tokens, before).text === '.' && elementAt(tokens, before - 1).kind === 'figure';
  return before < 0 || isBoundary(elementAt(tokens, before)) || endsSentence(tokens, before) || isList;
}

/** Renders the tokens of a section; `pieces` were said separately, each with whole sentences. */
export function render(pieces: readonly (readonly Token[])[]): RenderedSection {
  const tokens = pieces.flatMap((piece) => {
    const [first, ...rest] = closeLines(tidyTokens(piece));
    return first === undefined ? [] : [{ ...first, spaced: true }, ...rest];
  });
  const parts: string[] = [];
  const words: RenderedWord[] = [];
  let length = 0;
  const put = (text: string): void => {
    parts.push(text);
    length += text.length;
  };
  tokens.forEach((token, at) => {
    const before = tokens[at - 1];
    if (token.kind === 'break') {
      put('\n');
      return;
    }
    const isSpaced =
      before !== undefined &&
      before.kind !== 'break' &&
      (token.spaced || before.kind === 'block') &&
      (token.isKept || !isMark(token, clingsLeft) || isQuery(tokens, at));
    if (isSpaced) put(' ');
    const isOpen =
      token.kind === 'word' &&
      !token.isKept &&
      !hasOwnCase(token.text) &&
      beginsWithCapital(tokens, at) &&
      !isUnit(tokens, at);
    const text = isOpen ? withCapital(token.text) : token.text;
    const start = length;
    put(text);
    if (token.kind !== 'mark') words.push({ start, end: length, token });
  });
  return { text: parts.join(''), words };
}

const units = wordSet('mm cm m ml kg g mg mcg ms bpm');
const isUnit = (tokens: readonly Token[], at: number): boolean =>
  units.has(elementAt(tokens, at).text) && tokens[at - 1]?.kind === 'figure';

/**
 * The words as runs: words that were written as they were said are one run, as long as they are adjacent on both sides.
 */
export function groupRuns(
  section: string,
  words: readonly RenderedWord[],
  sourceOf: (token: Token) => Span | null,
): Run[] {
  const runs: Run[] = [];
  for (const { start, end, token } of words) {
    const { origin, operation } = token;
    const run: Run = {
      section,
      start,
      end,
      origin,
      heard: sourceOf(token),
      ...(operation !== undefined && { operation }),
    };
    const last = runs.at(-1);
    const whole = last && joinedRun(last, run);
    if (whole) runs[runs.length - 1] = whole;
    else runs.push(run);
  }
  return runs;
}
