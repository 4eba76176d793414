/** The words, figures and marks of a text, with the heard words of each. */
import type { Origin } from '../../contract/provenance.ts';
import { fold } from '../../domain/fold.ts';

/** The range from `start` up to, not including, `end`, in UTF-16 units of a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

export interface Token {
  /**
   * A `block` is text that was inserted as a whole (a macro): no step looks inside. A `section` marks the beginning of
   * another section's text.
   */
  readonly kind: 'word' | 'figure' | 'mark' | 'break' | 'block' | 'section';
  readonly text: string;
  /** Lower case, without accents. */
  readonly folded: string;
  /** Whether white space precedes it. */
  readonly spaced: boolean;
  /** Its source: the heard tokens `from` up to, not including, `to`. */
  readonly from: number;
  readonly to: number;
  readonly origin: Origin;
  /** Id of the operation that made it. */
  readonly operation?: string;
  /** Key of the section that begins here, or that a block belongs to wherever it was called. */
  readonly section?: string;
  /** Text for normal findings, which gives way to what is dictated in its section. */
  readonly isNormal?: true;
  /** Made an ordinary word by the speaker: no command and no name. */
  readonly isEscaped?: true;
  /** Keeps its heard form, with its space and its case, since the meaning would change otherwise. */
  readonly isKept?: true;
}

/** A token of the text itself, at its place. */
export type HeardToken = Token & Span;

const tokenPattern =
  /\r\n?|\n|\p{L}(?:[\p{L}\p{M}\p{N}]|['’](?=\p{L}))*|\p{N}[\p{N}\p{M}]*(?:[.,]\p{N}[\p{N}\p{M}]*)*|\S/gu;

/** ".5": a figure that begins with its decimal sign, preceded directly by nothing but a sign or an opening mark. */
const bareDecimal = /(?<![^\s([{"“«‘'<>≤≥=±~+\-−–—×/xX])[.,]\p{Nd}+(?!\p{N}|[.,]\p{N})/uy;

const systemBefore = /^\p{L}*rads(?=\p{N})/iu;

const isDigit = (code: number): boolean => code >= 48 && code <= 57;
const hasCode = (text: string): boolean =>
  isDigit(text.charCodeAt(text.length - 1)) || isDigit(text.charCodeAt(text.length - 2));

const findKind = (text: string): 'word' | 'figure' | 'mark' | 'break' => {
  const first = text.charCodeAt(0);
  if (first === 10 || first === 13) return 'break';
  if (first < 128) {
    if (first >= 48 && first <= 57) return 'figure';
    return (first | 32) >= 97 && (first | 32) <= 122 ? 'word' : 'mark';
  }
  if (/^\p{L}/u.test(text)) return 'word';
  return /^\p{N}/u.test(text) ? 'figure' : 'mark';
};

/** Reads a text (NFC). Time is linear in its length, whatever it is. */
export function tokenise(text: string): HeardToken[] {
  const tokens: HeardToken[] = [];
  let end = 0;
  tokenPattern.lastIndex = 0;
  for (let match = tokenPattern.exec(text); match !== null; match = tokenPattern.exec(text)) {
    const start = match.index;
    let [piece] = match;
    // "3x2": the sign between two figures is a separate word.
    if (tokens.at(-1)?.kind === 'figure' && start === end && /^[xX]\p{N}/u.test(piece)) {
      piece = piece.charAt(0);
      tokenPattern.lastIndex = start + 1;
    }
    // "RADS4", "RADS4A", as models write it: the category is a separate figure.
    const system = hasCode(piece) ? systemBefore.exec(piece)?.[0] : undefined;
    if (system !== undefined) {
      piece = system;
      tokenPattern.lastIndex = start + system.length;
    }
    bareDecimal.lastIndex = start;
    const decimal = piece === '.' || piece === ',' ? bareDecimal.exec(text)?.[0] : undefined;
    if (decimal !== undefined) {
      piece = decimal;
      tokenPattern.lastIndex = start + decimal.length;
    }
    const kind = decimal === undefined ? findKind(piece) : 'figure';
    tokens.push({
      kind,
      text: kind === 'break' ? '\n' : piece,
      folded: kind === 'word' ? fold(piece) : piece,
      spaced: start > end || start === 0,
      from: tokens.length,
      to: tokens.length + 1,
      origin: 'said',
      start,
      end: start + piece.length,
    });
    end = start + piece.length;
  }
  return tokens;
}

/** The tokens written for the heard tokens `from` up to `to`: each word, figure and mark of `text`. */
export function writtenTokens(text: string, from: number, to: number, spaced: boolean): Token[] {
  return tokenise(text).map((token, at) => ({
    kind: token.kind,
    text: token.text,
    folded: token.folded,
    spaced: at === 0 ? spaced : token.spaced,
    from,
    to,
    origin: 'converted',
  }));
}

/** Key of the section that begins at the token; `undefined`: none does. */
export const sectionBegunBy = ({ kind, section }: Token): string | undefined =>
  kind === 'section' ? section : undefined;

/** Whether it separates the words before it from those after it: no phrase crosses it. */
export const isBoundary = ({ kind }: Token): boolean => kind === 'break' || kind === 'block' || kind === 'section';

export const isComma = (token: Token | undefined): boolean => token?.kind === 'mark' && token.text === ',';

/** Tokens as text, with one space for any white space. */
export const textOf = (tokens: readonly Token[]): string =>
  tokens.map((token, at) => (at > 0 && token.spaced ? ` ${token.text}` : token.text)).join('');
