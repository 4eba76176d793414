/** A worklist file that a person gives to the app: sent while it is read, and told of place by place. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Client } from '../../../src/client/client.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { maxBatchItems } from '../../../src/contract/worklist.ts';
import { batchesOf } from '../../../src/sending/batches.ts';
import { contentOf } from '../../../src/sending/entries.ts';
import type { Content } from '../../../src/sending/entries.ts';
import { followOrders } from '../../../src/sending/follow-orders.ts';
import type { StatusOutcome, StoredExams } from '../../../src/sending/follow-orders.ts';
import { accessionOf, emptyTally, hasOrder, isRefused, total, warningsOf } from '../../../src/sending/outcomes.ts';
import type { Done, Tally } from '../../../src/sending/outcomes.ts';
import { sendBatches } from '../../../src/sending/send.ts';
import { readWorklist } from '../../../src/worklist-files/worklist-file.ts';
import type { WorklistFile } from '../../../src/worklist-files/worklist-file.ts';
import { maxWorklistBytes } from '../../bridge/worklist-import.ts';
import type { ImportRemark, ImportResult } from '../../bridge/worklist-import.ts';

export interface ImportDeps {
  readonly worklists: Pick<Client['worklists'], 'ingest'>;
  /** Brings the list up to date, once everything was sent. */
  refresh(): Promise<void>;
  /** The exams of that list. */
  readonly exams: StoredExams;
}

/** More remarks than this nobody reads; the rest is counted. */
const toldInFull = 50;

interface Remarks {
  count: number;
  readonly first: ImportRemark[];
}

/** What became of the file until now. */
interface Account {
  readonly tally: Tally;
  readonly orders: { cancelled: number; reinstated: number };
  readonly refused: Remarks;
  readonly noted: Remarks;
  /** What was taken, and of whose orders the file tells. */
  readonly ordered: Done[];
}

/**
 * Sends the exams of a file in requests of the size that the service takes, then cancels those that the file says are
 * cancelled, and brings back those that were ordered anew. Throws what readWorklist and the service say while nothing was
 * answered yet; after that, the result tells it. PAYLOAD_TOO_LARGE, and VALIDATION_FAILED where there is no exam in it.
 */
export async function importFile(bytes: Uint8Array, deps: ImportDeps): Promise<ImportResult> {
  if (bytes.length > maxWorklistBytes) throw new AppError('PAYLOAD_TOO_LARGE');
  const file = await readWorklist(inTurns(bytes));
  const account: Account = {
    tally: emptyTally(),
    orders: { cancelled: 0, reinstated: 0 },
    refused: { count: 0, first: [] },
    noted: { count: 0, first: [] },
    ordered: [],
  };
  const stopped = await sendAll(file, account, deps);
  if (isEmpty(account)) throw new AppError('VALIDATION_FAILED', { message: 'The file holds no exams.' });
  await deps.refresh();
  for (const outcome of await followOrders(deps.exams, account.ordered)) noteStatus(account, outcome);
  const { tally, orders, refused, noted } = account;
  return {
    format: file.format,
    guesses: file.guesses.map(({ what, value }) => ({ what, value })),
    inserted: tally.inserted,
    updated: tally.updated,
    deduped: tally.deduped,
    ...orders,
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

async function* contentsOf({ readings, format }: WorklistFile): AsyncGenerator<Content> {
  let index = 0;
  for await (const reading of readings) yield contentOf(reading, { file: '', index: index++ }, { format });
}

const isEmpty = ({ tally }: Account): boolean => total(tally) === 0;

/** Gives what ended it before the end of the file. */
async function sendAll(file: WorklistFile, account: Account, { worklists }: ImportDeps): Promise<AppError | undefined> {
  const batches = batchesOf(contentsOf(file), { items: maxBatchItems, span: Infinity, endsAtUnread: false });
  const destination = {
    ingest: async ({ body }: { body: Uint8Array }) => (await worklists.ingest({ json: body })).data,
  };
  try {
    // One after the other: a person's own work goes over the same connection.
    await sendBatches(batches, destination, {
      lanes: 1,
      onSent: ({ done }) => {
        for (const each of done) noteEntry(account, each);
      },
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof AppError) || isEmpty(account)) throw error;
    return error;
  }
}

function noteEntry({ tally, refused, noted, ordered }: Account, done: Done): void {
  tally[done.outcome.outcome] += 1;
  if (isRefused(done)) {
    const { message, hint, code } = done.outcome;
    note(refused, done, message, { ...(hint !== undefined && { hint }), ...(code && { code }) });
    return;
  }
  for (const { message, code } of warningsOf(done)) note(noted, done, message, code ? { code } : {});
  if (hasOrder(done)) ordered.push(done);
}

function noteStatus({ orders, noted, ordered }: Account, status: StatusOutcome): void {
  const { index, outcome, message, reinstates = false } = status;
  if (outcome === 'applied') orders[reinstates ? 'reinstated' : 'cancelled'] += 1;
  if (outcome !== 'kept' && outcome !== 'refused') return;
  const done = ordered.find(({ entry }) => entry.index === index)!;
  note(noted, done, `It was not ${reinstates ? 'reinstated' : 'cancelled'}: ${message ?? ''}`);
}

function note(remarks: Remarks, done: Done, said: string, more: Pick<ImportRemark, 'code' | 'hint'> = {}): void {
  remarks.count += 1;
  if (remarks.first.length >= toldInFull) return;
  const { line, message, item, offset } = done.entry.position;
  remarks.first.push({
    place: {
      ...(line !== undefined && { line }),
      ...(message !== undefined && { message }),
      ...(item !== undefined && { item }),
      ...(offset !== undefined && { offset }),
    },
    accession_number: accessionOf(done),
    message: said,
    ...more,
  });
}
