/** Puts written words under their sections, and records the origin of each word. */
import type { Section } from '../contract/document.ts';
import { findFirstIndex } from '../domain/binary-search.ts';
import { openingKey, sectionFor } from './input.ts';
import type { ReportSection, WriteInput } from './input.ts';
import { findSource } from './operation.ts';
import type { DoubtRule, Operation, PriorTaken, Work } from './operation.ts';
import type { Labels } from './proposals.ts';
import type { Account, Provenance, Run } from './versions/provenance.ts';
import { render, groupRuns } from './render.ts';
import type { RenderedSection } from './render.ts';
import { findRules } from './rules.ts';
import { sectionKind, sectionKinds } from './sections/section-kinds.ts';
import { mergeFieldsIn, mergeText } from './templates/merge-fields.ts';
import type { MergedPart } from './templates/merge-fields.ts';
import { splitSentences } from './words/sentences.ts';
import { sectionBegunBy } from './words/token.ts';
import type { Span, Token } from './words/token.ts';
import { elementAt, valueAt } from '../domain/elements.ts';

/** A question for the reader: the words stay as they were said. */
export interface Question {
  readonly rule: DoubtRule;
  readonly source: Span;
  /** `null` if the report does not have the words. */
  readonly target: (Span & { readonly section: string }) | null;
  readonly words: string;
}

export interface Report {
  readonly sections: Section[];
  readonly provenance: Provenance;
  readonly questions: readonly Question[];
}

/** Keys in the order of a report: as in the template; other sections at their usual place. */
export function inOrder(keys: ReadonlySet<string>, sections: readonly ReportSection[]): string[] {
  const rank = (key: string): number => sectionKinds.findIndex((kind) => kind.key === key);
  const order = sections.map((section) => section.key);
  for (const key of [...keys].filter((each) => !order.includes(each)).toSorted((a, b) => rank(a) - rank(b))) {
    const before = order.findIndex((other) => rank(other) > rank(key));
    order.splice(before < 0 ? order.length : before, 0, key);
  }
  return order.filter((key) => keys.has(key));
}

type Pieces = Map<string, Token[][]>;

/** Cuts the tokens at the beginnings of sections. */
function cutIntoPieces(tokens: readonly Token[], input: WriteInput, labels: Labels): Pieces {
  const pieces: Pieces = new Map();
  const put = (key: string, piece: Token[]): void => {
    if (piece.length === 0) return;
    const section = sectionFor(key, input.sections);
    const known = pieces.get(section);
    if (known) known.push(piece);
    else pieces.set(section, [piece]);
  };
  const first = tokens.findIndex(({ kind }) => kind === 'section');
  const opening = tokens.slice(0, first < 0 ? tokens.length : first);
  const sentences = splitSentences(opening);
  const main = openingKey(input);
  placeOpening(opening, { sentences, main, labels }).forEach(([at, piece]) => put(at, piece));
  let key = main;
  let piece: Token[] = [];
  for (const token of tokens.slice(opening.length)) {
    const begun = sectionBegunBy(token);
    if (begun !== undefined) {
      put(key, piece);
      piece = [];
      key = begun;
    } else if (token.kind === 'block' && token.section !== undefined && token.section !== key)
      put(token.section, [token]);
    else piece.push(token);
  }
  put(key, piece);
  return pieces;
}

interface Opening {
  readonly sentences: readonly { readonly from: number; readonly to: number }[];
  /** The section for sentences without a label. */
  readonly main: string;
  readonly labels: Labels;
}

/** Sentences without a section name, in the sections that labels assign; neighbours of one section stay together. */
function placeOpening(
  opening: readonly Token[],
  { sentences, main, labels }: Opening,
): [key: string, piece: Token[]][] {
  const placed: [string, Token[]][] = [];
  let at = 0;
  sentences.forEach(({ from, to }, number) => {
    const block = opening[from]?.kind === 'block' ? opening[from].section : undefined;
    const key = block ?? labels.get(number) ?? main;
    const last = placed.at(-1);
    if (last?.[0] === key) last[1].push(...opening.slice(at, to));
    else placed.push([key, opening.slice(from, to)]);
    at = to;
  });
  return placed;
}

export function assemble(work: Work, input: WriteInput, labels: Labels): Report {
  const pieces = cutIntoPieces(work.tokens, input, labels);
  const { sections: own, language, known = {}, merge = {} } = input;
  const priors: PriorText[] = [];
  const texts = new Map<string, RenderedSection>();
  for (const [key, said] of pieces) {
    const rendered = render(said);
    if (rendered.text !== '') texts.set(key, rendered);
  }
  for (const { key, text, required } of own) {
    const isExpected = required ?? sectionKind(key)?.isExpected === true;
    if (texts.has(key)) continue;
    const merged = text === undefined ? undefined : mergeText(text, merge);
    if (merged && mergeFieldsIn(text ?? '').length > 0) {
      texts.set(key, insertParts(merged));
      priors.push(...findPriorTexts(key, merged));
    } else if (known[key]) texts.set(key, insertParts([{ text: known[key], origin: 'exam' }]));
    else if (merged) texts.set(key, insertParts(merged));
    else if (isExpected) texts.set(key, { text: '', words: [] });
  }
  const titles = findRules(language).titles;
  const keys = inOrder(new Set(texts.keys()), own);
  const sections = keys.map((key) => ({
    key,
    title: own.find((section) => section.key === key)?.title ?? titles[key] ?? key,
    text: valueAt(texts, key).text,
  }));
  const located = locate(work, keys, texts);
  return {
    sections,
    provenance: withPriors(buildProvenance(work, located), priors),
    questions: buildQuestions(work, located),
  };
}

/** Text that nobody said, each part as one word: only its origin is known. */
function insertParts(parts: readonly MergedPart[]): RenderedSection {
  let text = '';
  const words: RenderedSection['words'][number][] = [];
  for (const { text: part, origin, prior } of parts) {
    const [start, end] = [text.length, text.length + part.length];
    const operation = prior && { operation: priorOperation(prior) };
    const token: Token = { kind: 'block', text: part, folded: '', spaced: false, from: 0, to: 0, origin, ...operation };
    words.push({ start, end, token });
    text += part;
  }
  return { text, words };
}

/** Words that name a prior, at their place. */
interface PriorText extends Span {
  readonly section: string;
  readonly text: string;
  readonly prior: PriorTaken;
}

const priorOperation = ({ id }: PriorTaken): string => `sections.prior@${id}`;

function findPriorTexts(section: string, parts: readonly MergedPart[]): PriorText[] {
  let at = 0;
  return parts.flatMap(({ text, prior }): PriorText[] => {
    const start = at;
    at += text.length;
    return prior ? [{ section, start, end: at, text, prior }] : [];
  });
}

const withPriors = (provenance: Provenance, priors: readonly PriorText[]): Provenance => ({
  ...provenance,
  operations: [
    ...provenance.operations,
    ...priors.map(({ section, start, end, text, prior }): Operation => ({
      id: priorOperation(prior),
      step: 'sections',
      rule: 'prior',
      source: { start: 0, end: 0 },
      target: { section, start, end },
      before: '',
      after: text,
      prior,
    })),
  ],
});

interface LocatedReport {
  readonly runs: readonly Run[];
  /** Maps a range of heard tokens to its place in the report. */
  readonly targetOf: (from: number, to: number) => Operation['target'];
}

function locate(work: Work, keys: readonly string[], texts: ReadonlyMap<string, RenderedSection>): LocatedReport {
  const runs: Run[] = [];
  const places: ({ section: string; start: number; end: number } | undefined)[] = [];
  for (const section of keys) {
    const { words } = valueAt(texts, section);
    runs.push(...groupRuns(section, words, ({ from, to }) => (to > from ? findSource(work.heard, from, to) : null)));
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

function buildProvenance(work: Work, { runs, targetOf }: LocatedReport): Provenance {
  /** Index of the first heard token that begins at a place of the transcript or after it. */
  const heardAt = (place: number): number =>
    findFirstIndex(work.heard.length, (at) => elementAt(work.heard, at).start >= place);
  const operations = work.operations.map((operation): Operation => {
    const [from, to] = [heardAt(operation.source.start), heardAt(operation.source.end)];
    return { ...operation, target: targetOf(from, to) };
  });
  return { words: runs, heard: buildAccount(work), operations };
}

/** The fate of each heard word, figure and mark; neighbours with one fate are one entry. */
function buildAccount({ heard, fates }: Work): Account[] {
  const account: Account[] = [];
  heard.forEach((token, at) => {
    if (token.kind === 'break') return;
    const { fate, operation } = elementAt(fates, at);
    const last = account.at(-1);
    if (last && last.fate === fate && (last.operation ?? null) === operation) {
      account[account.length - 1] = { ...last, end: token.end };
    } else account.push({ start: token.start, end: token.end, fate, ...(operation !== null && { operation }) });
  });
  return account;
}

const buildQuestions = ({ doubts, heard, text }: Work, { targetOf }: LocatedReport): Question[] =>
  doubts.map(({ rule, from, to }) => {
    const source = findSource(heard, from, to);
    return { rule, source, target: targetOf(from, to), words: text.slice(source.start, source.end) };
  });
