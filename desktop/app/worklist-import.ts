/** A worklist file that a person gives to the app: sent while it is read, and told of place by place. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import { allRefused } from '../../src/client/ingest-refusals.ts';
import { AppError } from '../../src/contract/errors.ts';
import { maxBatchBytes, maxBatchItems } from '../../src/contract/worklist.ts';
import type { IngestResult, WorklistItemInput } from '../../src/contract/worklist.ts';
import { problem } from '../../src/worklist-files/reading.ts';
import type { ItemReading, Position, Reading } from '../../src/worklist-files/reading.ts';
import { readWorklist } from '../../src/worklist-files/worklist-file.ts';
import { mostWorklistBytes } from '../bridge.ts';
import type { ImportRemark, ImportResult } from '../bridge.ts';

export interface ImportDeps {
  readonly worklists: Pick<Client['worklists'], 'ingest'>;
  /** Brings the list up to date, once everything was sent. */
  refresh(): Promise<void>;
  /**
   * Cancels an exam that was taken, by its id where the answer told it. `false`: it was cancelled before. Throws what the
   * service says.
   */
  cancel(id: string | undefined, item: ItemReading['item']): Promise<boolean>;
}

/** More remarks than this nobody reads; the rest is counted. */
const toldInFull = 50;

/** What became of the file until now. */
interface Account {
  readonly counts: Record<'inserted' | 'updated' | 'deduped' | 'cancelled', number>;
  readonly refused: { count: number; readonly first: ImportRemark[] };
  readonly noted: { count: number; readonly first: ImportRemark[] };
  readonly cancellations: { readonly id: string | undefined; readonly reading: ItemReading }[];
}

/**
 * Sends the exams of a file in requests of the size that the service takes, then cancels those that the file says are
 * cancelled. Throws what readWorklist and the service say while nothing was taken yet; after that, it is told in the
 * result. PAYLOAD_TOO_LARGE, and VALIDATION_FAILED where there is no exam in it.
 */
export async function importFile(bytes: Uint8Array, deps: ImportDeps): Promise<ImportResult> {
  if (bytes.length > mostWorklistBytes) throw new AppError('PAYLOAD_TOO_LARGE');
  const file = await readWorklist(inTurns(bytes));
  const account: Account = {
    counts: { inserted: 0, updated: 0, deduped: 0, cancelled: 0 },
    refused: { count: 0, first: [] },
    noted: { count: 0, first: [] },
    cancellations: [],
  };
  const stopped = await sendAll(file.readings, account, deps);
  if (isEmpty(account)) throw new AppError('VALIDATION_FAILED', { message: 'The file holds no exams.' });
  await deps.refresh();
  for (const cancellation of account.cancellations) await cancelOne(cancellation, account, deps);
  const { counts, refused, noted } = account;
  return {
    format: file.format,
    guesses: file.guesses.map(({ what, value }) => ({ what, value })),
    ...counts,
    refused,
    noted,
    stopped: stopped ? { message: stopped.message } : null,
  };
}

/** Between two pieces others have their turn: a dictation may be under way. */
async function* inTurns(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const size = 64 * 1024;
  for (let at = 0; at < bytes.length; at += size) {
    await nextTurn();
    yield bytes.subarray(at, at + size);
  }
}

const isEmpty = ({ counts, refused }: Account): boolean =>
  counts.inserted + counts.updated + counts.deduped + refused.count === 0;

/** Gives what ended it before the end of the file. */
async function sendAll(
  readings: AsyncIterable<Reading>,
  account: Account,
  deps: ImportDeps,
): Promise<AppError | undefined> {
  try {
    for await (const batch of batchesOf(readings)) await send(batch, account, deps);
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || isEmpty(account)) throw error;
    return error;
  }
}

async function* batchesOf(readings: AsyncIterable<Reading>): AsyncGenerator<readonly Reading[]> {
  let batch: Reading[] = [];
  // The brackets of the array; each item brings a comma.
  let size = 2;
  for await (const reading of readings) {
    const needed = reading.kind === 'item' ? Buffer.byteLength(JSON.stringify(reading.item)) + 1 : 0;
    if (batch.length === maxBatchItems || (size > 2 && needed > 0 && size + needed > maxBatchBytes)) {
      yield batch;
      batch = [];
      size = 2;
    }
    const fits = size + needed <= maxBatchBytes;
    batch.push(fits ? reading : tooLarge(reading.position));
    if (fits) size += needed;
  }
  if (batch.length > 0) yield batch;
}

const tooLarge = (position: Position): Reading =>
  problem(
    position,
    `The item is larger than ${maxBatchBytes / (1024 * 1024)} MiB.`,
    'Leave out what is not needed of it.',
  );

async function send(batch: readonly Reading[], account: Account, { worklists }: ImportDeps): Promise<void> {
  const items = batch.flatMap((reading) => (reading.kind === 'item' ? [reading.item] : []));
  const { errors, items: outcomes } = await answerTo(items, worklists);
  const refused = new Map(errors.map((error) => [error.index, error]));
  const taken = outcomes.values();
  let index = 0;
  for (const reading of batch) {
    if (reading.kind === 'problem') {
      note(account.refused, reading.position, null, reading.message, reading.hint);
      continue;
    }
    const accession = accessionOf(reading);
    const error = refused.get(index++);
    if (error) {
      note(account.refused, reading.position, error.field === 'accession_number' ? null : accession, error.message);
      continue;
    }
    const { value: outcome } = taken.next();
    if (!outcome)
      throw new AppError('BAD_ANSWER', { message: 'The answer does not tell of every item that was sent.' });
    account.counts[outcome.status] += 1;
    for (const warning of reading.warnings ?? []) note(account.noted, reading.position, accession, warning);
    if (reading.status === 'cancelled') account.cancellations.push({ id: outcome.id, reading });
  }
}

/** The refusal of a whole batch is an answer as well. */
async function answerTo(
  items: readonly ItemReading['item'][],
  worklists: ImportDeps['worklists'],
): Promise<Pick<IngestResult, 'items'> & { readonly errors: NonNullable<ReturnType<typeof allRefused>> }> {
  if (items.length === 0) return { items: [], errors: [] };
  try {
    // What the file says is the service's to check.
    return (await worklists.ingest({ body: items as WorklistItemInput[] })).data;
  } catch (error) {
    const errors = error instanceof AppError ? allRefused(error, items.length) : undefined;
    if (!errors) throw error;
    return { items: [], errors };
  }
}

async function cancelOne(
  { id, reading }: Account['cancellations'][number],
  { counts, noted }: Account,
  { cancel }: ImportDeps,
): Promise<void> {
  try {
    if (await cancel(id, reading.item)) counts.cancelled += 1;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    note(noted, reading.position, accessionOf(reading), `It was not cancelled: ${error.message}`);
  }
}

function accessionOf({ item }: ItemReading): string | null {
  const { accession_number: accession } = item;
  return typeof accession === 'string' ? accession.trim() || null : null;
}

function note(
  remarks: Account['refused'],
  { line, message, item, offset }: Position,
  accession: string | null,
  said: string,
  hint?: string,
): void {
  remarks.count += 1;
  if (remarks.first.length >= toldInFull) return;
  remarks.first.push({
    place: {
      ...(line !== undefined && { line }),
      ...(message !== undefined && { message }),
      ...(item !== undefined && { item }),
      ...(offset !== undefined && { offset }),
    },
    accession_number: accession,
    message: said,
    ...(hint !== undefined && { hint }),
  });
}
