/** The conversion that a rule for numbers and terms requests: it replaces tokens with pieces of text. */
import { buildFates, findHull } from '../operation.ts';
import type { Change, HeardFate } from '../operation.ts';
import { writtenTokens } from '../words/token.ts';
import type { Token } from '../words/token.ts';
import { elementAt } from '../../domain/elements.ts';

/** Tokens `from` up to `to`, written as `text`; unchanged if there is none. */
export interface Piece {
  readonly from: number;
  readonly to: number;
  readonly text?: string;
  /** Without white space before it. */
  readonly isTight?: boolean;
}

/** One conversion of the tokens up to `to`; without pieces they stay, and no other rule looks at them. */
export interface Conversion {
  readonly rule: string;
  readonly to: number;
  readonly pieces: readonly Piece[];
}

/** The conversion as a change of the tokens from `at` on; `undefined` if it changes nothing. */
export function buildChange(
  tokens: readonly Token[],
  at: number,
  { rule, to, pieces }: Conversion,
): Change | undefined {
  if (pieces.length === 0) return undefined;
  const out: Token[] = [];
  const fates: HeardFate[] = [];
  for (const [i, piece] of pieces.entries()) {
    const replaced = tokens.slice(piece.from, piece.to);
    const first = replaced[0];
    if (first === undefined) continue;
    const spaced = i === 0 ? first.spaced : piece.isTight !== true;
    if (piece.text === undefined) {
      out.push(...replaced.map((token, j) => (j === 0 && token.spaced !== spaced ? { ...token, spaced } : token)));
      continue;
    }
    const isSame = replaced.length === 1 && first.text === piece.text;
    if (isSame) out.push(first.spaced === spaced ? first : { ...first, spaced });
    else {
      // After a correction the words may be in another order than in the transcript, with others between them.
      const hull = findHull(replaced);
      out.push(...writtenTokens(piece.text, hull.from, hull.to, spaced));
      fates.push(...buildFates(replaced, 'converted'));
    }
  }
  const isSame =
    out.length === to - at &&
    out.every(
      (token, i) =>
        token.text === elementAt(tokens, at + i).text && (i === 0 || token.spaced === elementAt(tokens, at + i).spaced),
    );
  return isSame ? undefined : { rule, from: at, to, out, fates };
}
