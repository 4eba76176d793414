/**
 * Targets of the next words of a dictation: the section and the word at which the caret is. Words are identified by
 * their places, so they stay there whatever is heard, written or recorded later. A spoken section name overrides the
 * caret.
 */
import { withCapital } from '../render.ts';
import { sectionKinds } from '../sections/section-kinds.ts';
import type { ShownSection } from './hand-edits.ts';
import { partialPlaces, placesOfStretch, splitUnits } from './words.ts';
import type { LiveReport, LiveRun, LiveSection, Place, Unit } from './words.ts';
import { elementAt, findElement } from '../../domain/elements.ts';

export interface SpeechTarget {
  readonly section: string;
  readonly title: string;
  /** The target applies to speech from this place on. */
  readonly from: Place;
  /** In the word that precedes it; `null`: at the beginning. */
  readonly after: Place | null;
}

/** A word with the text around it. */
interface Entry {
  readonly unit: Unit;
  /** Key of the section in which the dictation has it. */
  readonly home: string;
  /** Index of the word in that section. */
  readonly at: number;
  /** The text before it. */
  readonly lead: string;
  /** The marks after it. */
  readonly marks: string;
  /** Whether they are at the end of the section. */
  readonly closes: boolean;
  /** Whether several words are written together: a number with its unit, an autotext. */
  readonly isBlock: boolean;
  /** The middle of its first heard part, as a place; `undefined`: nobody said it. */
  readonly said: Place | undefined;
}

interface SaidEntry extends Entry {
  readonly said: Place;
}

/** The words that somebody said, in the order of speech. */
const inOrderOfSpeech = (entries: readonly Entry[]): SaidEntry[] =>
  entries.filter((entry): entry is SaidEntry => entry.said !== undefined).toSorted((a, b) => a.said - b.said);

interface Line extends Pick<LiveSection, 'key' | 'title'> {
  readonly entries: Entry[];
  /** The text after the last marks. */
  readonly rest: string;
}

const lastHeard = ({ heard }: LiveReport): number => heard.reduce((last, { to }) => Math.max(last, to), -1);

/** The place of the next speech: words in progress stay where they are, also when they are final. */
export function nextPlace(live: LiveReport): Place {
  const said = live.sections
    .flatMap((section) => splitUnits(section).units)
    .flatMap(({ heard }) => heard)
    .map(({ from, text }) => (from < 0 ? from + text.length - partialPlaces : 0));
  return lastHeard(live) + 1 + Math.max(0, ...said);
}

/** The place of the next take's speech: words of earlier takes may still arrive. */
export const nextTakePlace = (live: LiveReport): Place =>
  live.heard.length === 0 ? 0 : (Math.floor((lastHeard(live) - 1) / placesOfStretch) + 1) * placesOfStretch;

/** A phrase of the current take whose words are final; times in seconds of the take. */
export interface TakenPhrase {
  readonly from: Place;
  readonly start: number;
  readonly end: number;
}

/** A pause in speech; times in seconds of the take. */
export interface SpeechPause {
  readonly at: number;
  /** The end of the words before it; `null`: nobody spoke before it. */
  readonly spokenTo: number | null;
}

/** Seconds by which a recogniser may misplace the beginning or the end of a phrase. */
const looseness = 0.4;

/** The place of the speech after a pause; `undefined`: words from before it may still arrive. */
export function placeAfterPause(
  live: LiveReport,
  phrases: readonly TakenPhrase[],
  { at, spokenTo }: SpeechPause,
): Place | undefined {
  const next = phrases.find(({ start }) => start >= at - looseness);
  if (next) return next.from;
  const isHeard = spokenTo === null || (phrases.at(-1)?.end ?? -Infinity) >= spokenTo - looseness;
  return isHeard ? lastHeard(live) + 1 : undefined;
}

/** The target for a caret in a shown section: it applies to speech at `from` and later. */
export function targetAt(from: Place, { key, title, pieces, units }: ShownSection, caret: number): SpeechTarget {
  let after: Place | null = null;
  let at = 0;
  for (const { kind, text, unit, isPartial } of pieces) {
    const part = kind === 'word' && !isPartial && at < caret ? elementAt(units, unit).heard.at(-1) : undefined;
    if (part) after = part.from + part.text.length - 1;
    at += text.length;
  }
  return { section: key, title, from, after };
}

/** The target for speech that goes on behind the last words that were said into a shown section. */
export function targetAfterLast(from: Place, { key, title, units }: ShownSection): SpeechTarget {
  const said = units.flatMap(({ heard }) => heard).filter((part) => part.from >= 0 && part.from < from);
  const ends = said.map((part) => part.from + part.text.length - 1);
  return { section: key, title, from, after: ends.length === 0 ? null : Math.max(...ends) };
}

/** Key of the section that takes the words now; `undefined`: there are no words and no target yet. */
export function sectionNow(live: LiveReport, targets: readonly SpeechTarget[]): string | undefined {
  const begins = lastHeard(live) + 1;
  const lines = moveToTargets(live, targets).sections.map((section) => buildLine(section, begins));
  const last = inOrderOfSpeech(lines.flatMap(({ entries }) => entries)).at(-1);
  const target = targets.at(-1);
  return target && (!last || last.said < target.from) ? target.section : last?.home;
}

/** The report with the words moved to their targets. */
export function moveToTargets(live: LiveReport, wishes: readonly SpeechTarget[]): LiveReport {
  if (wishes.length === 0) return live;
  const lines = live.sections.map((section) => buildLine(section, lastHeard(live) + 1));
  const moves = findMoves(
    lines.flatMap(({ entries }) => entries),
    wishes,
  );
  const moved = new Set([...moves.values()].flat());
  if (moved.size === 0) return live;
  const stay = lines.map((line): Line => ({ ...line, entries: line.entries.filter((entry) => !moved.has(entry)) }));
  const all = [...moves.keys()].reduce(withLine, stay);
  for (const [{ section, after }, entries] of moves) {
    const line = findElement(all, ({ key }) => key === section);
    line.entries.splice(placeAfter(line, after), 0, ...entries);
  }
  return { ...live, sections: all.map(buildSection) };
}

const marksAtStart = /^[.,;:!?)\]]*/;

function buildLine(section: LiveSection, begins: Place): Line {
  const { units, tail } = splitUnits(section);
  const gaps = [...units.map(({ gap }) => gap), tail];
  const marksOf = (at: number): string => (at === 0 ? '' : (marksAtStart.exec(elementAt(gaps, at))?.[0] ?? ''));
  const entries = units.map((unit, at): Entry => {
    const [part] = unit.heard;
    return {
      unit,
      home: section.key,
      at,
      lead: elementAt(gaps, at).slice(marksOf(at).length),
      marks: marksOf(at + 1),
      closes: at === units.length - 1,
      isBlock: /\s/.test(unit.text),
      said: part && (part.from < 0 ? begins + part.from - partialPlaces : part.from) + part.text.length / 2,
    };
  });
  return { key: section.key, title: section.title, entries, rest: tail.slice(marksOf(units.length).length) };
}

/** The words that each target moves, in the order of speech. */
function findMoves(entries: readonly Entry[], wishes: readonly SpeechTarget[]): Map<SpeechTarget, Entry[]> {
  const moves = new Map<SpeechTarget, Entry[]>();
  const coming = wishes.toSorted((a, b) => a.from - b.from);
  let wish: SpeechTarget | undefined;
  /** The section of the dictation when the target was set. */
  let home: string | undefined;
  let before: string | undefined;
  for (const entry of inOrderOfSpeech(entries)) {
    while (coming[0] && coming[0].from <= entry.said) {
      wish = coming.shift();
      home = before ?? entry.home;
    }
    // An autotext may have its section; other words of another section follow a spoken name.
    if (entry.home !== home && !entry.isBlock) wish = undefined;
    if (wish && entry.home === home) moves.set(wish, [...(moves.get(wish) ?? []), entry]);
    before = entry.home;
  }
  return moves;
}

/** Adds the section of the target if the report lacks it. */
function withLine(lines: readonly Line[], { section: key, title }: SpeechTarget): Line[] {
  if (lines.some((line) => line.key === key)) return [...lines];
  const rank = (each: string): number => sectionKinds.findIndex((kind) => kind.key === each);
  const next = lines.findIndex((line) => rank(line.key) > rank(key));
  const at = next < 0 ? lines.length : next;
  return [...lines.slice(0, at), { key, title, entries: [], rest: '' }, ...lines.slice(at)];
}

/** After the word; at the end if the word is gone. */
function placeAfter({ entries }: Line, after: Place | null): number {
  if (after === null) return 0;
  const at = entries.findLastIndex(({ unit }) =>
    unit.heard.some(({ from, text }) => from <= after && after < from + text.length),
  );
  return at < 0 ? entries.length : at + 1;
}

function buildSection({ key, title, entries, rest }: Line): LiveSection {
  const runs: LiveRun[] = [];
  let text = '';
  for (const [at, entry] of entries.entries()) {
    const before = entries[at - 1];
    const isTogether = before !== undefined && before.home === entry.home && before.at + 1 === entry.at;
    const lead = isTogether ? entry.lead : before ? ` ${entry.lead.trimStart()}` : entry.lead.trimStart();
    text += lead;
    const isFirst = before === undefined || (!isTogether && /[.!?]\s*$/.test(text));
    const word = isFirst ? withCapital(entry.unit.text) : entry.unit.text;
    runs.push({ start: text.length, end: text.length + word.length, heard: entry.unit.heard });
    const isLast = at === entries.length - 1;
    text += word + (entry.closes && !isLast ? '' : isLast && entry.marks === '' ? closing(entries) : entry.marks);
  }
  return { key, title, text: text + rest, runs };
}

/** The final mark of a section's words, if the last of them moved elsewhere or came from the middle. */
const closing = (entries: readonly Entry[]): string => (entries.some(({ marks }) => /[.!?]/.test(marks)) ? '.' : '');
