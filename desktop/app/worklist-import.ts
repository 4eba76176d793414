/** A worklist file that a person gives to the app: sent while it is read, and told of place by place. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '../../src/client/client.ts';
import { allRefused } from '../../src/client/ingest-refusals.ts';
import { AppError } from '../../src/contract/errors.ts';
import { maxBatchBytes, maxBatchItems } from '../../src/contract/worklist.ts';
import type { IngestOutcome, IngestResult, WorklistItemInput } from '../../src/contract/worklist.ts';
import type { FormatName } from '../../src/worklist-files/formats.ts';
import { problem } from '../../src/worklist-files/reading.ts';
import type { ItemReading, Position, Reading } from '../../src/worklist-files/reading.ts';
import { asSent, isWorthALook, lastWishes, wishOf } from '../../src/worklist-files/sending.ts';
import type { OrderWish } from '../../src/worklist-files/sending.ts';
import { readWorklist } from '../../src/worklist-files/worklist-file.ts';
import { mostWorklistBytes } from '../bridge.ts';
import type { ImportRemark, ImportResult } from '../bridge.ts';

export interface ImportDeps {
  readonly worklists: Pick<Client['worklists'], 'ingest'>;
  /** Brings the list up to date, once everything was sent. */
  refresh(): Promise<void>;
  /**
   * Cancels an exam that was taken, or brings it back, and says what became of it; `kept`: another order of it stands.
   * `id` where the answer told it. Throws what the service says.
   */
  follow(
    wish: OrderWish,
    id: string | undefined,
    item: ItemReading['item'],
  ): Promise<'cancelled' | 'new' | 'unchanged' | 'kept'>;
}

/** More remarks than this nobody reads; the rest is counted. */
const toldInFull = 50;

/** What became of the file until now. */
interface Account {
  readonly counts: Record<'inserted' | 'updated' | 'deduped' | 'cancelled' | 'reinstated', number>;
  readonly refused: { count: number; readonly first: ImportRemark[] };
  readonly noted: { count: number; readonly first: ImportRemark[] };
  readonly wishes: Wish[];
}

/** What the file says of the order of an exam that was taken. */
interface Wish {
  readonly wish: OrderWish;
  readonly reading: ItemReading;
  readonly outcome: IngestOutcome;
}

/**
 * Sends the exams of a file in requests of the size that the service takes, then cancels those that the file says are
 * cancelled, and brings back those that were ordered anew. Throws what readWorklist and the service say while nothing was taken yet; after that, it is told in the
 * result. PAYLOAD_TOO_LARGE, and VALIDATION_FAILED where there is no exam in it.
 */
export async function importFile(bytes: Uint8Array, deps: ImportDeps): Promise<ImportResult> {
  if (bytes.length > mostWorklistBytes) throw new AppError('PAYLOAD_TOO_LARGE');
  const file = await readWorklist(inTurns(bytes));
  const account: Account = {
    counts: { inserted: 0, updated: 0, deduped: 0, cancelled: 0, reinstated: 0 },
    refused: { count: 0, first: [] },
    noted: { count: 0, first: [] },
    wishes: [],
  };
  const stopped = await sendAll(readyToSend(file.readings, file.format), account, deps);
  if (isEmpty(account)) throw new AppError('VALIDATION_FAILED', { message: 'The file holds no exams.' });
  await deps.refresh();
  const last = lastWishes(account.wishes, ({ outcome, reading: { item } }) =>
    String(outcome.accession_number ?? `study ${String(item['study_uid'])}`),
  );
  for (const wish of last) await followOne(wish, account, deps);
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

async function* readyToSend(readings: AsyncIterable<Reading>, format: FormatName): AsyncGenerator<Reading> {
  for await (const reading of readings) {
    yield reading.kind === 'item' ? { ...reading, item: asSent(reading, { format }) } : reading;
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
      const { hint } = reading;
      note(account.refused, reading.position, null, reading.message, hint === undefined ? {} : { hint });
      continue;
    }
    const accession = accessionOf(reading);
    const error = refused.get(index++);
    if (error) {
      const named = error.field === 'accession_number' ? null : accession;
      note(account.refused, reading.position, named, error.message, { code: error.error });
      continue;
    }
    const { value: outcome } = taken.next();
    if (!outcome)
      throw new AppError('BAD_ANSWER', { message: 'The answer does not tell of every item that was sent.' });
    account.counts[outcome.status] += 1;
    for (const warning of reading.warnings ?? []) note(account.noted, reading.position, accession, warning);
    const wish = wishOf(reading);
    for (const { code, message } of outcome.warnings ?? []) {
      // Of a file that tells of orders, it is told what became of them.
      if (code !== 'EXAM_CANCELLED' || !wish) note(account.noted, reading.position, accession, message, { code });
    }
    if (wish) account.wishes.push({ wish, reading, outcome });
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

async function followOne(
  { wish, reading, outcome }: Wish,
  { counts, noted }: Account,
  { follow }: ImportDeps,
): Promise<void> {
  if (!isWorthALook(wish, outcome)) return;
  const tell = (message: string): void => note(noted, reading.position, accessionOf(reading), message);
  try {
    const done = await follow(wish, outcome.id, reading.item);
    if (done === 'cancelled') counts.cancelled += 1;
    if (done === 'new') counts.reinstated += 1;
    if (done === 'kept') tell('It was not cancelled: another order of the exam stands.');
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    tell(`It was not ${wish.status === 'cancelled' ? 'cancelled' : 'reinstated'}: ${error.message}`);
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
  more: Pick<ImportRemark, 'code' | 'hint'> = {},
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
    ...more,
  });
}
