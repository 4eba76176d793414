/** The first stage of sending: decides what is sent and how, before anything is read. */
import { AppError } from '../../src/contract/errors.ts';
import { maxBatchItems } from '../../src/contract/worklist.ts';
import type { ReadOptions } from '../../src/files/worklist/reading.ts';
import type { Context } from '../context.ts';
import { batchLimits } from './pace.ts';
import { openJournal } from './replay-journal.ts';
import type { Journal, Plan } from './replay-journal.ts';

/** The parameters of a command. */
export interface SendRequest {
  readonly files: readonly string[];
  readonly dryRun: boolean;
  readonly failFast: boolean;
  readonly batches: BatchWishes;
  /** Items per second. */
  readonly rate: number | undefined;
  /** Keeps a journal; `resume` continues the existing journal. */
  readonly journal: { readonly resume: boolean } | undefined;
  /** Prefix of each batch's Idempotency-Key, if no journal supplies one. */
  readonly key: string;
}

/** The decisions, which the reading and sending stages follow. */
export interface SendingPlan extends Pick<SendRequest, 'files' | 'dryRun' | 'failFast' | 'rate' | 'key'> {
  readonly batches: BatchPlan;
  readonly journal: Journal | undefined;
}

/**
 * All values that determine the batches of the files. The replay journal stores the plan, so that resuming rebuilds the
 * same batches; hence its stored keys (`shift.wish` too) never change.
 */
export interface BatchPlan {
  readonly read: ReadOptions;
  /** Maximum items per request: the option's value, and the value after the pace's limit. */
  readonly batch: number;
  readonly maxItems: number;
  readonly speed?: number;
  readonly shift?: { readonly wish: number | 'now'; readonly now: number };
  readonly sourceSystem?: string;
  readonly acceptPatientChange?: true;
  readonly failFast: boolean;
}

/** `server`: the address of the receiving server; `undefined`: none. */
export async function planSending(
  context: Context,
  request: SendRequest,
  server: string | undefined,
): Promise<SendingPlan> {
  const fresh = freshPlan(context, request);
  if (!request.journal || server === undefined) return { ...request, batches: fresh, journal: undefined };
  const { io, clock, paths } = context;
  const { journal, plan } = await openJournal({
    files: request.files,
    clock,
    stateDirectory: paths.state,
    server,
    resume: request.journal.resume,
    plan: (earlier) => toStored(earlier ? samePlan(fromStored(earlier), request.batches) : fresh),
    onNotice: (words) => io.notice(words, 'faint'),
  });
  return { ...request, batches: fromStored(plan), journal, key: journal.run };
}

/** The plan as journals contain it, under the keys of the first version. */
const toStored = ({ maxItems: most, ...plan }: BatchPlan): Plan => ({ ...plan, most });
const fromStored = ({ most: maxItems, ...plan }: Plan): BatchPlan => ({ ...plan, maxItems }) as unknown as BatchPlan;

function freshPlan({ clock }: Context, { batches, rate, failFast }: SendRequest): BatchPlan {
  const { read, batch: wanted, speed, shift, sourceSystem, acceptPatientChange } = batches;
  const batch = checkBatchSize(wanted);
  return {
    read: { ...read, timeZone: read.timeZone ?? read.mapping?.time_zone ?? ownZone() },
    batch,
    maxItems: batchLimits(batch, rate, speed).items,
    failFast,
    ...(speed !== undefined && { speed }),
    ...(shift !== undefined && { shift: { wish: shift, now: clock.now() } }),
    ...(sourceSystem !== undefined && { sourceSystem }),
    ...(acceptPatientChange && { acceptPatientChange }),
  };
}

const ownZone = (): string => new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** USAGE if the batch exceeds the limit of a request. */
function checkBatchSize(batch: number | undefined): number {
  if (batch === undefined) return maxBatchItems;
  if (batch >= 1 && batch <= maxBatchItems) return batch;
  throw new AppError('USAGE', { message: `--batch takes 1 to ${maxBatchItems} items.` });
}

/** Names of the options whose part of the plan a resumed replay can't change. */
const optionOf: Readonly<Record<string, string>> = {
  format: '--format',
  encoding: '--encoding',
  delimiter: '--delimiter',
  decimal: '--decimal',
  dateOrder: '--date-order',
  timeZone: '--time-zone',
  mapping: '--mapping (or --map, --skip-rows)',
  batch: '--batch',
  speed: '--speed',
  shift: '--shift',
  sourceSystem: '--source-system',
  acceptPatientChange: '--accept-patient-change',
};

/** The options of the command line about batches. */
export interface BatchWishes {
  readonly read: ReadOptions;
  readonly batch: number | undefined;
  readonly speed: number | undefined;
  readonly shift: number | 'now' | undefined;
  readonly sourceSystem: string | undefined;
  readonly acceptPatientChange: boolean;
}

/** The plan of a resumed run. CONFIGURATION if an option contradicts the earlier run. */
function samePlan(earlier: BatchPlan, { read, acceptPatientChange, ...options }: BatchWishes): BatchPlan {
  const { batch, speed, shift, sourceSystem } = options;
  const accepts = acceptPatientChange || undefined;
  const said: Record<string, unknown> = { ...read, batch, speed, shift, sourceSystem, acceptPatientChange: accepts };
  const { shift: moved, ...others } = earlier;
  const done: Record<string, unknown> = { ...earlier.read, ...others, shift: moved?.wish };
  for (const [name, value] of Object.entries(said)) {
    if (value === undefined || JSON.stringify(value) === JSON.stringify(done[name])) continue;
    throw new AppError('CONFIGURATION', {
      message: `The earlier replay had another ${optionOf[name] ?? name}.`,
      hint: `Leave ${optionOf[name] ?? 'it'} out to continue, or leave out --resume to start again.`,
    });
  }
  return earlier;
}
