/**
 * Undoes one conversion in the present report: only from the data of its version, since rules, templates and macros may
 * have changed. Other edits stay.
 */
import type { Section } from '../../contract/document.ts';
import type { Fate, StepName } from '../../contract/provenance.ts';
import { align } from '../checks/alignment.ts';
import type { TracedReport } from './edits.ts';
import { joinRuns, cutRun, retargetOperations, wordsOf } from './edits.ts';
import { openingKey } from '../input.ts';
import type { Operation } from '../operation.ts';
import type { Account, Run } from './provenance.ts';
import { withCapital } from '../render.ts';
import { tokenise } from '../words/token.ts';
import type { HeardToken, Span } from '../words/token.ts';
import { elementAt, findElement, lastElement } from '../../domain/elements.ts';

/**
 * Why a conversion stays: its id is unknown; it left no words (a command, or deleted words); or its words are no longer
 * the ones that it wrote.
 */
export type UndoRefusal = 'unknown' | 'wordless' | 'changed';

export function undo(document: TracedReport, id: string, transcript: string): TracedReport | UndoRefusal {
  const kept = document.provenance.operations.find((each) => each.id === id);
  if (!kept) return 'unknown';
  if (wordsOf(kept.after).length === 0) return 'wordless';
  if (kept.step === 'edits') return withoutBrought(document, kept);
  const operation = kept.rule === 'label' ? kept : withoutUnchanged(kept, transcript);
  const place = findWords(document, operation);
  if (!place) return 'changed';
  const own = findSegments(operation, document.provenance.operations, transcript);
  const isLabel = operation.rule === 'label';
  const { sections, words } = isLabel
    ? moveBack(document, place, operation)
    : replaceWords(document, place, operation, own);
  const operations = document.provenance.operations.filter((each) => each !== kept);
  return {
    sections,
    provenance: {
      words,
      heard: isLabel ? document.provenance.heard : buildAccounts(document.provenance.heard, operation, own),
      operations: retargetOperations(operations, words, sections),
    },
  };
}

/**
 * The operation without the words at its beginning that it left as they were said: a later step may have removed those.
 */
function withoutUnchanged(operation: Operation, transcript: string): Operation {
  const { source, before, after } = operation;
  const [said, old, now] = [transcript.slice(source.start, source.end), before, after].map(tokenise) as [
    HeardToken[],
    HeardToken[],
    HeardToken[],
  ];
  const isKept = (at: number): boolean =>
    [old[at], now[at]].every(
      (token) => token !== undefined && token.kind !== 'figure' && token.text === said[at]?.text,
    );
  let at = 0;
  while (isKept(at) && at + 1 < now.length && at + 1 < old.length) at += 1;
  const first = said[at];
  if (at === 0 || !first) return operation;
  return {
    ...operation,
    source: { ...source, start: source.start + first.start },
    before: before.slice(elementAt(old, at).start),
    after: after.slice(elementAt(now, at).start),
  };
}

interface Place extends Span {
  readonly section: Section;
}

const core = (text: string): string => text.replace(/(?<![.,;:!?])[.,;:!?]+$/, '');

/** Words, figures and signs, without punctuation, which rendering puts in order again. */
const significantTokens = (text: string): HeardToken[] =>
  tokenise(text).filter(({ kind, text: piece }) => kind !== 'break' && !/^[.,;:!?…]$/.test(piece));

/** The place of the words of an operation, if they are as it wrote them. */
function findWords({ sections, provenance }: TracedReport, { source, after }: Operation): Place | undefined {
  const parts = provenance.words.flatMap((run) => {
    const { heard } = run;
    return heard && heard.start < source.end && source.start < heard.end ? [cutRun(run, source)] : [];
  });
  const [first] = parts;
  const section = sections.find(({ key }) => key === first?.section);
  if (!first || !section) return undefined;
  const start = first.start - elementAt(wordsOf(after), 0).start;
  const wanted = significantTokens(after);
  // Spaces differ there, or there are more of them.
  const found = significantTokens(section.text.slice(start, start + 2 * after.length)).slice(0, wanted.length);
  const isSame = found.every((token, at) => token.text.toLowerCase() === elementAt(wanted, at).text.toLowerCase());
  const end = start + (found.at(-1)?.end ?? 0);
  const tail = after.length - lastElement(wanted).end;
  const isIn = (part: Run | undefined): boolean =>
    part?.section === section.key && part.start >= start && part.end <= end + tail;
  return isSame && found.length === wanted.length && parts.every(isIn) ? { section, start, end } : undefined;
}

/** The heard words of an operation, as they were before it. */
interface Segment {
  readonly text: string;
  readonly heard: Span;
  /** The operation that had written them then; none: they were as said. */
  readonly by?: Operation;
}

function findSegments(operation: Operation, all: readonly Operation[], transcript: string): Segment[] {
  const { source } = operation;
  const isWithin = (each: Operation): boolean =>
    each.source.start < source.end && each.source.end > source.start && each.rule !== 'label';
  const earlier = all
    .slice(
      0,
      all.findIndex(({ id }) => id === operation.id),
    )
    .filter(isWithin)
    .map((each) => withoutUnchanged(each, transcript))
    .filter(isWithin);
  const offset = source.start;
  const segments: Segment[] = [];
  for (const token of tokenise(transcript.slice(source.start, source.end))) {
    const heard = { start: token.start + offset, end: token.end + offset };
    // A later step may have taken a part of what an earlier one wrote.
    const by = earlier.findLast((each) => each.source.start <= heard.start && heard.end <= each.source.end);
    const last = segments.at(-1);
    if (by && last?.by === by) segments[segments.length - 1] = { ...last, heard: { ...last.heard, end: heard.end } };
    else segments.push(by ? { text: by.after, heard, by } : { text: token.text, heard });
  }
  return segments;
}

/** The report without the text that a macro of an instruction, a prior, a form or a proposal added. */
function withoutBrought({ sections, provenance }: TracedReport, { id, after }: Operation): TracedReport | UndoRefusal {
  const first = provenance.words.find(({ operation }) => operation === id);
  const section = sections.find(({ key }) => key === first?.section);
  if (!first || !section) return 'changed';
  const { key, text } = section;
  const start = first.start - elementAt(wordsOf(after), 0).start;
  const end = start + after.length;
  if (text.slice(start, end) !== after) return 'changed';
  // Removes the space that separated it from its neighbour.
  const before = end === text.length ? text.slice(0, start).trimEnd() : text.slice(0, start);
  const rest = text.slice(end).trimStart();
  const shift = before.length - (text.length - rest.length);
  const own = provenance.words.filter((run) => run.section === key);
  const words = inSections(
    sections,
    provenance.words,
    new Map([
      [
        key,
        [
          ...own.flatMap((run) => cut(run, { start: 0, end: start })),
          ...own
            .flatMap((run) => cut(run, { start: end, end: text.length }))
            .map((run) => ({ ...run, start: run.start + shift, end: run.end + shift })),
        ],
      ],
    ]),
  );
  const left = sections.map((each) => (each === section ? { ...each, text: before + rest } : each));
  const operations = provenance.operations.filter((each) => each.id !== id);
  return {
    sections: left,
    provenance: { words, heard: provenance.heard, operations: retargetOperations(operations, words, left) },
  };
}

/** The report with the words before an operation in the place of those after it. */
function replaceWords(
  { sections, provenance }: TracedReport,
  { section, start, end }: Place,
  { before, source }: Operation,
  segments: readonly Segment[],
): Pick<TracedReport, 'sections'> & { words: Run[] } {
  const { key, text } = section;
  const isOpen = /^$|[.!?…]\s+$|\n[^\S\n]*$/.test(text.slice(0, start));
  const words = core(before).replace(/(?<!\s)\s+(?=[.,;:!?…)])/g, '');
  const put = isOpen ? withCapital(words) : words;
  const shift = start + put.length - end;
  const kept = provenance.words.filter((run) => run.section === key);
  const newRuns = [
    ...kept.flatMap((run) => cut(run, { start: 0, end: start })),
    ...attributeRuns(put, segments, source).map((run): Run => ({
      ...run,
      section: key,
      start: run.start + start,
      end: run.end + start,
    })),
    ...kept
      .flatMap((run) => cut(run, { start: end, end: text.length }))
      .map((run) => ({ ...run, start: run.start + shift, end: run.end + shift })),
  ];
  return {
    sections: sections.map((each) =>
      each === section ? { ...each, text: text.slice(0, start) + put + text.slice(end) } : each,
    ),
    words: inSections(sections, provenance.words, new Map([[key, joinRuns(newRuns)]])),
  };
}

/** The part of a run inside a span of the text. */
function cut(run: Run, span: Span): Run[] {
  const [start, end] = [Math.max(run.start, span.start), Math.min(run.end, span.end)];
  if (end <= start) return [];
  const isSaid = run.origin === 'said' && run.heard !== null && run.heard.end - run.heard.start === run.end - run.start;
  const by = run.heard && isSaid ? run.heard.start - run.start : undefined;
  return [{ ...run, start, end, ...(by !== undefined && { heard: { start: start + by, end: end + by } }) }];
}

/** The origins of a text's words, from the segments that it was assembled from. */
function attributeRuns(text: string, segments: readonly Segment[], source: Span): Omit<Run, 'section'>[] {
  const known = segments.flatMap((segment) => wordsOf(segment.text).map((word) => ({ word: word.text, segment })));
  const words = wordsOf(text);
  const places = align(
    known.map(({ word }) => word),
    words.map((word) => word.text),
  );
  return words.map(({ start, end }, at) => {
    const segment = known[elementAt(places, at)]?.segment;
    // It is no longer known which of several earlier steps wrote it.
    if (!segment) return { start, end, origin: 'converted', heard: source };
    const { heard, by } = segment;
    if (!by) return { start, end, origin: 'said', heard };
    return { start, end, origin: by.step === 'macros' ? 'macro' : 'converted', heard, operation: by.id };
  });
}

/** Runs in the order of the sections, with new ones for some sections. */
const inSections = (
  sections: readonly Section[],
  words: readonly Run[],
  newRuns: ReadonlyMap<string, readonly Run[]>,
): Run[] => sections.flatMap(({ key }) => newRuns.get(key) ?? words.filter((run) => run.section === key));

/** The report with a sentence back among the words without a section name. */
function moveBack(
  { sections, provenance }: TracedReport,
  { section: from, start, end: last }: Place,
  { id, source }: Operation,
): Pick<TracedReport, 'sections'> & { words: Run[] } {
  const main = openingKey({ sections });
  const to = findElement(sections, ({ key }) => key === main);
  if (to === from) return { sections, words: provenance.words.map((run) => withoutLabel(run, id)) };
  const end = last + from.text.slice(last).search(/[^.,;:!?]|$/);
  const sentence = from.text.slice(start, end);
  const runsOf = (key: string): Run[] => provenance.words.filter((run) => run.section === key);
  const before = runsOf(main).findLast(({ heard }) => heard !== null && heard.end <= source.start)?.end ?? 0;
  const at = before === 0 ? 0 : before + to.text.slice(before).search(/[\s\p{L}\p{N}]|$/u);
  const [lead, tail] = [at === 0 ? '' : ' ', at === 0 && to.text !== '' ? ' ' : ''];
  const put = `${lead}${sentence}${tail}`;
  const gap = from.text.slice(end).search(/\S|$/);
  const rest = from.text.slice(0, start) + from.text.slice(end + gap);
  const moved = (run: Run, by: number): Run => ({ ...run, start: run.start + by, end: run.end + by });
  const words = new Map([
    [
      main,
      joinRuns([
        ...runsOf(main).flatMap((run) => cut(run, { start: 0, end: at })),
        ...runsOf(from.key)
          .flatMap((run) => cut(run, { start, end }))
          .map((run) => ({ ...moved(withoutLabel(run, id), at + lead.length - start), section: main })),
        ...runsOf(main)
          .flatMap((run) => cut(run, { start: at, end: to.text.length }))
          .map((run) => moved(run, put.length)),
      ]),
    ],
    [
      from.key,
      joinRuns([
        ...runsOf(from.key).flatMap((run) => cut(run, { start: 0, end: start })),
        ...runsOf(from.key)
          .flatMap((run) => cut(run, { start: end, end: from.text.length }))
          .map((run) => moved(run, start - end - gap)),
      ]),
    ],
  ]);
  const texts = new Map([
    [main, to.text.slice(0, at) + put + to.text.slice(at)],
    [from.key, rest.trimEnd()],
  ]);
  return {
    sections: sections.map((each) => ({ ...each, text: texts.get(each.key) ?? each.text })),
    words: inSections(sections, provenance.words, words),
  };
}

function withoutLabel(run: Run, id: string): Run {
  if (run.operation !== id) return run;
  const { operation: _label, ...rest } = run;
  return rest;
}

/** The fates of words that a step removes. */
const fates: Readonly<Record<StepName, Fate>> = {
  commands: 'command',
  vocabulary: 'converted',
  macros: 'command',
  spelling: 'converted',
  numbers: 'converted',
  corrections: 'taken_back',
  sections: 'command',
  wording: 'converted',
  edits: 'taken_back',
};

/** The fates of the heard words, without the operation. */
function buildAccounts(accounts: readonly Account[], { id }: Operation, segments: readonly Segment[]): Account[] {
  const own = segments.map(({ heard, by }): Account => ({
    ...heard,
    fate: by ? fates[by.step] : 'written',
    ...(by && { operation: by.id }),
  }));
  return accounts.flatMap((account): Account[] => {
    if (account.operation !== id) return [account];
    return own.flatMap((each) => {
      const [start, end] = [Math.max(each.start, account.start), Math.min(each.end, account.end)];
      return end > start ? [{ ...each, start, end }] : [];
    });
  });
}
