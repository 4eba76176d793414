/**
 * The last check of the steps: the report has each spoken sign, decimal mark, question mark, unit and denial next to
 * the same words, and no others. Otherwise the words must stay as they were said.
 */
import type { Language } from '../contract/shared.ts';
import { readCues } from './cues.ts';
import type { Cue, CueText, Lexeme } from './cues.ts';
import type { Report } from './document.ts';
import { findFirstIndex } from '../domain/binary-search.ts';
import { isLinear, spanAt } from './versions/provenance.ts';
import type { Account, Run } from './versions/provenance.ts';
import type { Span } from './words/token.ts';
import { elementAt } from '../domain/elements.ts';

/** Steps with which a speaker removes cues, or names what is written instead. */
const meant = /^(?:corrections|macros|spelling)\.|^commands\.literal@/;

/** A cue of the report, and the lexemes of the transcript that it belongs to, up to and including `last`. */
interface PlacedCue {
  readonly cue: Cue;
  readonly first: number;
  readonly last: number;
}

/** The words of the transcript (NFC) whose meaning in the report differs, in order. */
export function findChanges(
  { sections, provenance }: Pick<Report, 'sections' | 'provenance'>,
  transcript: string,
  language: Language,
): Span[] {
  const said = readCues(transcript, language);
  const runs = Map.groupBy(
    provenance.words.filter(({ origin, heard }) => heard !== null && (origin === 'said' || origin === 'converted')),
    ({ section }) => section,
  );
  const covered = mapToSections(provenance.words, said.lexemes);
  const written: PlacedCue[] = [];
  const changes: { readonly first: number; readonly last: number }[] = [];
  for (const { key, text } of sections) {
    const own = runs.get(key);
    if (!own) continue;
    const section: WrittenText = { ...readCues(text, language), runs: own, said: said.lexemes };
    for (const cue of section.cues) {
      const placed = findPlace(cue, section);
      if (!placed) continue;
      written.push(placed);
      if (isHalfWritten(cue, section)) changes.push(placed);
      const next = cue.kind === 'denial' ? wordAfter(section, cue.to) : undefined;
      const due = next && nextCovered(covered, placed.last);
      if (next && due !== undefined && (due < next.first || due > next.last) && covered.get(due) === key)
        changes.push({ first: placed.first, last: Math.max(placed.last, next.last) });
    }
  }
  changes.push(...unmatched(said, written, provenance.heard));
  return changes
    .toSorted((a, b) => a.first - b.first)
    .map(({ first, last }) => ({
      start: elementAt(said.lexemes, first).start,
      end: elementAt(said.lexemes, last).end,
    }));
}

/** A section, and the places of its words in the transcript. */
interface WrittenText extends CueText {
  readonly runs: readonly Run[];
  /** Lexemes of the transcript. */
  readonly said: readonly Lexeme[];
}

/** Indices of lexemes, from `first` up to and including `last`. */
interface Lexemes {
  readonly first: number;
  readonly last: number;
}

/** The spoken lexemes of a lexeme of the section; `undefined` if nobody said it. */
function heardFor({ runs, said, lexemes }: WrittenText, at: number): Lexemes | undefined {
  const word = lexemes[at];
  const run = word && spanAt(runs, word);
  if (!word || !run?.heard) return undefined;
  const offset = run.heard.start - run.start;
  return within(said, isLinear(run) ? { start: word.start + offset, end: word.end + offset } : run.heard);
}

function within(lexemes: readonly Lexeme[], { start, end }: Span): Lexemes | undefined {
  const first = findFirstIndex(lexemes.length, (at) => elementAt(lexemes, at).end > start);
  const last = findFirstIndex(lexemes.length, (at) => elementAt(lexemes, at).start >= end) - 1;
  return last >= first ? { first, last } : undefined;
}

/** The place of a cue of the report in the transcript; `undefined`: it comes from a macro, the exam or the template. */
function findPlace(cue: Cue, section: WrittenText): PlacedCue | undefined {
  let [first, last] = [Infinity, -1];
  for (let at = cue.first; at <= cue.last; at += 1) {
    const heard = heardFor(section, at);
    if (!heard) continue;
    first = Math.min(first, heard.first);
    last = Math.max(last, heard.last);
  }
  return last < 0 ? undefined : { cue, first, last };
}

/** The next word of the section after a lexeme, in the transcript. */
function wordAfter(section: WrittenText, from: number): Lexemes | undefined {
  for (let at = from; at < section.lexemes.length; at += 1) {
    if (elementAt(section.lexemes, at).kind !== 'mark') return heardFor(section, at);
  }
  return undefined;
}

/** "One point 2,000,000": a spoken sign between a number in words and a figure that is a part of the number. */
function isHalfWritten({ kind, value, from, to, isSure }: Cue, { lexemes, runs }: WrittenText): boolean {
  const next = lexemes[to];
  const isWord = kind === 'decimal' && value !== 'half' && elementAt(lexemes, from).kind === 'word';
  return isWord && isSure && next?.kind === 'number' && spanAt(runs, next)?.origin === 'converted';
}

/** Lexemes of the transcript that a section has, with its key. */
function mapToSections(words: readonly Run[], lexemes: readonly Lexeme[]): ReadonlyMap<number, string> {
  const covered = new Map<number, string>();
  for (const { heard, section } of words) {
    const range = heard && within(lexemes, heard);
    for (let at = range?.first ?? 0; at <= (range?.last ?? -1); at += 1)
      if (elementAt(lexemes, at).kind !== 'mark') covered.set(at, section);
  }
  return covered;
}

/** The largest number of words that one correction removes. */
const reach = 40;

function nextCovered(covered: ReadonlyMap<number, string>, last: number): number | undefined {
  for (let at = last + 1; at <= last + reach; at += 1) if (covered.has(at)) return at;
  return undefined;
}

/** The most factors of a size. */
const maxFactors = 4;

/** Spoken cues that the report lacks, and cues of the report that nobody said. */
function unmatched(said: CueText, written: readonly PlacedCue[], accounts: readonly Account[]): Lexemes[] {
  const writtenAt = byPlace(written);
  const used = new Set<PlacedCue>();
  const match = (cue: Cue): boolean => {
    for (let at = cue.first; at <= cue.last; at += 1) {
      const found = writtenAt.get(at)?.find((placed) => !used.has(placed) && isSame(cue, placed.cue));
      if (!found) continue;
      used.add(found);
      return true;
    }
    return false;
  };
  const sure = said.cues.filter((cue) => cue.isSure && !isTakenBack(elementAt(said.lexemes, cue.from), accounts));
  const found = new Set(sure.filter(match));
  for (const cue of said.cues) if (!cue.isSure && match(cue)) found.add(cue);
  const units = said.cues.filter(({ kind }) => kind === 'unit');
  const placeOfUnit = new Map(units.map((cue, at) => [cue, at]));
  // "5.1 mm by 6.2 mm by 7 mm" is 5.1 x 6.2 x 7 mm: each unit repeats the next.
  const isRepeatedFrom = (among: readonly Cue[], at: number, step: 1 | -1): boolean => {
    for (let place = at, count = 1; count < maxFactors; place += step, count += 1) {
      const [cue, other] = [among[place], among[place + step]];
      if (!cue || !other || !isRepeated(said.lexemes, cue, other)) return false;
      if (found.has(other)) return true;
    }
    return false;
  };
  const isTwice = (cue: Cue, at: number): boolean => {
    const unit = placeOfUnit.get(cue);
    const [among, place] = unit === undefined ? [sure, at] : [units, unit];
    return isRepeatedFrom(among, place, 1) || isRepeatedFrom(among, place, -1);
  };
  const gone = sure.filter((cue, at) => !found.has(cue) && !isTwice(cue, at));
  const saidAt = byPlace(said.cues);
  // A unit that several numbers share may be written next to each of them.
  const isAlsoSaid = ({ cue, first, last }: PlacedCue): boolean => {
    for (let at = first - 1; at <= Math.min(last + 1, first + reach); at += 1)
      if (saidAt.get(at)?.some((other) => isSame(other, cue))) return true;
    return false;
  };
  const added = written.filter((placed) => !used.has(placed) && placed.cue.isSure && !isAlsoSaid(placed));
  return [...gone.map(({ first, from, last, kind }) => ({ first: kind === 'decimal' ? from : first, last })), ...added];
}

/** Maps lexemes to their entries; a correction bounds how many words it moves over. */
function byPlace<T extends Lexemes>(all: readonly T[]): ReadonlyMap<number, readonly T[]> {
  const places = new Map<number, T[]>();
  for (const each of all) {
    for (let at = each.first; at <= Math.min(each.last, each.first + reach); at += 1) {
      const known = places.get(at);
      if (known) known.push(each);
      else places.set(at, [each]);
    }
  }
  return places;
}

const isSame = (said: Cue, { kind, value }: Cue): boolean =>
  said.kind === 'decimal'
    ? kind === 'decimal' || (kind === 'comma' && said.value === 'comma')
    : said.kind === kind && said.value === value;

const isTakenBack = (lexeme: Lexeme, accounts: readonly Account[]): boolean => {
  const account = spanAt(accounts, lexeme);
  return account?.fate === 'taken_back' || meant.test(account?.operation ?? '');
};

/** "Three centimeters by four centimeters" is 3 x 4 cm, and "pneumonia? question mark" asks once. */
function isRepeated(lexemes: readonly Lexeme[], a: Cue, b: Cue): boolean {
  if (a.kind !== b.kind || a.value !== b.value || (a.kind !== 'unit' && a.kind !== 'question')) return false;
  const between = lexemes.slice(Math.min(a.to, b.to), Math.max(a.from, b.from));
  if (between.some(({ text }) => /^[.;!?]$/.test(text) && a.kind === 'unit')) return false;
  return between.filter(({ kind }) => kind === 'word').length <= (a.kind === 'unit' ? 6 : 0);
}
