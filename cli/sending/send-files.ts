/** Sends worklist files: reads, groups, sends, remembers, tells. What `ingest` and `replay` are made of. */
import { setFlagsFromString } from 'node:v8';
import type { Client } from '../../src/client/client.ts';
import { allRefused } from '../../src/client/ingest-refusals.ts';
import { AppError } from '../../src/contract/errors.ts';
import { contract } from '../../src/contract/index.ts';
import type { IngestResult } from '../../src/contract/worklist.ts';
import type { Context } from '../context.ts';
import { isStdin, nameOf } from '../input-file.ts';
import type { Io } from '../io.ts';
import { patientSession } from '../patient-session.ts';
import { wrap } from '../render.ts';
import { batchesOf } from './batches.ts';
import type { Batch } from './batches.ts';
import { entriesOf, sizeOfFiles } from './entries.ts';
import type { FileNotice } from './entries.ts';
import { openJournal } from './journal.ts';
import type { Journal } from './journal.ts';
import { inLanes } from './lanes.ts';
import { doneOf, isRefused, outcomesOf, refusalOf, total } from './outcomes.ts';
import type { Done, Outcome } from './outcomes.ts';
import { batchLimits, createPace } from './pace.ts';
import { createPatience } from './patience.ts';
import type { Plan, Wishes } from './plan.ts';
import { batchOf, samePlan } from './plan.ts';
import { progressWords } from './progress.ts';
import { openReport } from './report.ts';
import type { Report } from './report.ts';
import { createShift } from './shift.ts';
import { applyStatuses } from './statuses.ts';
import type { StatusOutcome } from './statuses.ts';
import { addToSent, countWords, emptySent, summarise } from './summary.ts';
import type { Sent } from './summary.ts';

export interface SendOptions extends Wishes {
  readonly files: readonly string[];
  readonly dryRun: boolean;
  readonly failFast: boolean;
  readonly report: string | undefined;
  /** Items a second. */
  readonly rate: number | undefined;
  /** Keeps a journal; `resume` goes on with the one that is there. */
  readonly journal: { readonly resume: boolean } | undefined;
  /** Begins the Idempotency-Key of each batch, where no journal does. */
  readonly key: string;
  readonly listsTaken: boolean;
  readonly quiet: boolean;
  /** How to go on after a break. */
  readonly goOn: string;
}

/** Requests under way at once, where their order does not matter. */
const lanes = 4;

/** What a batch comes to: by the server, or in a rehearsal. */
interface Destination {
  send(batch: Batch, key: string): Promise<Outcome[]>;
  /** Does what the file says of orders that were cancelled, or placed anew. */
  follow(done: readonly Done[]): Promise<StatusOutcome[]>;
}

/** Sends the files and prints what became of them. PARTIAL where something was refused. */
export async function sendFiles(context: Context, options: SendOptions): Promise<void> {
  if (options.files.filter(isStdin).length > 1) {
    throw new AppError('USAGE', { message: 'Standard input can be read only once.' });
  }
  // However large the file: V8 would rather let garbage pile up than use the processor, which has little to do here.
  setFlagsFromString('--optimize-for-size');
  const size = await sizeOfFiles(options.files);
  const server = options.dryRun ? undefined : await openServer(context, options);
  const report = options.report === undefined ? undefined : await openReport(options.report);
  const started = context.clock.now();
  const sent = emptySent(options.listsTaken);
  let journal: Journal | undefined;
  let isComplete = false;
  try {
    const prepared = await prepare(context, options, server?.url);
    ({ journal } = prepared);
    const destination = server ? server.destination(prepared.plan) : await rehearsal(context);
    isComplete = await run(context, { ...prepared, options, destination, report, sent, size, started });
  } catch (error) {
    await report?.finish({ ...sent.tally, complete: false });
    await journal?.close();
    throw withProgress(context, error, sent, options);
  }
  await report?.finish({ ...sent.tally, complete: isComplete });
  await (isComplete ? journal?.remove() : journal?.close());
  await summarise(context.io, sent, { ...options, elapsed: context.clock.now() - started });
}

async function prepare(
  { io, clock, paths }: Context,
  options: SendOptions,
  server: string | undefined,
): Promise<{ plan: Plan; journal: Journal | undefined }> {
  const { read, batch, speed, shift, sourceSystem, acceptPatientChange, failFast } = options;
  const fresh: Plan = {
    read: { timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone, ...read },
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

/** `false` where `--fail-fast` ended it. */
async function run(
  { io, clock, signal }: Context,
  { plan, journal, options, destination, report, sent, size, started }: Run,
): Promise<boolean> {
  const { files, failFast, rate } = options;
  const key = journal?.run ?? options.key;
  const { span } = batchLimits(plan.batch, rate, plan.speed);
  const pace = createPace(clock, signal, { rate, speed: plan.speed });
  const inOrder = createReordering();
  let bytes = 0;
  let isEnded = false;

  return io.progress('Reading', async (update) => {
    const shift = plan.shift && createShift(plan.shift.wish, plan.shift.now);
    const onBytes = (count: number) => void (bytes += count);
    const entries = entriesOf({
      io,
      files,
      read: plan.read,
      acceptsPatientChange: plan.acceptPatientChange ?? false,
      shift,
      onBytes,
      onNotice: noticesTo(io, sent),
    });
    const finish = (batch: Batch, done: readonly Done[], statuses: readonly StatusOutcome[], isRecalled: boolean) =>
      inOrder(batch.number, async () => {
        addToSent(sent, done, statuses);
        if (isRecalled) sent.recalled += done.length;
        await report?.add(done);
        const { tally, recalled } = sent;
        update(
          progressWords({
            bytes,
            size,
            done: total(tally),
            recalled,
            refused: tally.refused,
            elapsed: clock.now() - started,
          }),
        );
      });
    await inLanes(
      batchesOf(entries, { items: plan.most, span, endsAtUnread: plan.failFast }),
      failFast || options.dryRun ? 1 : lanes,
      async (batch) => {
        if (signal.aborted) throw new AppError('INTERRUPTED');
        const known = journal?.recall(batch);
        if (known) {
          await finish(batch, doneOf(batch, known.outcomes), known.statuses, true);
          return true;
        }
        await pace(batch);
        const done = doneOf(
          batch,
          batch.items.length === 0 ? [] : await destination.send(batch, `${key}.${batch.number}`),
        );
        const statuses = await destination.follow(done);
        if (batch.items.length > 0) await journal?.record(batch, done, statuses);
        await finish(batch, done, statuses, false);
        isEnded ||= failFast && done.some(isRefused);
        return !isEnded;
      },
    );
    return !isEnded;
  });
}

/** Batches are answered in any order and told in that of the files. */
function createReordering(): (number: number, tell: () => Promise<void>) => Promise<void> {
  const waiting = new Map<number, () => Promise<void>>();
  let next = 1;
  let telling: Promise<void> = Promise.resolve();
  return (number, tell) => {
    waiting.set(number, tell);
    for (let due = waiting.get(next); due; due = waiting.get(++next)) {
      waiting.delete(next);
      telling = telling.then(due);
    }
    return telling;
  };
}

/** Of many files only what is new is told; with `--json` it stands in the document. */
function noticesTo(io: Io, { files }: Sent): (told: FileNotice) => void {
  return (told) => {
    if (told.text === files.at(-1)?.text) return;
    files.push(told);
    if (io.output === 'json') return;
    const width = io.output === 'table' ? io.width - 2 : Infinity;
    io.notice(wrap(`${nameOf(told.file)}: ${told.text}`, width).replaceAll('\n', '\n  '), 'faint');
  };
}

/** By its own session: this waits itself, for longer than a single call would. */
async function openServer(
  context: Context,
  options: SendOptions,
): Promise<{ url: string; destination: (plan: Plan) => Destination }> {
  const { io, clock, signal, settings } = context;
  const session = await patientSession(context);
  const patience = createPatience({
    clock,
    signal,
    random: Math.random,
    retries: settings.retries,
    onWait: (words) => io.notice(words, 'warn'),
  });
  const { worklists }: Pick<Client, 'worklists'> = session.client;
  return {
    url: session.server,
    destination({ sourceSystem }) {
      const headers: Record<string, string> = sourceSystem === undefined ? {} : { 'X-Source-System': sourceSystem };
      return {
        async send({ body, items }, idempotencyKey) {
          const call = () =>
            session.call(contract.worklists.endpoints.ingest, { json: body }, { signal, headers, idempotencyKey });
          return answered(
            items.length,
            async () => ((await patience(call)) as { data: unknown }).data as IngestResult,
            options,
          );
        },
        follow: (done) => applyStatuses({ worklists, patience, signal, headers }, done),
      };
    },
  };
}

/** The rules for test clients hold where the login in use is one. */
async function rehearsal({ clock, paths, settings }: Context): Promise<Destination> {
  const [{ createRehearsal }, { createProfiles }] = await Promise.all([
    import('../../server/index.ts'),
    import('../../src/node/profiles.ts'),
  ]);
  const profile = await createProfiles(paths.config, clock).get(settings.profile);
  const rehearse = createRehearsal(clock, profile?.test_mode ?? false);
  return {
    send: ({ body, items }) =>
      answered(items.length, () => rehearse(JSON.parse(Buffer.from(body).toString()) as unknown[])),
    follow: async () => [],
  };
}

/** The outcomes that an answer tells, be it a success or the refusal of every item. */
async function answered(count: number, ask: () => Promise<IngestResult>, options?: SendOptions): Promise<Outcome[]> {
  try {
    return outcomesOf(await ask(), count);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'IDEMPOTENCY_KEY_REUSED' && options?.journal) {
      throw new AppError('CONFIGURATION', {
        message: 'The file was changed since the earlier replay.',
        hint: 'Begin anew, without --resume: what was taken is recognised.',
      });
    }
    const refused = allRefused(error, count);
    if (!refused) throw error;
    return refused.map(({ error: code, field, message }) => refusalOf(code, field, message));
  }
}

/** The same failure, with what was done before it and how to go on. */
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
