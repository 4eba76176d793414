/**
 * Sends worklist files in three stages: a plan (plan.ts), the entries of the files (file-entries.ts) in batches, and
 * their outcomes. Maintains the report and the journal, and prints the summary. `ingest` and `replay` both call
 * `sendFiles`.
 */
import { setFlagsFromString } from 'node:v8';
import { AppError } from '../../src/contract/errors.ts';
import { groupIntoBatches } from '../../src/sending/batches.ts';
import { total } from '../../src/sending/outcomes.ts';
import { sendBatches } from '../../src/sending/send.ts';
import type { Destination } from '../../src/sending/send.ts';
import type { Context } from '../context.ts';
import { isStdin, nameOf } from '../shell/input-file.ts';
import type { Io } from '../shell/io.ts';
import { restate } from '../shell/restate.ts';
import { wrap } from '../shell/table.ts';
import { openRehearsal, openServer } from './destinations.ts';
import { readEntries, sizeOfFiles } from './file-entries.ts';
import type { FileNotice } from './file-entries.ts';
import { batchLimits, createPace } from './pace.ts';
import { isFailedAt } from './retry.ts';
import { planSending } from './plan.ts';
import type { SendRequest, SendingPlan } from './plan.ts';
import { progressWords } from './progress.ts';
import { openReport } from './report.ts';
import type { Report } from './report.ts';
import { createShift } from './shift.ts';
import { addToSent, countWords, emptySent, summarise } from './summary.ts';
import type { SendResult, SummaryOptions } from './summary.ts';

export interface SendFilesOptions extends SendRequest, Pick<SummaryOptions, 'quiet' | 'goOn'> {
  /** The path for the report of every entry. */
  readonly report: string | undefined;
  readonly listsTaken: boolean;
}

/** Maximum number of concurrent requests, if their order does not matter. */
const lanes = 4;

/** Sends the files and prints the summary. PARTIAL if an entry was refused. */
export async function sendFiles(context: Context, options: SendFilesOptions): Promise<void> {
  checkStdin(options.files);
  // Limits memory for large files: V8 would otherwise let garbage accumulate to save processor time, of which there is
  // plenty here.
  setFlagsFromString('--optimize-for-size');
  const size = await sizeOfFiles(options.files);
  const server = options.dryRun ? undefined : await openServer(context);
  const account: Account = {
    report: options.report === undefined ? undefined : await openReport(options.report),
    sent: emptySent(options.listsTaken),
    started: context.clock.now(),
    size,
    bytes: 0,
  };
  let plan: SendingPlan | undefined;
  let isComplete = false;
  try {
    plan = await planSending(context, options, server?.url);
    const destination = server?.destination(plan) ?? (await openRehearsal(context));
    isComplete = await send(context, plan, destination, account);
  } catch (error) {
    try {
      await finishReport(account, false);
    } finally {
      await plan?.journal?.close();
    }
    throw withProgress(context, error, account, options);
  }
  isComplete &&= account.sent.setAside === 0;
  // The summary appears even if the report can't be written: the entries are sent.
  try {
    await finishReport(account, isComplete);
  } finally {
    await (isComplete ? plan.journal?.remove() : plan.journal?.close());
  }
  await summarise(context.io, account.sent, { ...options, elapsed: measureElapsed(context, account) });
}

/** USAGE if standard input is among the files twice. */
export function checkStdin(files: readonly string[]): void {
  if (files.filter(isStdin).length > 1) {
    throw new AppError('USAGE', { message: 'Standard input can be read only once.' });
  }
}

/** The progress of reading and sending. */
interface Account {
  readonly report: Report | undefined;
  readonly sent: SendResult;
  /** In ms, by the clock of the context. */
  readonly started: number;
  /** Bytes of all files; `undefined`: unknown. */
  readonly size: number | undefined;
  bytes: number;
}

const measureElapsed = ({ clock }: Context, { started }: Account): number => clock.now() - started;

const finishReport = async ({ report, sent }: Account, complete: boolean): Promise<void> =>
  report?.finish({ ...sent.tally, complete });

/** The second stage: the entries of the files, in the batches of the plan. */
function readBatches({ io }: Context, { files, dryRun, batches, rate }: SendingPlan, account: Account) {
  const { read, maxItems, speed, shift, acceptPatientChange = false, failFast } = batches;
  const entries = readEntries({
    io,
    files,
    read,
    acceptsPatientChange: acceptPatientChange,
    shift: shift && createShift(shift.wish, shift.now),
    showsFields: dryRun,
    onBytes: (count) => void (account.bytes += count),
    onNotice: noticesTo(io, account.sent),
  });
  const { span } = batchLimits(batches.batch, rate, speed);
  return groupIntoBatches(entries, { items: maxItems, span, endsAtUnread: failFast });
}

/** The third stage. Resolves to `false` if `--fail-fast` ended the run. */
function send(context: Context, plan: SendingPlan, destination: Destination, account: Account): Promise<boolean> {
  const { io, clock, signal } = context;
  const { journal, failFast, dryRun, rate, batches } = plan;
  const { sent, report, size } = account;
  return io.progress('Reading', (update) =>
    sendBatches(readBatches(context, plan, account), destination, {
      lanes: failFast || dryRun ? 1 : lanes,
      failFast,
      memory: journal,
      // Without a journal, the failed entries could not be resent.
      ...(journal && { setsAside: isFailedAt }),
      pace: createPace(clock, signal, { rate, speed: batches.speed }),
      signal,
      async onSent({ done, statuses, isRecalled }) {
        addToSent(sent, done, statuses);
        if (isRecalled) sent.recalled += done.length;
        await report?.add(done);
        const { tally, recalled } = sent;
        const elapsed = measureElapsed(context, account);
        const { bytes } = account;
        update(progressWords({ bytes, size, done: total(tally), recalled, refused: tally.refused, elapsed }));
      },
    }),
  );
}

/**
 * Records and prints a notice only if its text differs from the last; with `--json` the document contains the notices.
 */
export function noticesTo(io: Io, { files }: SendResult): (notice: FileNotice) => void {
  return (notice) => {
    if (notice.text === files.at(-1)?.text) return;
    files.push(notice);
    if (io.output === 'json') return;
    const width = io.output === 'table' ? io.width - 2 : Infinity;
    io.notice(wrap(`${nameOf(notice.file)}: ${notice.text}`, width).replaceAll('\n', '\n  '), 'faint');
  };
}

/** The same failure, with the progress so far and the command that resumes the run. */
function withProgress(
  { io }: Context,
  error: unknown,
  { sent }: Account,
  { goOn, dryRun, journal }: SendFilesOptions,
): unknown {
  if (!(error instanceof AppError)) return error;
  if (io.output !== 'json' && total(sent.tally) > 0) {
    io.notice(`Until then: ${countWords(sent, { dryRun, elapsed: 0 })}`, 'warn');
  }
  const { code } = error;
  const isOurs = code === 'CONFIGURATION' || code === 'USAGE' || code === 'REQUEST_IN_PROGRESS' || dryRun;
  const isBegun = total(sent.tally) > 0 || journal !== undefined;
  const hint = isBegun && !isOurs ? [...(error.hint === undefined ? [] : [error.hint]), goOn].join(' ') : error.hint;
  return restate(error, hint, { done: sent.tally });
}
