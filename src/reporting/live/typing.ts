/** Typing in a section of a report during its dictation. */
import { endsWithMark, isWordy, textOf, withHand } from './hand-edits.ts';
import type { HandEdit, Piece, ShownSection } from './hand-edits.ts';
import { isPartial, overlap, placesOf } from './words.ts';
import type { LiveReport, Place, Places, Unit } from './words.ts';
import { elementAt, lastElement } from '../../domain/elements.ts';

/** Replaces the text from `start` up to, not including, `end` with `text`. */
export interface Splice {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

interface LocatedPiece {
  readonly piece: Piece;
  readonly start: number;
  readonly end: number;
}

function locate({ pieces }: ShownSection): LocatedPiece[] {
  let at = 0;
  return pieces.map((piece) => ({ piece, start: at, end: (at += piece.text.length) }));
}

/** The range of words that may still change, with the gap before them, and after them at the end. */
export function partialIn(section: ShownSection): { readonly start: number; readonly end: number } | undefined {
  const partial = locate(section).filter(({ piece }) => piece.isPartial);
  return partial.length === 0 ? undefined : { start: elementAt(partial, 0).start, end: lastElement(partial).end };
}

/** The edits after typing. Words that may still change stay: text typed there goes before them. */
export function applyTyping(
  live: LiveReport,
  edits: readonly HandEdit[],
  key: string,
  splice: Splice,
): readonly HandEdit[] {
  const section = withHand(live, edits).find((each) => each.key === key);
  if (!section) return edits;
  const open = partialIn(section);
  if (!open || splice.end <= open.start) return spliced(section, edits, splice);
  const isLast = open.end === textOf(section).length;
  const within = (place: number): number => (place > open.start && (place < open.end || isLast) ? open.start : place);
  const [start, end] = [within(splice.start), within(splice.end)];
  if (start >= open.end || end <= open.start)
    return spliced(section, edits, { ...splice, start, end: Math.max(start, end) });
  const after = spliced(section, edits, { start: open.end, end, text: '' });
  return applyTyping(live, after, key, { ...splice, start, end: open.start });
}

function spliced(section: ShownSection, edits: readonly HandEdit[], splice: Splice): readonly HandEdit[] {
  const located = locate(section);
  const { start, end, text } = splice;
  const touches = (each: LocatedPiece): boolean =>
    !each.piece.isPartial &&
    ((each.start < end && each.end > start) ||
      // Letters at a word become a part of the word.
      (each.end === start && isWordy(text.slice(0, 1))) ||
      (each.start === end && isWordy(text.slice(-1))));
  const stays = (each: LocatedPiece): boolean => each.piece.kind === 'word' && !touches(each);
  const left = located.findLastIndex((each) => stays(each) && each.end <= start);
  const found = located.findIndex((each, at) => at > left && stays(each) && each.start >= end);
  const right = found < 0 ? located.length : found;
  const first = located[left];
  const last = located[right];
  const from = first?.end ?? 0;
  // The gap before a word that may still change belongs to that word.
  const to = last?.piece.isPartial ? lastEnd(located, right) : (last?.start ?? located.at(-1)?.end ?? 0);
  const whole = textOf(section);
  const merged = new Set(located.slice(left + 1, right).flatMap(({ piece }) => piece.edit ?? []));
  const units = section.units.slice((first?.piece.unit ?? -1) + 1, last?.piece.unit ?? section.units.length);
  const isOther = (unit: Unit): boolean =>
    edits.some(
      (edit) => !merged.has(edit) && edit.over.some((each) => unit.heard.some((part) => overlap(each, placesOf(part)))),
    );
  const edit = buildEdit({
    section,
    text: whole.slice(from, start) + text + whole.slice(end, to),
    units: units.filter((unit) => !isOther(unit)),
    first: first && section.units[first.piece.unit],
    last: last && section.units[last.piece.unit],
    isRaised: last !== undefined && last.piece.text !== elementAt(section.units, last.piece.unit).text,
  });
  const rest = [...merged].flatMap(({ over }) => over).filter((each) => !units.some((unit) => coversUnit(each, unit)));
  return placeEdits(edits, { merged, made: withOthers(edit, rest, section), after: editAfter(located, right) });
}

const lastEnd = (located: readonly LocatedPiece[], partial: number): number => {
  const before = located.slice(0, partial).findLast(({ piece }) => !piece.isPartial);
  return before?.end ?? 0;
};

const coversUnit = (each: Places, { heard }: Unit): boolean => heard.some((part) => overlap(each, placesOf(part)));

interface Region {
  readonly section: Pick<ShownSection, 'key' | 'title' | 'tail'>;
  readonly text: string;
  /** The words of the dictation between the neighbours. */
  readonly units: readonly Unit[];
  /** The neighbours; `undefined`: the beginning, or the end. */
  readonly first: Unit | undefined;
  readonly last: Unit | undefined;
  readonly isRaised: boolean;
}

/** The smallest edit that produces the region's text; `undefined`: the text is as dictated. */
function buildEdit({ section, text: whole, units: all, first, last, isRaised }: Region): HandEdit | undefined {
  let text = whole;
  const units = [...all];
  let [after, before] = [first, last];
  let [leads, closes] = [false, true];
  const gap = last ? (isPartial(last) ? '' : last.gap) : section.tail;
  const isKept = text.endsWith(gap) && (last !== undefined || gap === '' || !endsWithMark(text.slice(0, -gap.length)));
  if (isKept) {
    text = cutEnd(text, gap);
    closes = false;
  }
  while (!closes && units.length > 0) {
    const unit = lastElement(units);
    const rest = cutEnd(text, unit.text);
    if (!text.endsWith(unit.text) || isWordy(rest.slice(-1))) break;
    units.pop();
    before = unit;
    closes = !rest.endsWith(unit.gap);
    text = closes ? rest : cutEnd(rest, unit.gap);
  }
  while (units.length > 0) {
    const unit = elementAt(units, 0);
    if (!text.startsWith(unit.gap)) break;
    const rest = text.slice(unit.gap.length);
    const next = rest.slice(unit.text.length);
    if (!rest.startsWith(unit.text) || isWordy(next.slice(0, 1)) || (next === '' && closes && before)) {
      leads = true;
      text = rest;
      break;
    }
    units.shift();
    after = unit;
    text = next;
  }
  const over = units.flatMap(({ heard }) => heard.map(placesOf));
  const isSame = text === '' && over.length === 0 && !closes;
  if (isSame && !isRaised) return undefined;
  return {
    section: section.key,
    title: section.title,
    text,
    over,
    after: lastPlace(after),
    before: before && !isPartial(before) ? (before.heard[0]?.from ?? null) : null,
    leads,
    closes,
    raises: isRaised && before === last,
  };
}

const cutEnd = (text: string, end: string): string => text.slice(0, text.length - end.length);

const lastPlace = (unit: Unit | undefined): Place | null => {
  const part = unit?.heard.at(-1);
  return part ? part.from + part.text.length - 1 : null;
};

/** Replaced words that are not at this place now stay replaced. */
function withOthers(edit: HandEdit | undefined, over: readonly Places[], section: ShownSection): HandEdit[] {
  const isHere = (each: Places): boolean => section.units.some((unit) => coversUnit(each, unit));
  const nothing: HandEdit = {
    section: section.key,
    title: section.title,
    text: '',
    over: over.filter(isHere),
    after: null,
    before: null,
    leads: false,
    closes: false,
    raises: false,
  };
  const gone = over.filter((each) => !isHere(each));
  const present = nothing.over.length > 0 ? [nothing] : [];
  if (edit) return [...present, { ...edit, over: [...edit.over, ...gone] }];
  return gone.length > 0 ? [{ ...nothing, over }] : present;
}

const editAfter = (located: readonly LocatedPiece[], right: number): HandEdit | undefined =>
  located.slice(right).find(({ piece }) => piece.edit)?.piece.edit ?? undefined;

/** The edits with new ones in the place of those that they absorbed, or before `after`. */
function placeEdits(
  edits: readonly HandEdit[],
  { merged, made, after }: { merged: ReadonlySet<HandEdit>; made: readonly HandEdit[]; after: HandEdit | undefined },
): readonly HandEdit[] {
  const known = edits.findIndex((each) => merged.has(each));
  const next = after ? edits.indexOf(after) : edits.findLastIndex(({ section }) => section === made[0]?.section) + 1;
  const at = known >= 0 ? known : next;
  return [...edits.slice(0, at), ...made, ...edits.slice(at)].filter((each) => !merged.has(each));
}
