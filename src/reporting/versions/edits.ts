/** Tracks the origins of words after a person, or an instruction, has changed a report. */
import type { Section } from '../../contract/document.ts';
import type { Measurement } from '../../contract/measurement.ts';
import { align } from '../checks/alignment.ts';
import { findFirstIndex } from '../../domain/binary-search.ts';
import type { MacroName } from '../vocabulary/macros.ts';
import { findAddedMeasurement } from '../measurement-text.ts';
import type { Operation, PriorTaken } from '../operation.ts';
import { isHeard, isLinear, joinedRun, spanAt } from './provenance.ts';
import type { Account, Provenance, Run } from './provenance.ts';
import { tokenise } from '../words/token.ts';
import type { Span } from '../words/token.ts';
import { normalForm } from '../../domain/normal-form.ts';
import { elementAt, findElement } from '../../domain/elements.ts';

/** A report with the origins of its words. */
export interface TracedReport {
  readonly sections: readonly Section[];
  readonly provenance: Provenance;
}

export interface Edit {
  /** Who changed it. */
  readonly by: string;
  /** The transcript; empty if the report was not dictated. */
  readonly transcript: string;
  /** Texts that an instruction's macros added, or that a person took over from priors, forms and viewers. */
  readonly brought?: readonly Brought[];
}

interface Sources {
  readonly macro: MacroName;
  readonly prior: PriorTaken;
  /** Name of the form. */
  readonly score: string;
  readonly viewer: Measurement;
  /** A language model proposed it for the impression. */
  readonly proposed: true;
}
type Source = keyof Sources;

/** Text from exactly one source that was added to a section. */
export type Brought = { readonly section: string; readonly text: string } & {
  readonly [S in Source]: Pick<Sources, S> & { readonly [O in Exclude<Source, S>]?: undefined };
}[Source];

const sources: readonly Source[] = ['macro', 'prior', 'score', 'viewer', 'proposed'];

/** The part of a run that was heard within a span; `undefined` if it cannot be separated from other words. */
export function cutRun(run: Run, { start, end }: Span): Run | undefined {
  const { heard } = run;
  if (heard === null) return undefined;
  if (heard.start >= start && heard.end <= end) return run;
  if (!isLinear(run)) return undefined;
  const [from, to] = [Math.max(heard.start, start), Math.min(heard.end, end)];
  const offset = run.start - heard.start;
  return { ...run, start: from + offset, end: to + offset, heard: { start: from, end: to } };
}

/** The operations with the present places of their words. */
export function retargetOperations(
  operations: readonly Operation[],
  words: readonly Run[],
  sections: readonly Section[],
): Operation[] {
  const heard = words.filter(isHeard).toSorted((a, b) => a.heard.start - b.heard.start);
  /** The furthest place of the transcript up to each run. */
  let furthest = 0;
  const ends = heard.map((run) => (furthest = Math.max(furthest, run.heard.end)));
  return operations.map((operation): Operation => {
    const { source } = operation;
    let target: Operation['target'] = null;
    for (let at = findFirstIndex(ends.length, (i) => elementAt(ends, i) > source.start); at < heard.length; at += 1) {
      const run = elementAt(heard, at);
      if (run.heard.start >= source.end) break;
      if (run.heard.end <= source.start) continue;
      const { section, start, end } = cutRun(run, source) ?? run;
      target ??= { section, start, end };
      if (target.section === section)
        target = { section, start: Math.min(target.start, start), end: Math.max(target.end, end) };
    }
    return { ...operation, target: target ?? markAt(operation, sections) };
  });
}

/**
 * The present report, with the sections that a change restores from an earlier version: their words have their origins
 * from then.
 */
export function withRestoredSections(
  present: TracedReport,
  previous: TracedReport,
  after: readonly Section[],
  transcript: string,
): TracedReport {
  const textIn = ({ sections }: TracedReport, key: string): string | undefined =>
    sections.find((section) => section.key === key)?.text;
  const isReturned = ({ key, text }: Section): boolean =>
    text !== '' && text !== textIn(present, key) && text === textIn(previous, key);
  const returned = new Set(after.filter(isReturned).map(({ key }) => key));
  if (returned.size === 0) return present;
  const [now, then] = [present.provenance, previous.provenance];
  const heard: Account[] = [];
  for (const { kind, start, end } of tokenise(normalForm(transcript))) {
    if (kind === 'break') continue;
    const account = spanAt(now.heard, { start, end });
    const isRemoved = account?.operation?.startsWith(editing) === true;
    const given = (isRemoved ? spanAt(then.heard, { start, end }) : undefined) ?? account;
    if (given) add(heard, { ...given, start, end });
  }
  const known = new Set(now.operations.map(({ id }) => id));
  const operations = [...now.operations, ...then.operations.filter(({ id }) => !known.has(id))];
  const used = new Set(heard.map(({ operation }) => operation));
  return {
    sections: [
      ...present.sections.filter(({ key }) => !returned.has(key)),
      ...after.filter(({ key }) => returned.has(key)),
    ],
    provenance: {
      words: [
        ...now.words.filter(({ section }) => !returned.has(section)),
        ...then.words.filter(({ section }) => returned.has(section)),
      ],
      heard,
      operations: operations.filter(({ id }) => !id.startsWith(editing) || used.has(id)),
    },
  };
}

/** Whether the report has words of a conversion, so that it can be undone. */
export const leavesWords = ({ step, target, after }: Operation): boolean =>
  step !== 'edits' && target !== null && wordsOf(after).length > 0;

/** The place of a mark that an operation wrote, if it did not move. */
function markAt({ target, after }: Operation, sections: readonly Section[]): Operation['target'] {
  const text = sections.find(({ key }) => key === target?.section)?.text;
  return target && text?.slice(target.start, target.end) === after ? target : null;
}

/** The prefix of the ids of such operations. */
export const editing = 'edits.removed@';

interface Word extends Span {
  readonly text: string;
}

export const wordsOf = (text: string): Word[] =>
  tokenise(normalForm(text)).flatMap(({ kind, text: word, start, end }) =>
    kind === 'word' || kind === 'figure' ? [{ text: word.toLowerCase(), start, end }] : [],
  );

/**
 * The provenance of the present sections: words that stayed keep their origin, others are `edited` by `by`; heard words
 * that are gone were removed by that edit.
 */
export function traceEdit(
  before: TracedReport,
  after: readonly Section[],
  { by, transcript, brought = [] }: Edit,
): Provenance {
  const calls = callsIn(before, after, brought);
  const known = new Map(before.sections.map((section) => [section.key, wordsOf(section.text)]));
  const runsBefore = Map.groupBy(before.provenance.words, ({ section }) => section);
  const words = after.flatMap(({ key, text }) => {
    const old = known.get(key) ?? [];
    const own = calls.filter(({ target }) => target.section === key);
    const isCalled = (word: Span): boolean =>
      spanAt(
        own.map(({ target }) => target),
        word,
      ) !== undefined;
    const now = wordsOf(text).filter((word) => !isCalled(word));
    const places = align(
      old.map((word) => word.text),
      now.map((word) => word.text),
    );
    const runs = runsBefore.get(key) ?? [];
    const runsNow = now.map((word, at): Run => {
      const place = elementAt(places, at);
      const run = place < 0 ? undefined : runAt(runs, elementAt(old, place));
      return run
        ? keepRun(run, elementAt(old, place), word)
        : { section: key, start: word.start, end: word.end, origin: 'edited', heard: null, by };
    });
    const runsCalled = own.map(({ id, rule, target }): Run => ({
      ...target,
      origin: rule,
      heard: null,
      operation: id,
      by,
    }));
    // Typed words before and after added text are separate runs.
    return joinRuns([...runsNow, ...runsCalled].toSorted((a, b) => a.start - b.start));
  });
  const { heard, operations } = withRemoved(before.provenance, transcript, words);
  return { words, heard, operations: retargetOperations([...operations, ...calls], words, after) };
}

/** An operation for each added text, at its place in the sections. Their ids differ from those of earlier operations. */
interface Call extends Operation {
  readonly rule: Source;
  readonly target: NonNullable<Operation['target']>;
}

function callsIn(before: TracedReport, after: readonly Section[], brought: readonly Brought[]): Call[] {
  const from = before.provenance.operations.length;
  return brought.flatMap((each, at): Call[] => {
    const { section, text, macro, prior, score, viewer } = each;
    const textIn = (sections: readonly Section[]): string =>
      normalForm(sections.find(({ key }) => key === section)?.text ?? '');
    const place = viewer
      ? findAddedMeasurement(textIn(before.sections), textIn(after), text)
      : findLast(textIn(after), text);
    if (!place) return [];
    const rule = findElement(sources, (source) => each[source] !== undefined);
    return [
      {
        id: `edits.${rule}@${from + at}`,
        step: 'edits',
        rule,
        source: { start: 0, end: 0 },
        target: { section, ...place },
        before: macro?.name ?? score ?? '',
        after: text,
        ...(macro && { macro }),
        ...(prior && { prior }),
        ...(viewer && { viewer }),
      },
    ];
  });
}

function findLast(text: string, words: string): Span | undefined {
  const start = text.lastIndexOf(words);
  return start < 0 ? undefined : { start, end: start + words.length };
}

/** The run that a word begins in. */
const runAt = (runs: readonly Run[], { start }: Span): Run | undefined => spanAt(runs, { start, end: start + 1 });

/** The part of a run for a word, at the word's present place. */
function keepRun(run: Run, old: Span, now: Span): Run {
  const offset = old.start - run.start;
  const heard = isLinear(run)
    ? { start: run.heard.start + offset, end: run.heard.start + offset + old.end - old.start }
    : run.heard;
  return { ...run, start: now.start, end: now.end, heard };
}

/** Joins adjacent words of one origin into one run. */
export function joinRuns(runs: readonly Run[]): Run[] {
  const out: Run[] = [];
  for (const run of runs) {
    const last = out.at(-1);
    const whole = last && joinedOfOrigin(last, run);
    if (whole) out[out.length - 1] = whole;
    else out.push(run);
  }
  return out;
}

/** Both as one run; `undefined` where they are of different origin, or the second does not go on from the first. */
function joinedOfOrigin(last: Run, run: Run): Run | undefined {
  if (last.origin !== run.origin || last.operation !== run.operation || last.by !== run.by) return undefined;
  if (isLinear(last) && isLinear(run)) return joinedRun(last, run);
  const isSame = last.heard?.start === run.heard?.start && last.heard?.end === run.heard?.end;
  return run.origin !== 'said' && isSame ? { ...last, end: run.end } : undefined;
}

/** Marks heard words that the report no longer has as removed by the edit. */
function withRemoved(
  { heard, operations }: Provenance,
  transcript: string,
  words: readonly Run[],
): Pick<Provenance, 'heard' | 'operations'> {
  const standing = words.flatMap((run) => (run.heard ? [run.heard] : [])).toSorted((a, b) => a.start - b.start);
  const accounts: Account[] = [];
  const removed: Span[] = [];
  let [account, stands] = [0, 0];
  for (const { kind, start, end } of tokenise(normalForm(transcript))) {
    while (account < heard.length && elementAt(heard, account).end <= start) account += 1;
    const given = heard[account];
    if (!given || given.start > start) continue;
    while (stands < standing.length && elementAt(standing, stands).end <= start) stands += 1;
    const isGone = (standing[stands]?.start ?? Infinity) >= end && (kind === 'word' || kind === 'figure');
    const wasThere = given.fate === 'written' || given.fate === 'converted';
    const [last, open] = [accounts.at(-1), removed.at(-1)];
    if (!isGone || !wasThere) add(accounts, { ...given, start, end });
    // Words that an earlier edit removed next to it stay in that edit's account.
    else if (last && open && last.operation === `${editing}${open.start}`) {
      accounts[accounts.length - 1] = { ...last, end };
      removed[removed.length - 1] = { start: open.start, end };
    } else {
      accounts.push({ start, end, fate: 'taken_back', operation: `${editing}${start}` });
      removed.push({ start, end });
    }
  }
  const edits = removed.map((source): Operation => ({
    id: `${editing}${source.start}`,
    step: 'edits',
    rule: 'removed',
    source,
    target: null,
    before: transcript.slice(source.start, source.end),
    after: '',
  }));
  return { heard: accounts, operations: [...operations, ...edits] };
}

function add(accounts: Account[], account: Account): void {
  const last = accounts.at(-1);
  if (last && last.fate === account.fate && last.operation === account.operation) {
    accounts[accounts.length - 1] = { ...last, end: account.end };
  } else accounts.push(account);
}
