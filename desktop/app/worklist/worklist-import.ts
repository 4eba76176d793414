/** Imports a worklist file that a person drops on the app: sends it while reading, and collects remarks by position. */
import type { Sentence } from '../../../src/contract/messages/message.ts';
import { fileMessage } from '../../../src/contract/messages/files.ts';
import type { Client } from '../../../src/client/client.ts';
import { AppError } from '../../../src/contract/errors.ts';
import { maxBatchItems } from '../../../src/contract/worklist.ts';
import { groupIntoBatches } from '../../../src/sending/batches.ts';
import { readContent } from '../../../src/sending/entries.ts';
import type { Content } from '../../../src/sending/entries.ts';
import { followOrders } from '../../../src/sending/follow-orders.ts';
import type { StatusOutcome, StoredExams } from '../../../src/sending/follow-orders.ts';
import { accessionOf, emptyTally, hasOrder, isRefused, total, collectWarnings } from '../../../src/sending/outcomes.ts';
import type { EntryResult, Tally } from '../../../src/sending/outcomes.ts';
import { sendBatches } from '../../../src/sending/send.ts';
import { readWorklist } from '../../../src/files/worklist/worklist-file.ts';
import type { WorklistFile } from '../../../src/files/worklist/worklist-file.ts';
import { inTurns } from '../byte-turns.ts';
import { maxWorklistBytes } from '../../bridge/worklist-import.ts';
import type { ImportRemark, ImportResult } from '../../bridge/worklist-import.ts';
import { findElement } from '../../../src/domain/elements.ts';

export interface ImportDeps {
  readonly worklists: Pick<Client['worklists'], 'ingest'>;
  /** Reads the worklist again, after everything was sent. */
  refresh(): Promise<void>;
  /** The exams of the worklist. */
  readonly exams: StoredExams;
}

/** Maximum number of remarks listed in full; the rest is counted. */
const maxRemarks = 50;

interface Remarks {
  count: number;
  readonly first: ImportRemark[];
}

/** The result so far. */
interface Account {
  readonly tally: Tally;
  readonly orders: { cancelled: number; reinstated: number };
  readonly refused: Remarks;
  readonly noted: Remarks;
  /** Accepted entries with an order to cancel or reinstate. */
  readonly ordered: EntryResult[];
}

/**
 * Sends the exams of a file in requests of the size that the service accepts, then cancels and reinstates exams as the
 * file demands. Before the first answer it throws the errors of readWorklist and of the service; after that, the result
 * contains the reason for stopping. Throws PAYLOAD_TOO_LARGE, and VALIDATION_FAILED if the file has no exam.
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
  if (isEmpty(account)) throw new AppError('VALIDATION_FAILED', { message: fileMessage('no_exams') });
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
    stopped: stopped ? { message: stopped.sentences.message, code: stopped.code } : null,
  };
}

async function* readContents({ readings, format }: WorklistFile): AsyncGenerator<Content> {
  let index = 0;
  for await (const reading of readings)
    if (reading.kind !== 'skipped') yield readContent(reading, { file: '', index: index++ }, { format });
}

const isEmpty = ({ tally }: Account): boolean => total(tally) === 0;

/** Resolves to the error that stopped the import before the end of the file. */
async function sendAll(file: WorklistFile, account: Account, { worklists }: ImportDeps): Promise<AppError | undefined> {
  const batches = groupIntoBatches(readContents(file), { items: maxBatchItems, span: Infinity, endsAtUnread: false });
  const destination = {
    ingest: async ({ body }: { body: Uint8Array }) => (await worklists.ingest({ json: body })).data,
  };
  try {
    // One request at a time: the person's own work uses the same connection.
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

function noteEntry({ tally, refused, noted, ordered }: Account, done: EntryResult): void {
  tally[done.outcome.outcome] += 1;
  if (isRefused(done)) {
    const { message, hint, code } = done.outcome;
    note(refused, done, message, { ...(hint !== undefined && { hint }), ...(code && { code }) });
    return;
  }
  for (const { message, code } of collectWarnings(done)) note(noted, done, message, code ? { code } : {});
  if (hasOrder(done)) ordered.push(done);
}

function noteStatus({ orders, noted, ordered }: Account, status: StatusOutcome): void {
  const { index, outcome, message, reinstates = false } = status;
  if (outcome === 'applied') orders[reinstates ? 'reinstated' : 'cancelled'] += 1;
  if (outcome !== 'kept' && outcome !== 'refused') return;
  const done = findElement(ordered, ({ entry }) => entry.index === index);
  note(noted, done, fileMessage(reinstates ? 'not_reinstated' : 'not_cancelled', { why: message ?? '' }));
}

function note(
  remarks: Remarks,
  done: EntryResult,
  sentence: Sentence,
  more: Pick<ImportRemark, 'code' | 'hint'> = {},
): void {
  remarks.count += 1;
  if (remarks.first.length >= maxRemarks) return;
  const { line, message, item, offset } = done.entry.position;
  remarks.first.push({
    place: {
      ...(line !== undefined && { line }),
      ...(message !== undefined && { message }),
      ...(item !== undefined && { item }),
      ...(offset !== undefined && { offset }),
    },
    accession_number: accessionOf(done),
    message: sentence,
    ...more,
  });
}
