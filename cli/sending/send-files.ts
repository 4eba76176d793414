/**
 * Reads worklist files, groups their entries into batches, sends these, keeps the journal and prints the summary.
 * `ingest` and `replay` both call `sendFiles`.
 */
import { setFlagsFromString } from 'node:v8';
import { AppError } from '../../src/contract/errors.ts';
import { batchesOf } from '../../src/sending/batches.ts';
import { total } from '../../src/sending/outcomes.ts';
import { sendBatches } from '../../src/sending/send.ts';
import type { Destination } from '../../src/sending/send.ts';
import type { Context } from '../context.ts';
import { isStdin, nameOf } from '../shell/input-file.ts';
import type { Io } from '../shell/io.ts';
import { wrap } from '../shell/table.ts';
import { openRehearsal, openServer } from './destinations.ts';
import { entriesOf, sizeOfFiles } from './file-entries.ts';
import type { FileNotice } from './file-entries.ts';
import { openJournal } from './replay-journal.ts';
import type { Journal } from './replay-journal.ts';
import { batchLimits, createPace } from './pace.ts';
import { isFailedAt } from './patience.ts';
import type { Plan, PlanOptions } from './plan.ts';
import { batchOf, samePlan } from './plan.ts';
import { progressWords } from './progress.ts';
import { openReport } from './report.ts';
import type { Report } from './report.ts';
import { createShift } from './shift.ts';
import { addToSent, countWords, emptySent, summarise } from './summary.ts';
import type { Sent } from './summary.ts';

export interface SendOptions extends PlanOptions {
  readonly files: readonly string[];
  readonly dryRun: boolean;
  readonly failFast: boolean;
  readonly report: string | undefined;
  /** Items a second. */
  readonly rate: number | undefined;
  /** Keeps a journal; `resume` continues the existing journal. */
  readonly journal: { readonly resume: boolean } | undefined;
  /** Prefix of each batch's Idempotency-Key, where no journal supplies one. */
  readonly key: string;
  readonly listsTaken: boolean;
  readonly quiet: boolean;
  /** The command that resumes an interrupted run. */
  readonly goOn: string;
}

/** Most concurrent requests, where their order does not matter. */
const lanes = 4;

/** Sends the files and prints the summary. PARTIAL where an entry was refused. */
export async function sendFiles(context: Context, options: SendOptions): Promise<void> {
  checkStdin(options.files);
  // However large the file: V8 would rather let garbage pile up than use the processor, which has little to do here.
  setFlagsFromString('--optimize-for-size');
  const size = await sizeOfFiles(options.files);
  const server = options.dryRun ? undefined : await openServer(context);
  const report = options.report === undefined ? undefined : await openReport(options.report);
  const started = context.clock.now();
  const sent = emptySent(options.listsTaken);
  let journal: Journal | undefined;
  let isComplete = false;
  try {
    const prepared = await prepare(context, options, server?.url);
    ({ journal } = prepared);
    const { sourceSystem } = prepared.plan;
    const destination = server
      ? server.destination({
          key: journal?.run ?? options.key,
          sourceSystem,
          hasJournal: journal !== undefined,
        })
      : await openRehearsal(context);
    isComplete = await run(context, { ...prepared, options, destination, report, sent, size, started });
  } catch (error) {
    try {
      await report?.finish({ ...sent.tally, complete: false });
    } finally {
      await journal?.close();
    }
    throw withProgress(context, error, sent, options);
  }
  // The summary appears even where the report cannot be written: the entries are sent.
  try {
    await report?.finish({ ...sent.tally, complete: isComplete && sent.setAside === 0 });
  } finally {
    await (isComplete && sent.setAside === 0 ? journal?.remove() : journal?.close());
  }
  await summarise(context.io, sent, { ...options, elapsed: context.clock.now() - started });
}

/** USAGE where standard input is among the files twice. */
export function checkStdin(files: readonly string[]): void {
  if (files.filter(isStdin).length > 1) {
    throw new AppError('USAGE', { message: 'Standard input can be read only once.' });
  }
}

async function prepare(
  { io, clock, paths }: Context,
  options: SendOptions,
  server: string | undefined,
): Promise<{ plan: Plan; journal: Journal | undefined }> {
  const { read, batch, speed, shift, sourceSystem, acceptPatientChange, failFast } = options;
  const fresh: Plan = {
    read: { ...read, timeZone: read.timeZone ?? read.mapping?.time_zone ?? ownZone() },
    batch: batchOf(batch),
    most: batchLimits(batchOf(batch), options.rate, speed).items,
    failFast,
    ...(speed !== undefined && { speed }),
    ...(shift !== undefined && { shift: { wish: shift, now: clock.now() } }),
    ...(sourceSystem !== undefined && { sourceSystem }),
    ...(acceptPatientChange && { acceptPatientChange }),
  };
  if (!options.journal || server === undefined) return { plan: fresh, journal: undefined };
  const { journal, plan } = await openJournal({
    files: options.files,
    clock,
    stateDirectory: paths.state,
    server,
    resume: options.journal.resume,
    plan: (earlier) =>
      (earlier ? samePlan(earlier as unknown as Plan, options) : fresh) as unknown as Record<string, unknown>,
    onNotice: (words) => io.notice(words, 'faint'),
  });
  return { journal, plan: plan as unknown as Plan };
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

interface Run {
  readonly plan: Plan;
  readonly journal: Journal | undefined;
  readonly options: SendOptions;
  readonly destination: Destination;
  readonly report: Report | undefined;
  readonly sent: Sent;
  readonly size: number | undefined;
  readonly started: number;
}

/** Resolves to `false` where `--fail-fast` ended the run. */
async function run(
  { io, clock, signal }: Context,
  { plan, journal, options, destination, report, sent, size, started }: Run,
): Promise<boolean> {
  const { files, failFast, rate, dryRun } = options;
  const { read, most, speed, acceptPatientChange = false } = plan;
  const { span } = batchLimits(plan.batch, rate, speed);
  let bytes = 0;

  return io.progress('Reading', async (update) => {
    const entries = entriesOf({
      io,
      files,
      read,
      acceptsPatientChange: acceptPatientChange,
      shift: plan.shift && createShift(plan.shift.wish, plan.shift.now),
      showsFields: dryRun,
      onBytes: (count) => void (bytes += count),
      onNotice: noticesTo(io, sent),
    });
    const batches = batchesOf(entries, { items: most, span, endsAtUnread: plan.failFast });
    return sendBatches(batches, destination, {
      lanes: failFast || dryRun ? 1 : lanes,
      failFast,
      memory: journal,
      // Without a journal nobody would know what to send again.
      ...(journal && { setsAside: isFailedAt }),
      pace: createPace(clock, signal, { rate, speed }),
      signal,
      async onSent({ done, statuses, isRecalled }) {
        addToSent(sent, done, statuses);
        if (isRecalled) sent.recalled += done.length;
        await report?.add(done);
        const { tally, recalled } = sent;
        const elapsed = clock.now() - started;
        update(progressWords({ bytes, size, done: total(tally), recalled, refused: tally.refused, elapsed }));
      },
    });
  });
}

/**
 * Records and prints a notice only where its text differs from the last; with `--json` the document holds the notices.
 */
export function noticesTo(io: Io, { files }: Sent): (notice: FileNotice) => void {
  return (notice) => {
    if (notice.text === files.at(-1)?.text) return;
    files.push(notice);
    if (io.output === 'json') return;
    const width = io.output === 'table' ? io.width - 2 : Infinity;
    io.notice(wrap(`${nameOf(notice.file)}: ${notice.text}`, width).replaceAll('\n', '\n  '), 'faint');
  };
}

/** The same failure, with the progress so far and the command that resumes the run. */
function withProgress({ io }: Context, error: unknown, sent: Sent, { goOn, dryRun, journal }: SendOptions): unknown {
  if (!(error instanceof AppError)) return error;
  if (io.output !== 'json' && total(sent.tally) > 0) {
    io.notice(`Until then: ${countWords(sent, { dryRun, elapsed: 0 })}`, 'warn');
  }
  const { code, message, details, status, requestId, retryAfter, cause } = error;
  const isOurs = code === 'CONFIGURATION' || code === 'USAGE' || code === 'REQUEST_IN_PROGRESS' || dryRun;
  const isBegun = total(sent.tally) > 0 || journal !== undefined;
  const hint = isBegun && !isOurs ? [...(error.hint === undefined ? [] : [error.hint]), goOn].join(' ') : error.hint;
  return new AppError(code, {
    message,
    details: { ...details, done: sent.tally },
    cause,
    ...(hint !== undefined && { hint }),
    ...(status !== null && { status }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
