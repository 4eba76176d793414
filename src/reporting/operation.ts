/**
 * The effects of the steps on the words before them, recorded so that every heard word is accounted for and every step
 * can be undone.
 */
import type { Measurement } from '../contract/measurement.ts';
import type { Fate, StepName } from '../contract/provenance.ts';
import type { MacroName } from './vocabulary/macros.ts';
import { textOf } from './words/token.ts';
import type { HeardToken, Span, Token } from './words/token.ts';
import { elementAt } from '../domain/elements.ts';

/** One conversion, stored with the version of the report. */
export interface Operation {
  /** Step, rule and place: equal for equal words. */
  readonly id: string;
  readonly step: StepName;
  readonly rule: string;
  /** In the transcript. */
  readonly source: Span;
  /** In the text of a section; `null` if the report has nothing of it. */
  readonly target: (Span & { readonly section: string }) | null;
  readonly before: string;
  readonly after: string;
  /** The macro that was called. */
  readonly macro?: MacroName;
  /** The prior report from which a person took the words over. */
  readonly prior?: PriorTaken;
  /** The measurement of a viewer that brought the words. */
  readonly viewer?: Measurement;
}

export interface PriorTaken {
  readonly id: string;
  readonly exam_datetime: string;
}

/** The request of a step: `out` replaces the tokens `from` up to `to`. */
export interface Change {
  readonly rule: string;
  readonly from: number;
  readonly to: number;
  readonly out: readonly Token[];
  /** The fates of the heard words of the replaced tokens; words that are not listed: `written`. */
  readonly fates: readonly HeardFate[];
  /** The token after the change follows it without white space. */
  readonly clingsRight?: boolean;
  readonly macro?: MacroName;
}

/** Heard tokens `from` up to `to`. */
export interface HeardFate {
  readonly from: number;
  readonly to: number;
  readonly fate: Exclude<Fate, 'written'>;
}

/** A decision for a person: the words stay as they were said. */
export interface Doubt {
  readonly rule: DoubtRule;
  /** Heard tokens. */
  readonly from: number;
  readonly to: number;
}
export type DoubtRule = 'number' | 'correction' | 'scratch' | 'value' | 'macro' | 'normals' | 'heard';

/** The words on their way to a report. */
export interface Work {
  readonly text: string;
  readonly heard: readonly HeardToken[];
  tokens: readonly Token[];
  readonly operations: Omit<Operation, 'target'>[];
  /** The index is that of the heard token. */
  readonly fates: { fate: Fate; operation: string | null }[];
  readonly doubts: Doubt[];
  /** Ids of undone operations. */
  readonly without: ReadonlySet<string>;
  /** Ids of all operations, undone or not. */
  readonly ids: Set<string>;
}

export function startWork(text: string, heard: readonly HeardToken[], without: ReadonlySet<string>): Work {
  return {
    text,
    heard,
    tokens: heard,
    operations: [],
    fates: heard.map(() => ({ fate: 'written', operation: null })),
    doubts: [],
    without,
    ids: new Set(),
  };
}

/** The range of the heard tokens `from` up to `to` in the transcript. */
export const findSource = (heard: readonly HeardToken[], from: number, to: number): Span => ({
  start: heard[from]?.start ?? 0,
  end: heard[to - 1]?.end ?? 0,
});

/** The heard tokens from the first to the last of some tokens; moved tokens are not in order. */
export function findHull(tokens: readonly Token[]): { from: number; to: number } {
  let [from, to] = [Infinity, 0];
  for (const token of tokens) {
    from = Math.min(from, token.from);
    to = Math.max(to, token.to);
  }
  return { from: Math.min(from, to), to };
}

/** The fates of the heard words of some tokens; moved words are not in order. */
export function buildFates(tokens: readonly Token[], fate: HeardFate['fate']): HeardFate[] {
  const fates: { from: number; to: number; fate: HeardFate['fate'] }[] = [];
  for (const { from, to } of tokens) {
    const last = fates.at(-1);
    if (last && last.to === from) last.to = to;
    else fates.push({ from, to, fate });
  }
  return fates;
}

/** A token that a step has just made; others were only moved. */
const isNew = (token: Token): boolean => token.operation === undefined && token.origin !== 'said';

/** A step that returns to the same words needs another id. */
const uniqueId = (ids: ReadonlySet<string>, id: string): string => (ids.has(id) ? uniqueId(ids, `${id}'`) : id);

/** Carries out the changes of a step, which are in order and do not overlap, except undone ones. */
export function carryOut(work: Work, step: StepName, changes: readonly Change[]): void {
  if (changes.length === 0) return;
  const after: Token[] = [];
  let at = 0;
  let clings = false;
  const put = (token: Token): void => {
    after.push(clings && token.spaced ? { ...token, spaced: false } : token);
    clings = false;
  };
  for (const change of changes) {
    const replaced = work.tokens.slice(change.from, change.to);
    const hull = findHull(replaced);
    const source = findSource(work.heard, hull.from, hull.to);
    const id = uniqueId(work.ids, `${step}.${change.rule}@${source.start}-${source.end}`);
    for (; at < change.from; at += 1) put(elementAt(work.tokens, at));
    work.ids.add(id);
    if (work.without.has(id)) continue;
    const made = change.out.map((token) => (isNew(token) ? { ...token, operation: id } : token));
    made.forEach(put);
    clings ||= change.clingsRight === true;
    at = change.to;
    const before = textOf(replaced);
    const { rule, macro } = change;
    work.operations.push({ id, step, rule, source, before, after: textOf(made), ...(macro && { macro }) });
    for (const { from, to, fate } of change.fates) {
      for (let i = from; i < to; i += 1) work.fates[i] = { fate, operation: id };
    }
  }
  for (; at < work.tokens.length; at += 1) put(elementAt(work.tokens, at));
  work.tokens = after;
}
