/** Keeps a caret next to the same word after the text around it has changed. */
import { textOf } from './hand-edits.ts';
import type { Piece, ShownSection } from './hand-edits.ts';
import { elementAt } from '../../domain/elements.ts';

/** The identity of a piece in any context; `undefined`: it may be another one the next time. */
function findIdentity({ kind, unit, edit, isPartial }: Piece, { units }: ShownSection): unknown {
  if (kind === 'hand') return edit;
  return kind === 'word' && !isPartial ? elementAt(units, unit).heard[0]?.from : undefined;
}

function* solid(section: ShownSection): Generator<{ what: unknown; start: number; end: number }, void> {
  let end = 0;
  for (const piece of section.pieces) {
    const start = end;
    end += piece.text.length;
    const what = findIdentity(piece, section);
    if (what !== undefined) yield { what, start, end };
  }
}

export function caretIn(after: ShownSection, before: ShownSection, caret: number): number {
  const now = new Map(Array.from(solid(after), ({ what, start, end }) => [what, { start, end }] as const));
  const [text, former] = [textOf(after), textOf(before)];
  const beside = Array.from(solid(before)).filter(({ start }) => start < caret);
  for (const [at, { what, start, end }] of beside.toReversed().entries()) {
    const found = now.get(what);
    if (!found) continue;
    if (at > 0) return found.end;
    if (caret <= end) return Math.min(found.start + caret - start, found.end);
    return found.end + alike(former.slice(end, caret), text.slice(found.end));
  }
  return beside.length > 0 ? 0 : alike(former.slice(0, caret), text);
}

/** The length of the common beginning of the texts. */
function alike(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length += 1;
  return length;
}
