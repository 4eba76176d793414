/**
 * Typed edits in a report during its dictation. An edit identifies the words that it replaces by their places in the
 * transcript, so it holds whatever is heard, spoken or recorded after it: typed text wins over the words that it
 * touched, and every other word stays as dictated.
 */
import { findFirstIndex } from '../../domain/binary-search.ts';
import { withCapital } from '../render.ts';
import { sectionKinds } from '../sections/section-kinds.ts';
import { asSaid, isPartial, overlap, placesOf, splitUnits } from './words.ts';
import type { LiveReport, Place, Places, Unit } from './words.ts';
import { elementAt } from '../../domain/elements.ts';

/** Text that a person left between two words of a section. */
export interface HandEdit {
  /** The section where it was typed. */
  readonly section: string;
  readonly title: string;
  readonly text: string;
  /** The heard parts of the words that it replaces; empty for an insertion. */
  readonly over: readonly Places[];
  /** In the word before; `null`: the beginning. */
  readonly after: Place | null;
  /** In the word after; `null`: the end. */
  readonly before: Place | null;
  /** The gap before the first replaced word stays before the text. */
  readonly leads: boolean;
  /** The text goes up to the word after, or to the end. */
  readonly closes: boolean;
  /** The word after begins with a capital because of it. */
  readonly raises: boolean;
}

export interface Piece {
  readonly kind: 'gap' | 'word' | 'hand';
  readonly text: string;
  /** For a word: its index in the units of the section. */
  readonly unit: number;
  /** For typed text. */
  readonly edit: HandEdit | null;
  readonly isPartial: boolean;
}

/** A section as shown. */
export interface ShownSection {
  readonly key: string;
  readonly title: string;
  /** Concatenated, they are the text. */
  readonly pieces: readonly Piece[];
  /** The words of the dictation, shown or replaced, and the text after the last one. */
  readonly units: readonly Unit[];
  readonly tail: string;
}

interface Section extends Pick<ShownSection, 'key' | 'title' | 'units' | 'tail'> {
  /** The edit that replaces each word. */
  readonly covers: readonly (HandEdit | null)[];
}

export const textOf = ({ pieces }: Pick<ShownSection, 'pieces'>): string => pieces.map(({ text }) => text).join('');
export const isWordy = (text: string): boolean => /[\p{L}\p{M}\p{N}]/u.test(text);
/** Whether the text ends with a mark after which no other belongs. */
export const endsWithMark = (text: string): boolean => /[.,;:!?]\s*$/.test(text);

const isIn = (place: Place | null, { heard }: Unit): boolean =>
  place !== null && heard.some((part) => part.from <= place && place < part.from + part.text.length);

/** The sections with the typed edits. */
export function withHand({ sections, heard }: LiveReport, edits: readonly HandEdit[]): ShownSection[] {
  const present = edits.filter(({ over }) => isHeard(over, heard));
  const covers = coversIn(present);
  const known: Section[] = sections.map((section) => {
    const { units, tail } = splitUnits(section);
    const apart =
      present.length === 0 ? units : units.flatMap((unit) => (isTorn(unit, covers, present) ? asSaid(unit) : [unit]));
    return {
      key: section.key,
      title: section.title,
      units: apart,
      tail,
      covers: apart.map((unit) => findCover(unit, covers)),
    };
  });
  const all = withMissing(known, present);
  const positions = positionsIn(all, present);
  return all.map((section, at) => ({
    key: section.key,
    title: section.title,
    pieces: buildPieces(
      section,
      present.flatMap((edit, n) =>
        elementAt(positions, n).section === at ? [{ edit, at: elementAt(positions, n).at }] : [],
      ),
    ),
    units: section.units,
    tail: section.tail,
  }));
}

/** Overwritten sound removed its words, and the edits of them. */
const isHeard = (over: readonly Places[], heard: readonly Places[]): boolean =>
  over.length === 0 || over.some((each) => heard.some((part) => overlap(each, part)));

/** The places that each edit replaces, in order. */
type Covers = readonly (Places & { readonly edit: HandEdit })[];

const coversIn = (edits: readonly HandEdit[]): Covers =>
  edits.flatMap((edit) => edit.over.map((each) => ({ ...each, edit }))).toSorted((a, b) => a.from - b.from);

function findCover({ heard }: Unit, covers: Covers): HandEdit | null {
  for (const { from, text } of heard) {
    const found = covers[findFirstIndex(covers.length, (at) => elementAt(covers, at).to > from)];
    if (found && found.from < from + text.length) return found.edit;
  }
  return null;
}

/** Whether typed text replaces only some of the words that were written together, or separates them. */
function isTorn(unit: Unit, covers: Covers, edits: readonly HandEdit[]): boolean {
  const { heard } = unit;
  if (heard.length === 0 || (heard.length === 1 && !elementAt(heard, 0).text.includes(' '))) return false;
  if (edits.some(({ after, before }) => isIn(after, unit) && isIn(before, unit))) return true;
  const each = asSaid(unit).map((word) => findCover(word, covers));
  return each.some((cover) => cover !== each[0]);
}

/** Adds the sections of which only typed text is left. */
function withMissing(sections: readonly Section[], edits: readonly HandEdit[]): Section[] {
  const all = [...sections];
  const rank = (key: string): number => sectionKinds.findIndex((kind) => kind.key === key);
  for (const { section: key, title, text } of edits) {
    if (text === '' || all.some((section) => section.key === key)) continue;
    const next = all.findIndex((other) => rank(other.key) > rank(key));
    all.splice(next < 0 ? all.length : next, 0, { key, title, units: [], tail: '', covers: [] });
  }
  return all;
}

/** The position before the word `at` of a section. */
interface Position {
  readonly section: number;
  readonly at: number;
}

/**
 * The position of each edit: at the words that it replaces, otherwise next to its neighbours, and always in the order
 * of the edits.
 */
function positionsIn(sections: readonly Section[], edits: readonly HandEdit[]): Position[] {
  const replaced = new Map<HandEdit | null, Position>();
  const places: (Places & Position)[] = [];
  for (const [section, { units, covers }] of edits.length === 0 ? [] : sections.entries()) {
    for (const [at, { heard }] of units.entries()) {
      const cover = elementAt(covers, at);
      if (cover && !replaced.has(cover)) replaced.set(cover, { section, at });
      for (const part of heard) places.push({ ...placesOf(part), section, at });
    }
  }
  places.sort((a, b) => a.from - b.from);
  const wordAt = (place: Place | null): Position | undefined => {
    if (place === null) return undefined;
    const found = places[findFirstIndex(places.length, (at) => elementAt(places, at).to > place)];
    return found && found.from <= place ? found : undefined;
  };
  const found = edits.map((edit): Position | undefined => {
    const { after, before, section: key } = edit;
    const last = replaced.get(edit) ?? wordAt(after);
    if (last) return replaced.has(edit) ? last : { section: last.section, at: last.at + 1 };
    const next = wordAt(before);
    if (next) return next;
    const section = sections.findIndex((each) => each.key === key);
    return after === null && section >= 0 ? { section, at: 0 } : undefined;
  });
  return edits.map((edit, n) => {
    if (found[n]) return found[n];
    const section = Math.max(
      0,
      sections.findIndex(({ key }) => key === edit.section),
    );
    const isHere = (each: Position | undefined): each is Position => each?.section === section;
    const min = found.slice(0, n).findLast(isHere)?.at ?? 0;
    const max = found.slice(n + 1).find(isHere)?.at ?? Infinity;
    return { section, at: Math.min(Math.max(placeAfter(sections[section], edit.after), min), max) };
  });
}

/** After the last word of the section that was heard before the place. */
function placeAfter(section: Section | undefined, place: Place | null): number {
  let [at, nearest] = [0, -1];
  for (const [number, { heard }] of (section?.units ?? []).entries()) {
    const from = heard[0]?.from ?? -1;
    if (place !== null && from <= place && from > nearest) [at, nearest] = [number + 1, from];
  }
  return at;
}

function buildPieces(
  { units, covers, tail }: Section,
  edits: readonly { readonly edit: HandEdit; readonly at: number }[],
): Piece[] {
  const pieces: Piece[] = [];
  let out = '';
  let hand: HandEdit | null = null;
  let lastWord: Unit | undefined;
  /** Typed text follows the marks that were said before it. */
  let isStopped = false;
  const put = (piece: Partial<Piece> & Pick<Piece, 'kind' | 'text'>): void => {
    if (piece.text === '' && piece.kind === 'gap') return;
    pieces.push({ unit: -1, edit: null, isPartial: false, ...piece });
    out = (out + piece.text).slice(-40);
  };
  const findGap = (at: number): string => {
    const gap = units[at]?.gap ?? tail;
    return isStopped ? gap.replace(leadingMarks, '') : gap;
  };
  const putHand = (edit: HandEdit, at: number): void => {
    const isOver = covers[at] === edit;
    const follows = edit.after === null ? out === '' : lastWord !== undefined && isIn(edit.after, lastWord);
    if (!isOver && (!follows || hand !== null) && edit.text !== '') {
      // Its words are gone: it follows the rest of its neighbours.
      put({ kind: 'gap', text: out === '' ? '' : (leadingMarks.exec(findGap(at))?.[0] ?? '') });
      isStopped = true;
      if (/\S$/.test(out) && /^[^\s.,;:!?)]/.test(edit.text)) put({ kind: 'gap', text: ' ' });
    } else if (edit.leads) put({ kind: 'gap', text: isOver ? elementAt(units, at).gap : '' });
    put({ kind: 'hand', text: edit.text, edit });
    hand = edit;
  };
  const putWord = (unit: Unit, at: number): void => {
    const isNext = hand !== null && isIn(hand.before, unit);
    const own = out === '' && hand === null ? unit.gap.trimStart() : findGap(at);
    const gap: string = hand === null ? own : gapAfter(hand, { ...unit, gap: own }, isNext, out);
    const opens = hand !== null && (isNext ? hand.raises : /(?:^|[.!?]\s+|\n)$/.test(out + gap));
    const partial = isPartial(unit);
    put({ kind: 'gap', text: gap, isPartial: partial });
    put({ kind: 'word', text: opens ? withCapital(unit.text) : unit.text, unit: at, isPartial: partial });
    [hand, lastWord, isStopped] = [null, unit, false];
  };
  const putTail = (last: HandEdit | null): void => {
    const isClosed = last !== null && (endsWithMark(out) || (last.before === null && last.closes));
    if (!isClosed) put({ kind: 'gap', text: findGap(units.length), isPartial: pieces.at(-1)?.isPartial ?? false });
  };
  let next = 0;
  for (let at = 0; at <= units.length; at += 1) {
    for (; next < edits.length && elementAt(edits, next).at <= at; next += 1) putHand(elementAt(edits, next).edit, at);
    if (at < units.length && covers[at] === null) putWord(elementAt(units, at), at);
  }
  putTail(hand);
  return pieces;
}

const leadingMarks = /^[.,;:!?]+/;

/** The gap between typed text and the word after it. */
function gapAfter(hand: HandEdit, { gap, text }: Unit, isNext: boolean, out: string): string {
  if (isNext) return hand.closes ? '' : gap;
  if (out === '') return gap.replace(/^[\s.,;:!?)]+/, '');
  const kept = endsWithMark(out) ? gap.replace(leadingMarks, '') : gap;
  const apart = /\s$/.test(out) ? kept.replace(/^ +/, '') : kept;
  return apart === '' && !/\s$/.test(out) && isWordy(text.slice(0, 1)) ? ' ' : apart;
}
