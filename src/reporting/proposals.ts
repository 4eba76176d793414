/**
 * The additions that a language model may make to the rules: the section of a sentence without a section name, and
 * another wording of a sentence. Each proposal is tried alone; a refused one leaves its sentence as it was.
 */
import { openingKey, sectionFor } from './input.ts';
import type { WriteInput } from './input.ts';
import { carryOut, findSource, findHull } from './operation.ts';
import type { Change, Work } from './operation.ts';
import { findRules } from './rules.ts';
import { splitSentences } from './words/sentences.ts';
import { rewordSentence } from './steps/wording.ts';
import type { WordingRefusal } from './steps/wording.ts';
import { sectionBegunBy, textOf } from './words/token.ts';
import type { Token } from './words/token.ts';
import { elementAt } from '../domain/elements.ts';

/** A sentence of a report, as the rules write it. Its index in a list is its number. */
export interface WrittenSentence {
  readonly text: string;
  /** Key of its section; `null`: it has no section name, and a proposal may assign one. */
  readonly section: string | null;
  /** An autotext, which stays as it is. */
  readonly isWhole: boolean;
}

/**
 * Why a proposal is refused: there is no such sentence (or it has a proposal already), its section is settled or
 * unknown, or its wording.
 */
export type Refusal = 'sentence' | 'section' | WordingRefusal;

/** Sections of sentences without a section name, by their number. */
export type Labels = ReadonlyMap<number, string>;

export interface Sentences {
  readonly list: readonly WrittenSentence[];
  /** The tokens of each. */
  readonly ranges: readonly { readonly from: number; readonly to: number }[];
  /** The labels of the rules. */
  readonly labels: Labels;
}

/**
 * The sentences of a dictation after all steps, those without a section name first; all of them if proposals are
 * accepted.
 */
export function readSentences({ tokens }: Work, input: WriteInput): Sentences {
  const first = tokens.findIndex(({ kind }) => kind === 'section');
  const body = first < 0 ? tokens.length : first;
  const textAt = ({ from, to }: { readonly from: number; readonly to: number }): string =>
    textOf(tokens.slice(from, to));
  const opening = splitSentences(tokens.slice(0, body));
  const labels: Labels = input.label?.(opening.map(textAt)) ?? new Map<number, string>();
  if (!input.proposals) return { list: [], ranges: [], labels };
  const rest = splitSentences(tokens.slice(body)).map(({ from, to }) => ({ from: from + body, to: to + body }));
  const ranges = [...opening, ...rest];
  let [at, key] = [body, openingKey(input)];
  const list = ranges.map((range, number): WrittenSentence => {
    for (; at < range.from; at += 1) key = sectionBegunBy(elementAt(tokens, at)) ?? key;
    const block = elementAt(tokens, range.from).kind === 'block' ? tokens[range.from] : undefined;
    const under = number < opening.length ? (labels.get(number) ?? null) : key;
    const section = block ? (block.section ?? key) : under;
    return {
      text: textAt(range),
      section: section && sectionFor(section, input.sections),
      isWhole: block !== undefined,
    };
  });
  return { list, ranges, labels };
}

/** Carries out the allowed proposals. Returns the labels, including those of the rules, and why others were refused. */
export function adoptProposals(
  work: Work,
  { list, ranges, labels }: Sentences,
  input: WriteInput,
): { readonly labels: Labels; readonly refused: readonly Refusal[] } {
  const { proposals = [], sections } = input;
  if (proposals.length === 0) return { labels, refused: [] };
  const refused: Refusal[] = [];
  const seen = new Set<number>();
  const allowed = proposals.filter(({ sentence }) => {
    const isAllowed = list[sentence]?.isWhole === false && !seen.has(sentence);
    seen.add(sentence);
    if (!isAllowed) refused.push('sentence');
    return isAllowed;
  });
  const placed = new Map(labels);
  const tokens = [...work.tokens];
  for (const { sentence, section } of allowed) {
    const present = elementAt(list, sentence).section;
    if (section === undefined || section === present) continue;
    const isOpen = present === null && sections.some(({ key }) => key === section);
    if (!isOpen) refused.push('section');
    else if (label(work, tokens, elementAt(ranges, sentence), input, section)) placed.set(sentence, section);
  }
  const rules = findRules(input.language);
  const changes = allowed.flatMap(({ sentence, text }): readonly Change[] => {
    const reworded = text === undefined ? [] : rewordSentence(tokens, elementAt(ranges, sentence), text, rules);
    if (typeof reworded !== 'string') return reworded;
    refused.push(reworded);
    return [];
  });
  work.tokens = tokens;
  carryOut(
    work,
    'wording',
    changes.toSorted((a, b) => a.from - b.from),
  );
  return { labels: placed, refused };
}

/** Records that a proposal moved the words. `false`: they are there anyway, or the move was undone. */
function label(
  work: Work,
  tokens: Token[],
  { from, to }: { readonly from: number; readonly to: number },
  input: WriteInput,
  section: string,
): boolean {
  if (section === openingKey(input)) return false;
  const said = tokens.slice(from, to);
  const hull = findHull(said);
  const source = findSource(work.heard, hull.from, hull.to);
  const id = `sections.label@${source.start}-${source.end}`;
  if (work.without.has(id)) return false;
  const text = textOf(said);
  work.operations.push({ id, step: 'sections', rule: 'label', source, before: text, after: text });
  said.forEach((token, at) => {
    if (token.kind !== 'mark' && token.operation === undefined) tokens[from + at] = { ...token, operation: id };
  });
  return true;
}
