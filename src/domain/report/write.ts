/**
 * From what was heard to a document (the report language): spoken commands, macros, spelling, numbers and terms,
 * self-corrections, sections. Pure, and linear in the length of what was heard.
 */
import type { Section } from '../../contract/document.ts';
import type { Language } from '../../contract/shared.ts';
import { letterAt } from './numbers/letters.ts';
import { readNumbers } from './numbers/reading.ts';
import type { Macro } from './macros.ts';
import { carryOut, sourceOf, startWork } from './operation.ts';
import type { DoubtRule, Operation, Work } from './operation.ts';
import type { Account, Provenance, Run } from './provenance.ts';
import { render, runsOf } from './render.ts';
import type { Rendered } from './render.ts';
import { rulesOf } from './rules.ts';
import type { Rules } from './rules.ts';
import { sectionKind, sectionKinds } from './section-kinds.ts';
import { endsSectionName, sectionNameAt, withTemplate } from './section-names.ts';
import { sentencesOf } from './sentences.ts';
import { writeMarks } from './steps/commands.ts';
import type { MarkContext } from './steps/commands.ts';
import { correct, scratch } from './steps/corrections.ts';
import { callMacros } from './steps/macros.ts';
import { writeNumbers } from './steps/numbers.ts';
import { findSections } from './steps/sections.ts';
import type { SectionContext } from './steps/sections.ts';
import { spell } from './steps/spelling.ts';
import { textOf, tokensOf } from './token.ts';
import type { HeardToken, Span, Token } from './token.ts';

/** A word as a recogniser tells it: where it stands in the transcript, when it was said (seconds), how sure it is (0–1). */
export interface HeardWord extends Span {
  readonly from?: number;
  readonly to?: number;
  readonly confidence?: number;
}

export interface Heard {
  readonly text: string;
  /** In order; may be missing, whole or in part. */
  readonly words?: readonly HeardWord[];
}

export interface ReportSection {
  readonly key: string;
  readonly title: string;
  /** Other names by which it is called. */
  readonly names?: readonly string[];
  /** What stands there where nobody said anything. */
  readonly text?: string;
  readonly required?: boolean;
}

export interface WriteInput {
  readonly heard: Heard;
  readonly language: Language;
  readonly sections: readonly ReportSection[];
  readonly macros?: readonly Macro[];
  /** Texts that the exam tells, by section; they stand where nothing was said. */
  readonly known?: Readonly<Record<string, string>>;
  /** Key of the section where the words stand that were said under no name. */
  readonly caret?: string;
  /** Where sentences belong that were said under no name, by their number (a model's labels). */
  readonly labels?: ReadonlyMap<number, string>;
  /** Ids of operations that somebody undid. */
  readonly without?: readonly string[];
}

/** Something to ask: the words stay as they were said. */
export interface Question {
  readonly rule: DoubtRule;
  readonly source: Span;
  /** `null` where the words do not stand in the document. */
  readonly target: (Span & { readonly section: string }) | null;
  readonly words: string;
}

export interface Report {
  readonly sections: Section[];
  readonly provenance: Provenance;
  readonly questions: readonly Question[];
  /** Sentences that were said under no name, numbered from 0. */
  readonly unnamed: readonly string[];
}

/** Between two words a pause, in seconds. */
const pause = 0.5;

export function write(input: WriteInput): Report {
  const text = input.heard.text.normalize('NFC');
  const rules = rulesOf(input.language);
  const heard = tokensOf(text);
  const work = startWork(text, heard, new Set(input.without));
  takeSteps(work, input, rules);
  return assemble(work, input);
}

function takeSteps(work: Work, input: WriteInput, rules: Rules): void {
  const names = withTemplate(rules.sections, input.sections);
  carryOut(work, 'commands', writeMarks(work.tokens, markContext(work.tokens, rules, names)));
  carryOut(work, 'macros', callMacros(work.tokens, input.macros ?? [], rules.callers));
  carryOut(work, 'spelling', spell(work.tokens, rules.spelling));
  const numbers = writeNumbers(work.tokens, rules.numbers);
  doubt(work, 'number', numbers.doubts);
  carryOut(work, 'numbers', numbers.changes);
  const corrected = correct(work.tokens, rules.corrections);
  doubt(work, 'correction', corrected.doubts);
  carryOut(work, 'corrections', corrected.changes);
  const context: SectionContext = {
    names,
    order: input.sections.map(({ key }) => key),
    current: openingKey(input),
    pausesAfter: pausesIn(work.heard, input.heard.words ?? []),
  };
  const headings = findSections(work.tokens, context);
  carryOut(work, 'corrections', scratch(work.tokens, rules.corrections, new Set(headings.map(({ to }) => to))));
  carryOut(work, 'sections', findSections(work.tokens, context));
}

function doubt(work: Work, rule: DoubtRule, places: readonly { readonly from: number; readonly to: number }[]): void {
  for (const { from, to } of places) {
    work.doubts.push({ rule, from: work.tokens[from]!.from, to: work.tokens[to - 1]!.to });
  }
}

export function markContext(tokens: readonly Token[], rules: Rules, names = rules.sections): MarkContext {
  const { grammar, codes } = rules.numbers;
  const { numerals, signs } = readNumbers(tokens, grammar);
  const isNumber = (token: Token): boolean =>
    token.kind === 'figure' || (token.kind === 'word' && grammar.words.values.has(token.folded));
  const isCode = (of: readonly Token[], at: number): boolean => {
    const token = of[at];
    if (token === undefined) return false;
    if (isNumber(token) || numerals.has(at) || letterAt(of, at, codes.letters)) return true;
    return (
      token.kind === 'word' && (codes.letters.abbreviations.has(token.text.toUpperCase()) || /\d/.test(token.text))
    );
  };
  return {
    marks: rules.marks,
    signs,
    isNumber,
    isCode,
    isSectionName: (of, at) => sectionNameAt(of, at, names) !== undefined,
    endsSectionName: (of, at) => endsSectionName(of, at, names),
  };
}

/** Whether there is a pause after a heard token, as far as the recogniser tells times. */
function pausesIn(heard: readonly HeardToken[], words: readonly HeardWord[]): (token: number) => boolean {
  const ends = new Set<number>();
  words.forEach((word, at) => {
    const next = words[at + 1];
    if (word.to !== undefined && next?.from !== undefined && next.from - word.to >= pause) ends.add(word.end);
  });
  return (token) => ends.has(heard[token]?.end ?? -1);
}

/** The section of the template that takes what was said under `key`; else the key itself, for a section of its own. */
function sectionFor(key: string, sections: readonly ReportSection[]): string {
  const has = (wanted: string | undefined): boolean => sections.some((section) => section.key === wanted);
  const instead = sectionKind(key)?.instead;
  return !has(key) && instead !== undefined && has(instead) ? instead : key;
}

/** Keys in the order of a document: as in the template, with what it does not have put where such sections stand. */
function inOrder(keys: ReadonlySet<string>, sections: readonly ReportSection[]): string[] {
  const rank = (key: string): number => sectionKinds.findIndex((kind) => kind.key === key);
  const order = sections.map((section) => section.key);
  for (const key of [...keys].filter((each) => !order.includes(each)).toSorted((a, b) => rank(a) - rank(b))) {
    const before = order.findIndex((other) => rank(other) > rank(key));
    order.splice(before < 0 ? order.length : before, 0, key);
  }
  return order.filter((key) => keys.has(key));
}

/** Where what was said under no name stands: at the caret, else with the findings, else in the first section. */
function openingKey({ caret, sections }: WriteInput): string {
  if (caret !== undefined) return caret;
  const main = sectionFor('findings', sections);
  return sections.some(({ key }) => key === main) ? main : (sections[0]?.key ?? 'findings');
}

type Pieces = Map<string, Token[][]>;

/** Cuts the tokens at the beginnings of sections. */
function pieced(tokens: readonly Token[], input: WriteInput): { pieces: Pieces; unnamed: string[] } {
  const pieces: Pieces = new Map();
  const put = (key: string, piece: Token[]): void => {
    if (piece.length === 0) return;
    const section = sectionFor(key, input.sections);
    pieces.set(section, [...(pieces.get(section) ?? []), piece]);
  };
  const first = tokens.findIndex(({ kind }) => kind === 'section');
  const opening = tokens.slice(0, first < 0 ? tokens.length : first);
  const unnamed = sentencesOf(opening);
  const main = openingKey(input);
  placeOpening(opening, { sentences: unnamed, main, labels: input.labels }).forEach(([key, piece]) => put(key, piece));
  let key = main;
  let piece: Token[] = [];
  for (const token of tokens.slice(opening.length)) {
    if (token.kind === 'section') {
      put(key, piece);
      piece = [];
      key = token.section!;
    } else if (token.kind === 'block' && token.section !== undefined && token.section !== key)
      put(token.section, [token]);
    else piece.push(token);
  }
  put(key, piece);
  return { pieces, unnamed: unnamed.map(({ from, to }) => textOf(opening.slice(from, to))) };
}

/** The sentences said under no name, where labels put them; neighbours of one section stay together. */
function placeOpening(
  opening: readonly Token[],
  {
    sentences,
    main,
    labels,
  }: { sentences: readonly { from: number; to: number }[]; main: string; labels: WriteInput['labels'] },
): [key: string, piece: Token[]][] {
  const placed: [string, Token[]][] = [];
  let at = 0;
  sentences.forEach(({ from, to }, number) => {
    const block = opening[from]?.kind === 'block' ? opening[from].section : undefined;
    const key = block ?? labels?.get(number) ?? main;
    const last = placed.at(-1);
    const piece = opening.slice(last?.[0] === key ? at : from, to);
    if (last?.[0] === key) last[1].push(...piece);
    else placed.push([key, piece]);
    at = to;
  });
  return placed;
}

function assemble(work: Work, input: WriteInput): Report {
  const { pieces, unnamed } = pieced(work.tokens, input);
  const { sections: own, language, known = {} } = input;
  const texts = new Map<string, Rendered>();
  for (const [key, said] of pieces) {
    const rendered = render(said);
    if (rendered.text !== '') texts.set(key, rendered);
  }
  for (const { key, text, required } of own) {
    const isExpected = required ?? sectionKind(key)?.isExpected === true;
    if (texts.has(key)) continue;
    if (known[key]) texts.set(key, brought(known[key], 'exam'));
    else if (text) texts.set(key, brought(text, 'template'));
    else if (isExpected) texts.set(key, { text: '', words: [] });
  }
  const titles = rulesOf(language).titles;
  const keys = inOrder(new Set(texts.keys()), own);
  const sections = keys.map((key) => ({
    key,
    title: own.find((section) => section.key === key)?.title ?? titles[key] ?? key,
    text: texts.get(key)!.text,
  }));
  const located = locate(work, keys, texts);
  return { sections, unnamed, provenance: provenanceOf(work, located), questions: questionsOf(work, located) };
}

/** Text that nobody said, as one word: its origin is all that is known of it. */
const brought = (text: string, origin: 'exam' | 'template'): Rendered => ({
  text,
  words: [
    { start: 0, end: text.length, token: { kind: 'block', text, folded: '', spaced: false, from: 0, to: 0, origin } },
  ],
});

interface Located {
  readonly runs: readonly Run[];
  /** For a range of heard tokens, where they stand in the document. */
  readonly targetOf: (from: number, to: number) => Operation['target'];
}

function locate(work: Work, keys: readonly string[], texts: ReadonlyMap<string, Rendered>): Located {
  const runs: Run[] = [];
  const places: ({ section: string; start: number; end: number } | undefined)[] = [];
  for (const section of keys) {
    const { words } = texts.get(section)!;
    runs.push(...runsOf(section, words, ({ from, to }) => (to > from ? sourceOf(work.heard, from, to) : null)));
    for (const { start, end, token } of words) {
      for (let at = token.from; at < token.to; at += 1) {
        const known = places[at];
        places[at] =
          known?.section === section
            ? { section, start: Math.min(known.start, start), end: Math.max(known.end, end) }
            : { section, start, end };
      }
    }
  }
  return {
    runs,
    targetOf: (from, to) => {
      let target: { section: string; start: number; end: number } | null = null;
      for (let at = from; at < to; at += 1) {
        const place = places[at];
        if (!place) continue;
        target ??= place;
        if (place.section === target.section) {
          target = {
            section: target.section,
            start: Math.min(target.start, place.start),
            end: Math.max(target.end, place.end),
          };
        }
      }
      return target;
    },
  };
}

function provenanceOf(work: Work, { runs, targetOf }: Located): Provenance {
  const place = heardAt(work.heard);
  const operations = work.operations.map((operation): Operation => {
    const [from, to] = [place(operation.source.start), place(operation.source.end)];
    return { ...operation, target: targetOf(from, to) };
  });
  return { words: runs, heard: accountOf(work), operations };
}

/** Index of the first heard token that begins at a place of the transcript or after it. */
function heardAt(heard: readonly HeardToken[]): (place: number) => number {
  return (place) => {
    let [low, high] = [0, heard.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (heard[middle]!.start < place) low = middle + 1;
      else high = middle;
    }
    return low;
  };
}

/** What became of each word, figure and mark that was heard; neighbours with one fate are one entry. */
function accountOf({ heard, fates }: Work): Account[] {
  const account: Account[] = [];
  heard.forEach((token, at) => {
    if (token.kind === 'break') return;
    const { fate, operation } = fates[at]!;
    const last = account.at(-1);
    if (last && last.fate === fate && (last.operation ?? null) === operation) {
      account[account.length - 1] = { ...last, end: token.end };
    } else account.push({ start: token.start, end: token.end, fate, ...(operation !== null && { operation }) });
  });
  return account;
}

const questionsOf = ({ doubts, heard, text }: Work, { targetOf }: Located): Question[] =>
  doubts.map(({ rule, from, to }) => {
    const source = sourceOf(heard, from, to);
    return { rule, source, target: targetOf(from, to), words: text.slice(source.start, source.end) };
  });
