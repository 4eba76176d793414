/** The exam of a record: a dictation takes it, and the signature completes it. */
import { ageAt } from '../../src/domain/patient-age.ts';
import type { ItemReport } from '../../src/contract/worklist.ts';
import type { RecordStatus } from '../../src/contract/document.ts';
import type { EventType } from '../../src/contract/events.ts';
import { AppError, validationFailed } from '../../src/contract/errors.ts';
import { isoNow } from '../../src/domain/clock.ts';
import type { Call } from '../http/call.ts';
import { writeMessages } from './outbox.ts';
import { listProcedureCodes } from '../../src/domain/procedure-codes.ts';
import type { ExamContext } from '../speech/exam-context.ts';
import type { RecordDeps } from './deps.ts';
import type { Documents } from '../storage/collections.ts';
import type { Reader, Transaction } from '../storage/store.ts';
import { readSourceSystem } from '../worklists/source-system.ts';
import { movesFrom } from '../../src/domain/worklist-state.ts';
import { moveItem, toMover, refusedMove } from '../worklists/item-status.ts';
import type { Mover } from '../worklists/item-status.ts';
import { putItem } from '../worklists/put-item.ts';
import { announcedVersion } from '../../src/domain/announced-version.ts';
import type { AnnouncedChange } from '../../src/domain/announced-version.ts';
import { findRecord, checkNotSigning } from './stored-record.ts';
import type { StoredRecord } from './stored-record.ts';
import type { DraftRecord, FinalRecord, PreliminaryRecord } from './signature-state.ts';

type Item = Documents['items'];

/** The dependencies of a completed signature. */
export type SignatureDeps = Pick<RecordDeps, 'clock' | 'ids' | 'announcer' | 'chooseChannels'>;

/** The worklist item with that id, if the space has it. */
export async function findExam(
  reader: Reader,
  space: string,
  id: string | null | undefined,
): Promise<Item | undefined> {
  const item = id ? await reader.get('items', id) : undefined;
  return item?.space === space ? item : undefined;
}

/** Who moves the exam, and from which system. */
export const createMover = (call: Pick<Call, 'caller' | 'header'>): Mover => ({
  ...toMover(call.caller),
  source_system: readSourceSystem(call),
});

/** The exam's fields for writers and checks. */
export const toExamContext = (item: Item): ExamContext => ({
  patient_name: item.display_name,
  modality: item.modality,
  exam_description: item.exam_description,
  patient_sex: item.patient_sex ?? null,
  patient_age: item.patient_age ?? ageAt(item.patient_birth_date ?? '', item.exam_datetime) ?? null,
  procedure_codes: listProcedureCodes(item),
});

/** The exam's record. */
const findExamRecord = async (tx: Transaction, { record_id: id }: Item): Promise<StoredRecord | undefined> =>
  id === null ? undefined : findRecord(tx, id);

/** The exam's other record if it is final: the report that receivers use. */
async function findOtherReport(tx: Transaction, item: Item, record: StoredRecord): Promise<FinalRecord | undefined> {
  const other = item.record_id === record.id ? undefined : await findExamRecord(tx, item);
  return other?.status === 'final' ? other : undefined;
}

/** The exam's previous report, which receivers still have even if it was deleted. */
export async function findPreviousReport(tx: Transaction, record: StoredRecord): Promise<FinalRecord['replaces']> {
  const item = await findExam(tx, record.space, record.worklist_item_id);
  const previous = item && (await findOtherReport(tx, item, record));
  return previous ? { record_id: previous.id, version: previous.version } : item?.deleted_report;
}

/**
 * 409 INVALID_TRANSITION if another report replaced this one: sending it again would replace that report at its
 * receivers.
 */
export async function checkNotReplaced(tx: Transaction, record: StoredRecord): Promise<void> {
  const item = await findExam(tx, record.space, record.worklist_item_id);
  const other = item && (await findOtherReport(tx, item, record));
  if (!other) return;
  throw new AppError('INVALID_TRANSITION', {
    message: 'Another signed document of the exam has replaced this one.',
    details: { status: record.status, record_id: other.id },
    hint: `Add the addendum to ${other.id}.`,
  });
}

/**
 * Moves the exam to `in_progress`. 400 if there is none. 409 INVALID_TRANSITION if its state or holder doesn't allow it, if it has a signed
 * report or one in its grace period, or if a preliminary report waits for an attending: none of these is replaced
 * implicitly.
 */
export async function takeExam(
  tx: Transaction,
  services: Pick<RecordDeps, 'clock' | 'ids'>,
  id: string | undefined,
  call: Call,
): Promise<void> {
  if (id === undefined) return;
  const item = await findExam(tx, call.caller.space, id);
  // The operator may have removed it since the request was read.
  if (!item) throw noSuchExam();
  const document = await findExamRecord(tx, item);
  if (document) checkReplaceable(item, document);
  await moveItem(tx, services, item, 'in_progress', createMover(call));
}

/** 400 VALIDATION_FAILED: the request names an exam that the space doesn't have. */
export const noSuchExam = (): AppError =>
  validationFailed([
    {
      field: 'worklist_item_id',
      message: 'worklist_item_id is not the id of a worklist item',
      code: 'INVALID_VALUE',
    },
  ]);

function checkReplaceable({ status }: Item, document: StoredRecord): void {
  checkNotSigning(document);
  const details = { status, record_id: document.id };
  if (document.status === 'preliminary')
    throw new AppError('INVALID_TRANSITION', {
      message: 'The document of this exam is preliminary.',
      details,
      hint: 'An attending co-signs it or sends it back; the resident who signed may change it.',
    });
  if (document.status === 'final' && status === 'completed')
    throw new AppError('INVALID_TRANSITION', {
      message: 'The document of this exam is signed.',
      details,
      hint: 'Add an addendum to the document. To write another document, move the exam to in_progress first.',
    });
}

/** The report status that the exam shows. */
const reportOf = ({ status, signing, updated_at }: StoredRecord): ItemReport =>
  signing ? { status: 'signing', at: signing.at } : { status, at: updated_at };

/** An exam's record is replaced only by one that is at least as far. */
const progress: Readonly<Record<RecordStatus, number>> = { draft: 0, preliminary: 1, final: 2 };

/** Links the record to its exam and updates the exam's report status. */
export async function linkExam(
  tx: Transaction,
  services: Pick<RecordDeps, 'clock'>,
  record: StoredRecord,
): Promise<void> {
  const item = await findExam(tx, record.space, record.worklist_item_id);
  if (!item) return;
  const report = reportOf(record);
  const isOwn = item.record_id === record.id;
  if (isOwn && item.report?.status === report.status) return;
  const previous = await findExamRecord(tx, item);
  if (isOwn || progress[record.status] >= progress[previous?.status ?? 'draft'])
    putLink(tx, services, item, { record_id: record.id, report });
}

/** Unlinks the record. A deleted final report is remembered: receivers still hold it. */
export async function unlinkExam(
  tx: Transaction,
  services: Pick<RecordDeps, 'clock'>,
  record: StoredRecord,
): Promise<void> {
  const item = await findExam(tx, record.space, record.worklist_item_id);
  if (item?.record_id !== record.id) return;
  const deleted = record.status === 'final' && { deleted_report: { record_id: record.id, version: record.version } };
  putLink(tx, services, item, { record_id: null, ...deleted });
}

function putLink(
  tx: Transaction,
  { clock }: Pick<RecordDeps, 'clock'>,
  { report: _former, ...item }: Item,
  document: Pick<Item, 'record_id' | 'report' | 'deleted_report'>,
): void {
  putItem(tx, { ...item, ...document, updated_at: isoNow(clock), version: item.version + 1 }, 'updated');
}

/** Completes the exam of a record that was signed or got an addendum, and announces the result to webhooks. */
export async function completeExam(
  tx: Transaction,
  services: SignatureDeps,
  { record, change }: { record: StoredRecord; change: AnnouncedChange },
  mover: Mover,
): Promise<void> {
  const item = await findExam(tx, record.space, record.worklist_item_id);
  if (!item) return;
  await moveItem(tx, services, item, 'completed', mover);
  await announce(tx, services, 'worklist.document.completed', { item, record, change, status: 'completed' });
}

/**
 * Announces a new version of a report that receivers have. The exam doesn't change. A replaced report is not sent,
 * because receivers would use it again.
 */
export async function announceAgain(
  tx: Transaction,
  services: SignatureDeps,
  { record, change }: { record: StoredRecord; change: AnnouncedChange },
): Promise<void> {
  const item = await findExam(tx, record.space, record.worklist_item_id);
  if (!item || record.status === 'draft') return;
  if (record.status === 'final' && (await findOtherReport(tx, item, record))) return;
  const [type, status] = announced[record.status];
  await announce(tx, services, type, { item, record, change, status });
}

const announced = {
  preliminary: ['worklist.document.preliminary', 'preliminary'],
  final: ['worklist.document.completed', 'completed'],
} as const;

/** Why the exam cannot be completed, as `completeExam` would throw it; `undefined` if it can or there is none. */
export async function findCompletionRefusal(reader: Reader, record: StoredRecord): Promise<AppError | undefined> {
  const item = await findExam(reader, record.space, record.worklist_item_id);
  const may = !item || item.status === 'completed' || movesFrom(item.status).includes('completed');
  return may ? undefined : refusedMove(item, 'completed');
}

/** Keeps the exam of a preliminary report in progress, with its current holder, and announces the report. */
export async function holdExam(
  tx: Transaction,
  services: SignatureDeps,
  record: StoredRecord,
  mover: Mover,
): Promise<void> {
  const item = await findExam(tx, record.space, record.worklist_item_id);
  if (!item) return;
  if (item.status !== 'in_progress') await moveItem(tx, services, item, 'in_progress', mover);
  await announce(tx, services, 'worklist.document.preliminary', {
    item,
    record,
    change: 'preliminary',
    status: 'preliminary',
  });
}

/** Returns the exam to the resident who signed, and announces that the report is a draft again. */
export async function returnExam(
  tx: Transaction,
  services: SignatureDeps,
  { before, record }: { before: PreliminaryRecord; record: DraftRecord },
  mover: Mover,
): Promise<void> {
  const item = await findExam(tx, record.space, record.worklist_item_id);
  if (!item) return;
  if (item.status === 'in_progress')
    await moveItem(tx, services, item, 'in_progress', {
      ...mover,
      holder: before.preliminary.by,
      take_over: true,
    });
  await announce(tx, services, 'worklist.document.withdrawn', {
    item,
    record,
    change: 'reopened',
    status: 'withdrawn',
  });
}

/** Announces the report to webhooks and queues it for the channels of the space. */
async function announce(
  tx: Transaction,
  services: SignatureDeps,
  type: EventType,
  { item, record, change, status }: { item: Item; record: StoredRecord; change: AnnouncedChange; status: string },
): Promise<void> {
  await services.announcer.announce(tx, {
    space: record.space,
    type,
    data: {
      record_id: record.id,
      worklist_item_id: item.id,
      accession_number: item.accession_number,
      status,
      ...announcedVersion(record, change),
    },
  });
  await writeMessages(tx, services, record, type);
}
