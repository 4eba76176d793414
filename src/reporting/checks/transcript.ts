/** Compares the report with the transcript, word by word: changed sides, places, numbers, units and negations. */
import type { FindingKind } from '../../contract/finding.ts';
import { readDictation } from '../dictation.ts';
import { editing } from '../versions/edits.ts';
import { comparedWords } from '../facts.ts';
import type { FactKind } from '../facts.ts';
import { openingKey, sectionFor } from '../input.ts';
import type { WriteInput } from '../input.ts';
import { findSource } from '../operation.ts';
import { spanAt } from '../versions/provenance.ts';
import type { Account, Provenance, Run } from '../versions/provenance.ts';
import { findRules } from '../rules.ts';
import { splitSentences } from '../words/sentences.ts';
import { sectionBegunBy, textOf } from '../words/token.ts';
import type { Span, Token } from '../words/token.ts';
import { align } from './alignment.ts';
import type { FoundFinding, Severity } from './finding.ts';
import { pair } from './pairing.ts';
import type { ReadSection, ReadWord, Sentence } from './reading.ts';
import { elementAt, lastElement, valueAt } from '../../domain/elements.ts';

/** A spoken sentence: its words at their places in the transcript. */
export interface SaidSentence {
  readonly section: string;
  readonly words: readonly SaidWord[];
}
export interface SaidWord extends Span {
  readonly key: string;
  readonly fact: ReadWord['fact'];
  readonly value: string | undefined;
  readonly isFree: boolean;
  readonly text: string;
  /** The form in which a report has it: "6" of "seis". */
  readonly written: string;
}

/** The transcript, read once for all versions of its report. */
export interface SpokenText {
  readonly text: string;
  readonly sentences: readonly SaidSentence[];
  /** Places of the transcript with more than one reading. */
  readonly doubts: readonly SpokenDoubt[];
}

/** Words with more than one reading, or a command that was not carried out and left none in the report. */
export interface SpokenDoubt extends Span {
  readonly isCommand?: boolean;
}

/** Reads the transcript after the speaker's corrections. */
export function readSpoken(input: WriteInput): SpokenText {
  const work = readDictation(input);
  const { facts } = findRules(input.language);
  const sentences: SaidSentence[] = [];
  let section = openingKey(input);
  let piece: Token[] = [];
  const close = (): void => {
    const words = comparedWords(piece, facts);
    let next = 0;
    for (const { to } of splitSentences(piece)) {
      const own: SaidWord[] = [];
      for (; next < words.length && elementAt(words, next).from < to; next += 1) {
        const word = elementAt(words, next);
        const source = findSource(work.heard, elementAt(piece, word.from).from, elementAt(piece, word.to - 1).to);
        own.push({
          ...source,
          key: word.key,
          fact: word.fact,
          value: word.value,
          isFree: word.isFree === true,
          text: work.text.slice(source.start, source.end),
          written: textOf(piece.slice(word.from, word.to)),
        });
      }
      sentences.push({ section, words: own });
    }
    piece = [];
  };
  for (const token of work.tokens) {
    const begun = sectionBegunBy(token);
    if (begun !== undefined) {
      close();
      section = sectionFor(begun, input.sections);
    } else if (token.kind !== 'block') piece.push(token);
  }
  close();
  return {
    text: work.text,
    sentences,
    doubts: work.doubts.map(({ rule, from, to }) => ({
      ...findSource(work.heard, from, to),
      isCommand: rule === 'normals',
    })),
  };
}

interface Context {
  readonly sections: ReadonlyMap<string, ReadSection>;
  readonly origins: Origins;
}

/** Runs and accounts by place, for the look-up of a word. */
interface Origins {
  readonly runs: ReadonlyMap<string, readonly Run[]>;
  readonly heard: readonly Account[];
}

const originsOf = (provenance: Provenance | undefined): Origins => ({
  runs: Map.groupBy(provenance?.words ?? [], ({ section }) => section),
  heard: provenance?.heard ?? [],
});

const originAt = ({ runs }: Origins, section: string, word: Span): string | undefined =>
  spanAt(runs.get(section) ?? [], word)?.origin;

/** Whether a person wrote the words, took them over from a prior or a proposal, or measured them. */
const isMeant = (origin: string | undefined): boolean =>
  origin !== undefined && ['edited', 'prior', 'proposed', 'viewer'].includes(origin);

/** A person's change of a fact is probably meant, but a slip looks the same: it asks. An addition changes no fact. */
const severityAt = (origin: string | undefined, isChange: boolean): Severity => {
  if (!isMeant(origin)) return 'warning';
  return origin === 'edited' && isChange ? 'question' : 'info';
};

const isRemoved = ({ heard }: Origins, word: Span): boolean =>
  spanAt(heard, word)?.operation?.startsWith(editing) === true;

export function compareWithSaid(
  said: SpokenText,
  read: readonly ReadSection[],
  provenance: Provenance | undefined,
): FoundFinding[] {
  const origins = originsOf(provenance);
  const context = { sections: new Map(read.map((section) => [section.key, section])), origins };
  const written = read.flatMap(({ sentences }) => sentences).filter((sentence) => !isBrought(sentence, origins));
  const { pairs, unsaid } = pair(
    said.sentences.filter((sentence) => !isCall(sentence, origins)),
    written,
  );
  return [
    ...pairs.flatMap((each) => (isSame(each) ? [] : compare(each, context))),
    ...unsaid.flatMap((sentence) => neverSaid(sentence, context)),
  ];
}

const broughtBy = new Set<string | undefined>(['macro', 'score', 'viewer', 'template', 'exam', 'prior', 'proposed']);

/** A sentence that something other than the dictation brought has no counterpart. */
function isBrought({ section, words }: Sentence, origins: Origins): boolean {
  const first = words[0];
  return broughtBy.has(first && originAt(origins, section, first));
}

/** Words that called a macro are not in the report. */
const isCall = ({ words }: SaidSentence, { heard }: Origins): boolean =>
  words[0] !== undefined && spanAt(heard, words[0])?.operation?.startsWith('macros.') === true;

interface MatchedSentences {
  readonly said: readonly SaidSentence[];
  readonly written: readonly Sentence[];
}

const isSame = ({ said, written }: MatchedSentences): boolean => {
  if (said.length !== 1 || written.length !== 1) return false;
  const [a, b] = [elementAt(said, 0).words, elementAt(written, 0).words];
  return a.length === b.length && a.every(({ key }, at) => key === elementAt(b, at).key);
};

/** Differing words of both, between two equal words. */
interface Hunk {
  readonly said: readonly SaidWord[];
  readonly written: readonly LocatedWord[];
  /** The words of the report around the place. */
  readonly before: readonly LocatedWord[];
  readonly after: readonly LocatedWord[];
}
type LocatedWord = ReadWord & { readonly section: string };

function compare({ said, written }: MatchedSentences, context: Context): FoundFinding[] {
  const a = said.flatMap(({ words }) => words);
  const b = written.flatMap(({ section, words }) => words.map((word): LocatedWord => ({ ...word, section })));
  const places = alignWords(a, b);
  const hunks: Hunk[] = [];
  let [lastA, lastB] = [0, 0];
  for (let at = 0; at <= b.length; at += 1) {
    const place = at === b.length ? a.length : elementAt(places, at);
    if (place < 0) continue;
    if (place > lastA || at > lastB) {
      const around = { before: b.slice(Math.max(0, lastB - 2), lastB), after: b.slice(at, at + 3) };
      hunks.push({ said: a.slice(lastA, place), written: b.slice(lastB, at), ...around });
    }
    [lastA, lastB] = [place + 1, at + 1];
  }
  return hunks.flatMap((hunk) => differences(hunk, context));
}

type Comparable = Pick<ReadWord, 'key' | 'isFree'>;

/** For each word of `b` its place in `a`, or -1. Words without a meaning are aligned between the others. */
function alignWords(a: readonly Comparable[], b: readonly Comparable[]): Int32Array {
  const places = new Int32Array(b.length).fill(-1);
  const put = (ofA: readonly number[], ofB: readonly number[]): void => {
    const keys = (words: readonly Comparable[], of: readonly number[]): string[] =>
      of.map((at) => elementAt(words, at).key);
    align(keys(a, ofA), keys(b, ofB)).forEach((place, at) => {
      if (place >= 0) places[elementAt(ofB, at)] = elementAt(ofA, place);
    });
  };
  const telling = (words: readonly Comparable[]): number[] => words.flatMap(({ isFree }, at) => (isFree ? [] : [at]));
  put(telling(a), telling(b));
  const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, at) => from + at);
  let [lastA, lastB] = [0, 0];
  for (let at = 0; at <= b.length; at += 1) {
    const place = at === b.length ? a.length : elementAt(places, at);
    if (place < 0) continue;
    if (place > lastA && at > lastB) put(range(lastA, place), range(lastB, at));
    [lastA, lastB] = [place + 1, at + 1];
  }
  return places;
}

function differences(hunk: Hunk, context: Context): FoundFinding[] {
  return [
    ...compareValues(hunk, 'side', sideTold, context),
    ...compareValues(hunk, 'place', sideTold, context),
    ...compareNegations(hunk, context),
    ...compareNumbers(hunk, context),
  ];
}

const readText = (word: LocatedWord, { sections }: Context): string =>
  valueAt(sections, word.section).text.slice(word.start, word.end);

/** The place in the report where spoken words are missing. */
function findGap(
  { written, before, after }: Hunk,
  wants: 'before' | 'after',
): (Span & { section: string }) | undefined {
  const near = wants === 'after' && after.length > 0 ? after : [...before, ...written, ...after.slice(0, 1)];
  const [first] = near;
  const section = first?.section;
  const own = near.filter((word) => word.section === section);
  return first && { section: first.section, start: first.start, end: lastElement(own).end };
}

/** A word of the report that differs from the spoken one; both may be meant. */
function touched(word: LocatedWord, said: SaidWord | undefined, context: Context): Omit<FoundFinding, 'kind'> {
  const { section, start, end, fact } = word;
  const written = readText(word, context);
  return {
    severity: severityAt(originAt(context.origins, section, word), said !== undefined || fact === 'negation'),
    section,
    start,
    end,
    transcript: said ? { start: said.start, end: said.end } : null,
    words: { written, ...(said && { said: said.text }) },
    ...(said && said.fact === fact && { readings: [written, matchCase(written, said.written)] }),
  };
}

/** The words with a capital if the others have one. */
const matchCase = (other: string, words: string): string =>
  /^\p{Lu}\p{Ll}/u.test(other) ? words.charAt(0).toUpperCase() + words.slice(1) : words;

const missing = (word: SaidWord, gap: Span & { section: string }, context: Context): Omit<FoundFinding, 'kind'> => ({
  severity: isRemoved(context.origins, word) ? 'question' : 'warning',
  ...gap,
  transcript: { start: word.start, end: word.end },
  words: { said: word.text },
});

/** The kinds of findings for changed and for missing words. */
interface FindingVariants {
  readonly other: FindingKind;
  readonly lost: Pick<FoundFinding, 'kind' | 'variant'>;
}
const sideTold: FindingVariants = { other: 'side_not_said', lost: { kind: 'side_lost' } };
const numberTold: FindingVariants = { other: 'number_changed', lost: { kind: 'number_changed', variant: 'lost' } };

/** Facts of a kind whose values differ from the spoken ones; otherwise the spoken facts whose values are missing. */
function compareValues(hunk: Hunk, fact: FactKind, { other, lost }: FindingVariants, context: Context): FoundFinding[] {
  const said = hunk.said.filter((word) => word.fact === fact);
  const written = hunk.written.filter((word) => word.fact === fact);
  const values = new Set(said.map(({ value }) => value));
  const others = written.filter(({ value }) => !values.has(value));
  if (others.length > 0) {
    const isOneForOne = said.length === written.length;
    return others.map((word, at): FoundFinding => {
      const instead = said[Math.min(isOneForOne ? written.indexOf(word) : at, said.length - 1)];
      const { readings, ...differing } = touched(word, instead, context);
      const base = { ...differing, ...(isOneForOne && readings && { readings }) };
      return instead ? { kind: other, ...base } : { kind: other, variant: 'alone', ...base };
    });
  }
  const kept = new Set(written.map(({ value }) => value));
  const gap = findGap(hunk, 'before');
  if (!gap) return [];
  return said
    .filter(({ value }) => !kept.has(value))
    .map((word): FoundFinding => ({ ...lost, ...missing(word, gap, context) }));
}

function compareNegations(hunk: Hunk, context: Context): FoundFinding[] {
  const said = hunk.said.filter(({ fact }) => fact === 'negation');
  const written = hunk.written.filter(({ fact }) => fact === 'negation');
  // "sem derrame" and "não há derrame" deny the same.
  if (said.length === written.length) return [];
  if (written.length > said.length) {
    const word = lastElement(written);
    return [{ kind: 'negation_changed', variant: 'added', ...touched(word, undefined, context) }];
  }
  const gap = instead(hunk, context) ?? findGap(hunk, 'after');
  return gap ? [{ kind: 'negation_changed', variant: 'lost', ...missing(lastElement(said), gap, context) }] : [];
}

/** The words that replaced a denial, and the finding that they now affirm: "Presença de derrame pleural". */
function instead({ written, after }: Hunk, { sections }: Context): (Span & { section: string }) | undefined {
  const [first] = written;
  const next = after[0] ?? written.at(-1);
  if (!first || !next || next.section !== first.section) return undefined;
  const sentence = valueAt(sections, first.section).sentences.find(({ end }) => end > first.start);
  const mention = sentence?.mentions.find(
    ({ start, end }) => start >= first.start && start <= next.start && end > first.start,
  );
  return {
    section: first.section,
    start: first.start,
    end: Math.max(mention?.end ?? next.end, lastElement(written).end),
  };
}

const isNumber = ({ fact }: { readonly fact: ReadWord['fact'] }): boolean => fact === 'number';
const isUnit = ({ fact }: { readonly fact: ReadWord['fact'] }): boolean => fact === 'unit';

/** Lengths in mm, volumes in mL: a measure in another unit is the same fact. */
const scales: Readonly<Record<string, readonly [base: string, factor: number]>> = {
  mm: ['mm', 1],
  cm: ['mm', 10],
  m: ['mm', 1000],
  mL: ['mL', 1],
  'cm³': ['mL', 1],
  cc: ['mL', 1],
  L: ['mL', 1000],
  g: ['g', 1],
  mg: ['g', 0.001],
  kg: ['g', 1000],
};

function sameMeasure(said: readonly SaidWord[], written: readonly LocatedWord[]): boolean {
  const [a, b] = [said, written].map((words: readonly { fact: ReadWord['fact']; value: string | undefined }[]) => {
    const unit = scales[words.find(isUnit)?.value ?? ''];
    const numbers = words.filter(isNumber);
    if (!unit || numbers.length === 0) return undefined;
    return numbers.map(({ value }) => `${Math.round(Number(value) * unit[1] * 1000)} ${unit[0]}`).join(' ');
  });
  return a !== undefined && a === b;
}

function compareNumbers(hunk: Hunk, context: Context): FoundFinding[] {
  if (sameMeasure(hunk.said, hunk.written)) return [];
  return [...compareValues(hunk, 'number', numberTold, context), ...changedUnits(hunk, context)];
}

function changedUnits(hunk: Hunk, context: Context): FoundFinding[] {
  const [said, written] = [hunk.said.filter(isUnit), hunk.written.filter(isUnit)];
  const values = new Set(said.map(({ value }) => value));
  const gap = findGap(hunk, 'before');
  // "14 de eje corto": the number without its unit.
  if (written.length === 0 && gap && said.length > 0 && !hunk.said.some(isNumber)) {
    return [{ kind: 'unit_changed', variant: 'lost', ...missing(elementAt(said, 0), gap, context) }];
  }
  return written.flatMap((word, at): FoundFinding[] => {
    const instead = said[Math.min(at, said.length - 1)];
    return values.has(word.value) || !instead ? [] : [{ kind: 'unit_changed', ...touched(word, instead, context) }];
  });
}

/** A sentence with facts that nobody said; if a person typed it, that was intended. */
function neverSaid(sentence: Sentence, context: Context): FoundFinding[] {
  return sentence.words.flatMap((word, at): FoundFinding[] => {
    const located = { ...word, section: sentence.section };
    const isWanted = isMeant(originAt(context.origins, sentence.section, word));
    const isMeasured = isNumber(word) && sentence.words[at + 1]?.fact === 'unit';
    if (isWanted || !(word.fact === 'side' || isMeasured)) return [];
    const base = { ...touched(located, undefined, context), severity: 'question' as const };
    return [{ kind: word.fact === 'side' ? 'side_not_said' : 'number_changed', variant: 'alone', ...base }];
  });
}
