/** The summary at the end of a run, for a person, a pipe or a script. */
import { textOf } from '../../src/contract/messages/message.ts';
import { AppError } from '../../src/contract/errors.ts';
import { counted } from '../../src/domain/counted.ts';
import type { Place } from '../../src/sending/entries.ts';
import type { StatusOutcome } from '../../src/sending/follow-orders.ts';
import { accessionOf, emptyTally, isSetAside, isTaken, total, collectWarnings } from '../../src/sending/outcomes.ts';
import type { EntryResult, Outcome, Refusal, Tally, ItemWarning } from '../../src/sending/outcomes.ts';
import type { Io } from '../shell/io.ts';
import { render } from '../shell/render.ts';
import { wrap } from '../shell/table.ts';
import { listView } from '../shell/view.ts';
import type { Tone } from '../shell/view.ts';
import { positionWords } from './file-entries.ts';
import type { FileNotice } from './file-entries.ts';
import { findRemedy } from './remedies.ts';

/** An entry without its content, so that many fit into memory. */
export interface Line extends Place {
  readonly accession: string | null;
  readonly outcome: Outcome;
  readonly warnings: readonly ItemWarning[];
  readonly remedy?: string | undefined;
  /** For a dry run: the fields as they would be stored. */
  readonly shown?: Readonly<Record<string, unknown>> | undefined;
}

/** Counts and lists of the entries sent so far. */
export interface SendResult {
  readonly tally: Tally;
  /** Number of these entries that an earlier run sent. */
  recalled: number;
  /** Number of refused entries at which the server failed, or that wait behind one of these. */
  setAside: number;
  /** The first `maxRefused` refused entries. */
  readonly refused: Line[];
  /** Accepted entries, if the command lists them. */
  readonly taken: Line[] | undefined;
  readonly statuses: Record<Exclude<StatusOutcome['outcome'], 'kept'>, number>;
  /** Number of these exams that were reinstated. */
  reinstated: number;
  readonly refusedStatuses: { readonly line: Line; readonly message: string }[];
  /** The first `maxRefused` warnings about accepted entries. */
  readonly warned: { readonly line: Line; readonly code: ItemWarning['code']; readonly message: string }[];
  /** The recognised format of each file. */
  readonly files: FileNotice[];
}

export const emptySent = (listsTaken: boolean): SendResult => ({
  tally: emptyTally(),
  recalled: 0,
  setAside: 0,
  refused: [],
  taken: listsTaken ? [] : undefined,
  statuses: { applied: 0, unchanged: 0, refused: 0 },
  reinstated: 0,
  refusedStatuses: [],
  warned: [],
  files: [],
});

/**
 * Further entries are only counted, so that a file of millions of bad lines also finishes. `--report` lists them all.
 */
const maxRefused = 10_000;
/** Maximum number of lines on a terminal. */
const maxShown = 200;

export function addToSent(sent: SendResult, done: readonly EntryResult[], statuses: readonly StatusOutcome[]): void {
  for (const each of done) {
    sent.tally[each.outcome.outcome] += 1;
    if (isSetAside(each)) sent.setAside += 1;
    if (isTaken(each)) {
      if (!sent.taken && !each.entry.warnings && !each.outcome.warnings) continue;
      const line = toLine(each);
      sent.taken?.push(line);
      if (sent.warned.length < maxRefused)
        sent.warned.push(...line.warnings.map(({ code, message }) => ({ line, code, message: textOf(message) })));
    } else if (sent.refused.length < maxRefused) sent.refused.push(toLine(each));
  }
  for (const { index, outcome, message, reinstates = false } of statuses) {
    if (outcome !== 'kept') sent.statuses[outcome] += 1;
    if (reinstates && outcome !== 'refused') sent.reinstated += 1;
    if (outcome !== 'kept' && outcome !== 'refused') continue;
    const each = done.find(({ entry }) => entry.index === index);
    if (!each) continue;
    const refusal = `Not ${reinstates ? 'reinstated' : 'cancelled'}: ${textOf(message ?? '')}`;
    const problem = { line: toLine(each), message: refusal };
    if (outcome === 'refused') sent.refusedStatuses.push(problem);
    else sent.warned.push({ ...problem, code: null });
  }
}

const toLine = (done: EntryResult): Line => {
  const { file, position, index } = done.entry;
  const { outcome } = done;
  return {
    file,
    position,
    index,
    accession: accessionOf(done),
    outcome,
    warnings: collectWarnings(done),
    ...(done.entry.kind === 'item' && done.entry.shown && { shown: done.entry.shown }),
    ...(outcome.outcome === 'refused' && { remedy: findRemedy(outcome, done.entry) }),
  };
};

export interface SummaryOptions {
  readonly files: readonly string[];
  readonly dryRun: boolean;
  readonly quiet: boolean;
  /** In ms. */
  readonly elapsed: number;
  /** The command that resends entries that were set aside. */
  readonly goOn: string;
}

/** Prints the summary. PARTIAL if an entry was refused. */
export async function summarise(io: Io, sent: SendResult, options: SummaryOptions): Promise<void> {
  const places = options.files.length > 1 ? fullPlace : shortPlace;
  await printOutcomes(io, sent, options, places);
  if (io.output !== 'json') {
    const { refused } = sent.tally;
    io.notice(countWords(sent, options), refused > 0 || sent.statuses.refused > 0 ? 'warn' : 'good');
  }
  const refused = sent.tally.refused + sent.statuses.refused;
  if (refused === 0) return;
  if (sent.setAside > 0) {
    const others = sent.tally.refused - sent.setAside;
    throw new AppError('PARTIAL', {
      message: `${sent.setAside} of ${counted(total(sent.tally), 'item')} ${wereFor(sent.setAside)} set aside: the server failed to process them repeatedly${others > 0 ? `; ${others} ${wereFor(others)} refused` : ''}.`,
      details: { set_aside: sent.setAside },
      hint: `The reason is in the log of the server. ${options.goOn}`,
    });
  }
  throw new AppError('PARTIAL', {
    message:
      sent.tally.refused > 0
        ? `${sent.tally.refused} of ${counted(total(sent.tally), 'item')} ${options.dryRun ? 'would be' : wereFor(sent.tally.refused)} refused.`
        : `${counted(refused, 'change')} of status ${wereFor(refused)} refused.`,
    hint: options.dryRun
      ? 'Fix them, or send the file anyway: the others will be accepted.'
      : 'Fix them and send the file again; accepted entries are recognised.',
  });
}

const wereFor = (count: number): string => (count === 1 ? 'was' : 'were');

type PlaceWords = (line: Pick<Line, 'file' | 'position'>) => string;
const shortPlace: PlaceWords = ({ position }) => positionWords(position);
const fullPlace: PlaceWords = ({ file, position }) => `${file} ${positionWords(position)}`;

async function printOutcomes(
  io: Io,
  sent: SendResult,
  { quiet, dryRun }: SummaryOptions,
  place: PlaceWords,
): Promise<void> {
  const taken = sent.taken ?? [];
  const isTable = io.output === 'table';
  const shown = quiet || (isTable && taken.length > maxShown) ? [] : taken;
  const document = {
    processed: total(sent.tally),
    ...sent.tally,
    ...(dryRun && { dry_run: true }),
    ...(sent.recalled > 0 && { resumed_after: sent.recalled }),
    ...(sent.setAside > 0 && { set_aside: sent.setAside }),
    ...(total(sent.statuses) > 0 && { statuses: sent.statuses }),
    ...(sent.reinstated > 0 && { reinstated: sent.reinstated }),
    read_as: sent.files.map(({ file, text }) => ({ file, as: text })),
    errors: sent.refused.map(errorDocument),
    warnings: sent.warned.map(({ line: { index, file, position, accession }, code, message }) => ({
      index,
      file,
      position: positionWords(position),
      accession_number: accession,
      ...(code && { code }),
      message,
    })),
    ...(sent.taken && { items: taken.map(itemDocument) }),
  };
  const view = listView<Line>({
    data: document,
    rows: isTable ? shown : [...shown, ...sent.refused],
    columns: [
      { title: 'Accession', value: ({ accession }) => accession },
      { title: 'Outcome', value: ({ outcome }) => outcome.outcome, tone: ({ outcome }) => tones[outcome.outcome] },
      {
        title: 'ID',
        value: ({ outcome }) => (dryRun || !('id' in outcome) ? undefined : outcome.id),
        tone: () => 'faint',
        spare: 1,
      },
      { title: 'Message', value: (line) => formatMessage(line, place, isTable), cut: true },
      // A terminal shows them below.
      ...(dryRun && !isTable
        ? [{ title: 'Fields', value: ({ shown: fields }: Line) => (fields ? JSON.stringify(fields) : undefined) }]
        : []),
    ],
    empty: '',
  });
  if (io.output !== 'table' || shown.length > 0) await render(io, view);
  if (!isTable) return;
  if (dryRun && !quiet) await printFields(io, taken);
  if (shown.length < taken.length && !quiet) {
    io.notice(`${taken.length} items were accepted; a pipe, --json or --report lists them all.`, 'faint');
  }
  await printReasons(io, sent, place);
}

/** Number of exams whose fields a terminal shows in full. */
const maxInFull = 5;

/** The first exams as they would be stored, including the time zone. */
async function printFields(io: Io, taken: readonly Line[]): Promise<void> {
  for (const { shown } of taken.slice(0, maxInFull)) {
    const { metadata, ...fields } = shown ?? {};
    const flat = [
      ...Object.entries(fields),
      ...Object.entries((metadata ?? {}) as object).map(([name, value]) => [`metadata.${name}`, value] as const),
    ];
    for (const [name, value] of flat) {
      await io.out(
        indented(io, `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`, '  ', 'faint'),
      );
    }
    if (flat.length > 0) await io.out('\n');
  }
  if (taken.length > maxInFull) {
    io.notice(`The fields of the first ${maxInFull} are shown; a pipe or --json shows all.`, 'faint');
  }
}

const tones: Readonly<Record<Outcome['outcome'], Tone>> = {
  inserted: 'good',
  updated: 'busy',
  deduped: 'faint',
  refused: 'bad',
};

/** A terminal shows warnings and hints in groups further below. */
function formatMessage(line: Line, place: PlaceWords, isTable: boolean): string | undefined {
  const { outcome, warnings } = line;
  if (outcome.outcome !== 'refused') {
    if (isTable) return outcome.warnings ? undefined : outcome.message;
    const read = warnings.filter(({ code }) => code === null).map(({ message }) => textOf(message));
    return [outcome.message, ...read].filter(Boolean).join(' ');
  }
  const where = `${place(line)}${outcome.field ? `, ${outcome.field}` : ''}`;
  const message = textOf(outcome.message);
  const sentence = /[.!?]$/.test(message) ? message : `${message}.`;
  return `${where}: ${isTable || line.remedy === undefined ? message : `${sentence} ${line.remedy}`}`;
}

const errorDocument = ({ file, position, index, accession, outcome, remedy }: Line) => {
  const refusal = outcome as Refusal;
  const { code = null, field = null, message } = refusal;
  return {
    index,
    file,
    position: positionWords(position),
    accession_number: accession,
    error: code,
    field,
    message: textOf(message),
    hint: remedy ?? null,
  };
};

const itemDocument = ({ accession, outcome, shown }: Line) => {
  const { outcome: status, id, message } = outcome as Exclude<Outcome, Refusal>;
  return {
    accession_number: accession,
    status,
    ...(id !== undefined && { id }),
    ...(message !== undefined && { message }),
    ...(shown && { fields: shown }),
  };
};

/** Maximum number of positions listed per reason. */
const maxPlaces = 4;

interface Problem {
  readonly line: Line;
  readonly message: string;
  readonly hint?: string | undefined;
}

/** A terminal shows each reason once, with the positions and the hint. */
async function printReasons(io: Io, sent: SendResult, place: PlaceWords): Promise<void> {
  const refused = sent.refused.map((line): Problem => {
    const refusal = line.outcome as Refusal;
    return { line, message: textOf(refusal.message), hint: line.remedy };
  });
  await printGroups(io, sent.warned, 'warn', place);
  await printGroups(io, [...refused, ...sent.refusedStatuses], 'bad', place);
}

async function printGroups(io: Io, problems: readonly Problem[], tone: Tone, place: PlaceWords): Promise<void> {
  for (const [message, group] of Map.groupBy(problems, (each) => each.message)) {
    const places = group
      .slice(0, maxPlaces)
      .map(({ line }) => `${place(line)}${line.accession === null ? '' : ` (${line.accession})`}`);
    const rest = group.length - places.length;
    const where = rest > 0 ? `${places.join(', ')} and ${rest} more` : places.join(', ');
    await io.out(indented(io, `${group.length === 1 ? '' : `${group.length} × `}${message}`, '', tone));
    await io.out(indented(io, where, '  ', 'plain'));
    const hint = group[0]?.hint;
    if (hint !== undefined) await io.out(indented(io, hint, '  ', 'faint'));
  }
}

const indented = (io: Io, text: string, indent: string, tone: Tone): string =>
  wrap(text, Math.max(20, Math.min(io.width, 110) - indent.length))
    .split('\n')
    .map((line) => `${indent}${io.paint(line, tone)}\n`)
    .join('');

/** `22 inserted, 0 updated, 1 unchanged, 0 refused`. */
export function countWords(
  { tally, recalled, statuses, reinstated, warned }: SendResult,
  { dryRun, elapsed }: Pick<SummaryOptions, 'dryRun' | 'elapsed'>,
): string {
  const { inserted, updated, deduped, refused } = tally;
  const counts = `${inserted} inserted, ${updated} updated, ${deduped} unchanged, ${refused} refused`;
  if (dryRun) return `Dry run, as on an empty worklist: ${counts}. Nothing was sent.`;
  const cancelled = statuses.applied + statuses.unchanged - reinstated;
  const seconds = elapsed / 1000;
  const fresh = total(tally) - recalled;
  return [
    counts,
    ...(cancelled > 0 || statuses.refused > 0 ? [`${cancelled} cancelled`] : []),
    ...(reinstated > 0 ? [`${reinstated} reinstated`] : []),
    ...(warned.length > 0 ? [counted(warned.length, 'warning')] : []),
    ...(recalled > 0 ? [`${recalled} of them by the earlier run`] : []),
    ...(seconds >= 2 ? [`${Math.round(fresh / seconds)} a second`] : []),
  ].join(', ');
}
