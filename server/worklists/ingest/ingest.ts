/**
 * Ingest of worklist items (specification 2.1, 2.3 to 2.5, 3.3 and 4.2): items are handled independently; the batch is
 * one commit.
 */
import type { FieldError } from '../../../src/contract/errors.ts';
import { AppError, validationFailed } from '../../../src/contract/errors.ts';
import { maxMetadataWeight } from '../../../src/contract/shared.ts';
import { maxBatchItems, nothingTaken } from '../../../src/contract/worklist.ts';
import type { IngestError, IngestOutcome, IngestResult } from '../../../src/contract/worklist.ts';
import { isReportBegun } from '../../../src/domain/item-report.ts';
import { retiredModalities } from '../../../src/contract/modalities.ts';
import { identifierNames, isPlainObject } from '../../../src/domain/normalise.ts';
import type { NormalisedItem } from '../../../src/domain/normalise.ts';
import { refusedItem } from '../../../src/domain/refused-item.ts';
import { measureWeight } from '../../../src/domain/weight.ts';
import type { Ids } from '../../storage/ids.ts';
import type { Documents } from '../../storage/collections.ts';
import type { ItemChange } from '../../storage/feeds.ts';
import { createBreaks } from '../../runtime/breaks.ts';
import type { Transaction } from '../../storage/store.ts';
import { inOrder, isIdentified, missingCoreFields, readItem, withNote } from '../check-item.ts';
import type { CheckedItem, ItemRules, OutdatedPart } from '../check-item.ts';
import { createExamMatcher } from '../matching/match-exams.ts';
import { findNewNames } from '../matching/matches.ts';
import type { MatchResult, Match } from '../matching/matches.ts';
import { ordersOf, readStamp } from './message-orders.ts';
import { cancelDuplicate } from './cancel-duplicate.ts';
import { createItem, mergeItem } from './merge.ts';
import type { Arrival } from './merge.ts';
import { createPatientEntry, createStudyEntry, createAdtEntry } from '../patients/check-patient.ts';
import type { PatientVerdict, Warning } from '../patients/check-patient.ts';
import { putItem } from '../put-item.ts';
import { applyStatus } from './apply-status.ts';
import type { StatusVerdict } from './apply-status.ts';
import { elementAt } from '../../../src/domain/elements.ts';

type StoredItem = Documents['items'];

/** The items of a request, and the field paths for its errors. */
export interface Batch {
  readonly items: readonly CheckedItem[];
  readonly pathOf: (index: number, field: string) => string;
}

/**
 * Parses a body of any of the three shapes and validates each item. Throws PAYLOAD_TOO_LARGE above 1,000 items and
 * VALIDATION_FAILED if there are none.
 */
export async function readBatch(body: unknown, rules: ItemRules): Promise<Batch> {
  const { list, pathOf } = readItems(body);
  checkCount(list);
  const items: CheckedItem[] = [];
  const breathe = createBreaks();
  for (const value of list) {
    items.push(readItem(value, rules));
    const pause = breathe();
    if (pause) await pause;
  }
  return { items, pathOf };
}

/** A batch of items that are already read. */
export function createBatch(items: readonly CheckedItem[]): Batch {
  checkCount(items);
  return { items, pathOf: inList };
}

function checkCount(list: readonly unknown[]): void {
  if (list.length > maxBatchItems) {
    throw new AppError('PAYLOAD_TOO_LARGE', {
      message: `A request may hold at most ${maxBatchItems} items.`,
      details: { limit_items: maxBatchItems },
      hint: 'Send them in several requests.',
    });
  }
  if (list.length === 0) {
    throw validationFailed([
      { field: 'items', message: 'the request must hold at least one item', code: 'FIELD_REQUIRED' },
    ]);
  }
}

const inList = (index: number, field: string): string => (field === '' ? `items.${index}` : `items.${index}.${field}`);

function readItems(body: unknown): { list: readonly unknown[]; pathOf: Batch['pathOf'] } {
  if (Array.isArray(body)) return { list: body, pathOf: inList };
  if (!isPlainObject(body)) {
    throw validationFailed([
      { field: '', message: 'the body must be an item or a list of items', code: 'INVALID_TYPE' },
    ]);
  }
  const wrapped = Object.hasOwn(body, 'items') ? body['items'] : undefined;
  if (Array.isArray(wrapped)) return { list: wrapped, pathOf: inList };
  if (wrapped !== undefined && !identifierNames.some((name) => Object.hasOwn(body, name))) {
    throw validationFailed([{ field: 'items', message: 'items must be a list of items', code: 'INVALID_TYPE' }]);
  }
  return { list: [body], pathOf: (_index, field) => field };
}

/**
 * Applies the batch in order: each item is inserted, updates the stored item that it matches, or changes nothing.
 * Throws VALIDATION_FAILED with all errors if no item is valid.
 */
export async function ingest(tx: Transaction, ids: Ids, batch: Batch, arrival: Arrival): Promise<IngestResult> {
  const exams = await createExamMatcher(tx, batch.items, arrival);
  const counts = { inserted: 0, updated: 0, deduped: 0 };
  const problemsOfAll: FieldError[] = [];
  const errors: IngestError[] = [];
  const outcomes: IngestOutcome[] = [];
  const changed = new Map<Match, ItemChange['change']>();
  /** Exams whose only change is a newer message time. */
  const restamped = new Set<Match>();
  const history: Documents['history'][] = [];

  for (let index = 0; index < batch.items.length; index++) {
    const pending = exams.match(index);
    const { result, received, sent, patient, idHolder, duplicate, twin } =
      pending instanceof Promise ? await pending : pending;
    const { found } = result;
    const { item, warning, problems = conflictErrors, move, notes } = applyItem(ids, sent, result, patient, arrival);
    const newAccessions = item && findNewNames(found?.item, item);
    if (!item || (newAccessions && (await exams.areOthers(newAccessions, item)))) {
      for (const problem of problems) problemsOfAll.push({ ...problem, field: batch.pathOf(index, problem.field) });
      errors.push(createError(index, received, problems));
      continue;
    }
    const status = item.version === found?.item.version ? 'deduped' : found ? 'updated' : 'inserted';
    counts[status]++;
    const ofStudy = found && studyWarning(found.item, item);
    const { zone, outdated } = sent;
    outcomes.push(createOutcome(item, status, warning, { ofStudy, twin, move, zone, notes, outdated }));
    if (found && ofStudy) history.push(createStudyEntry(ids, found.item, item, ofStudy, arrival));
    if (idHolder && idHolder !== 'another' && !found)
      history.push(createAdtEntry(ids, elementAt(batch.items, index), item, idHolder, arrival));
    if (found && warning) history.push(createPatientEntry(ids, found.item, item, warning, arrival));
    if (move?.outcome === 'moved') history.push(move.entry);
    if (duplicate) {
      const { moved, entry } = cancelDuplicate(ids, duplicate.item, item, arrival);
      if (!changed.has(duplicate)) changed.set(duplicate, 'status');
      exams.set(duplicate, moved);
      history.push(entry);
    }
    const match: Match = found ?? { item, isNamed: false };
    match.isNamed ||= received.fields['accession_number'] !== undefined;
    if (status === 'deduped') {
      if (item === match.item) continue;
      exams.set(match, item);
      restamped.add(match);
      continue;
    }
    const isMoved = move?.outcome === 'moved' && status !== 'inserted';
    const earlier = changed.get(match);
    if (isMoved && earlier !== 'inserted') changed.set(match, 'status');
    else if (!earlier) changed.set(match, status);
    exams.set(match, item);
  }

  if (outcomes.length === 0) throw nothingTaken(problemsOfAll, errors);
  for (const [{ item }, change] of changed) putItem(tx, item, change);
  for (const match of restamped) if (!changed.has(match)) tx.put('items', match.item);
  for (const entry of history) tx.put('history', entry);
  return { batch_id: ids('bat'), processed: batch.items.length, ...counts, errors, items: outcomes };
}

/** The merged item, or the problems for which it is refused. */
type ApplyResult =
  | {
      readonly item: StoredItem;
      readonly warning: Warning | undefined;
      readonly move?: StatusVerdict | undefined;
      readonly notes: CheckedItem['notes'];
      readonly problems?: undefined;
    }
  | {
      readonly item?: undefined;
      readonly warning?: undefined;
      readonly move?: undefined;
      readonly notes?: undefined;
      readonly problems: readonly FieldError[];
    };

/** A new exam whose order has no time has that of its message, and is in the day's list until the order has one. */
function withTime(sent: CheckedItem, { at }: Arrival): CheckedItem {
  if (sent.fields['exam_datetime'] !== undefined) return sent;
  if (!ordersOf(sent)?.some(({ status, told_at: time }) => status === 'open' && time !== undefined)) return sent;
  const { told_at: time = at } = readStamp(sent, at) ?? {};
  return withNote({ ...sent, fields: { ...sent.fields, exam_datetime: time } }, noteOfTime);
}
const noteOfTime = 'exam_datetime: the order has no time; that of its message was used.';

/** A new exam whose sender describes none is described by its modality, if that was asked for. */
function describe(sent: CheckedItem): CheckedItem {
  const { exam_description: description, modality } = sent.fields;
  if (!sent.instructions.describe_by_modality || description || typeof modality !== 'string') return sent;
  return { ...sent, fields: { ...sent.fields, exam_description: modality } };
}

function applyItem(
  ids: Ids,
  received: CheckedItem,
  { found, isConflict }: MatchResult,
  patient: PatientVerdict | undefined,
  arrival: Arrival,
): ApplyResult {
  const sent = found ? received : describe(withTime(received, arrival));
  const problems = findProblems(sent, found !== undefined, isConflict, patient?.problems);
  if (problems.length > 0) return { problems };
  const item = found && patient ? mergeItem(patient.base, sent, arrival) : createItem(ids('wli'), sent, arrival);
  if (found && isTooLarge(item, found.item)) return { problems: tooLargeErrors };
  const warning = patient?.warning;
  const { notes } = sent;
  if (sent.status === undefined) return { item, warning, notes };
  const move = applyStatus(ids, item, { wanted: sent.status, order: sent.order }, arrival);
  if (move.outcome === 'refused') return { problems: [move.problem] };
  return { item: move.outcome === 'moved' ? move.item : item, warning, move, notes };
}

const conflictErrors: readonly FieldError[] = [
  {
    field: 'accession_number',
    message: 'an accession number of the orders is that of another stored item',
    code: 'IDENTIFIER_CONFLICT',
  },
];

const nothing: readonly FieldError[] = [];

function findProblems(
  item: CheckedItem,
  isKnown: boolean,
  isConflict: boolean,
  ofPatient: readonly FieldError[] = nothing,
): readonly FieldError[] {
  if (!isKnown && item.errors.length === 0 && !isIdentified(item)) return unknownOrder;
  const missing = isKnown || item.errors[0]?.field === '' ? nothing : missingCoreFields(item);
  if (isConflict) {
    const message = 'accession_number and study_uid belong to two different stored items';
    return inOrder([...item.errors, { field: 'study_uid', message, code: 'IDENTIFIER_CONFLICT' }]);
  }
  if (missing.length === 0 && ofPatient.length === 0) return item.errors;
  return inOrder([...item.errors, ...missing, ...ofPatient]);
}

const unknownOrder: readonly FieldError[] = [
  {
    field: identifierNames[0],
    message: `no exam of this patient has that order; another exam is named by ${identifierNames.join(' or ')}`,
    code: 'FIELD_REQUIRED',
  },
];

/** Each request adds little metadata, but many requests may add up. */
const isTooLarge = (item: StoredItem, before: StoredItem): boolean =>
  item.metadata !== before.metadata && measureWeight(item.metadata, maxMetadata) > maxMetadata;

/** Metadata and its `extra` may each have the size of a request's. */
const maxMetadata = 2 * maxMetadataWeight;
const tooLargeErrors: readonly FieldError[] = [
  { field: 'metadata', message: 'metadata would be too large together with what is stored', code: 'TOO_LONG' },
];

/** The error of a refused item, with its accession number if that is a string. */
function createError(index: number, { fields }: NormalisedItem, problems: readonly FieldError[]): IngestError {
  const accession = fields['accession_number'];
  return refusedItem(
    index,
    problems as [FieldError, ...FieldError[]],
    typeof accession === 'string' ? accession : null,
  );
}

/** Another study UID names other images, so the report should be checked. */
function studyWarning(before: StoredItem, after: StoredItem): Warning | undefined {
  if (before.study_uid === null || before.study_uid === after.study_uid) return undefined;
  const begun = isReportBegun(before) ? ' The exam has a report: check that it is about these images.' : '';
  return { code: 'STUDY_CHANGED', message: `The study UID of the exam was replaced by another.${begun}` };
}

const twinWarning = ({ accession_number: number, id }: StoredItem): Warning => ({
  code: 'ORDER_DUPLICATED',
  message: `Exam ${number ?? id} has the same order, and stays: cancel the one that is not needed.`,
});

/** Facts that may need a warning. */
interface OutcomeFacts {
  readonly ofStudy?: Warning | undefined;
  readonly twin?: StoredItem | undefined;
  readonly move: StatusVerdict | undefined;
  readonly zone: string | undefined;
  readonly notes: readonly string[] | undefined;
  readonly outdated: OutdatedPart | undefined;
}

/** Items that change nothing have an `id`, too: an extension of the example in the specification (2.5). */
export function createOutcome(
  item: StoredItem,
  status: IngestOutcome['status'],
  ofPatient: Warning | undefined,
  about: OutcomeFacts,
): IngestOutcome {
  const { id, accession_number } = item;
  const warnings = warningsAbout(item, status, ofPatient, about);
  const { move } = about;
  // The common case.
  if (warnings.length === 0 && status !== 'deduped' && !move) return { accession_number, status, id };
  const messages = [
    ...(status === 'deduped' ? ['Known already; nothing changed.'] : []),
    ...warnings.map(({ message }) => message),
  ];
  return {
    accession_number,
    status,
    id,
    ...(move?.outcome === 'moved' && { previous_status: move.entry.from }),
    ...(messages.length > 0 && { message: messages.join(' ') }),
    ...(warnings.length > 0 && { warnings }),
  };
}

const noWarnings: Warning[] = [];

const outdatedWarnings: Readonly<Record<OutdatedPart, Warning>> = {
  all: { code: 'OUTDATED', message: 'A later message about the exam arrived before; nothing changed.' },
  status: { code: 'OUTDATED', message: 'A later message about the order arrived before; its state stays.' },
  repeated: { code: 'ORDER_REPEATED', message: 'The message arrived before; the status of the exam stays.' },
};

function warningsAbout(
  item: StoredItem,
  status: IngestOutcome['status'],
  ofPatient: Warning | undefined,
  { ofStudy, twin, move, zone, notes, outdated }: OutcomeFacts,
): Warning[] {
  const retired = status === 'deduped' ? undefined : retiredModalities[item.modality];
  if (
    !ofPatient &&
    !ofStudy &&
    !twin &&
    !move &&
    zone === undefined &&
    !notes &&
    !outdated &&
    item.status !== 'cancelled' &&
    retired === undefined
  )
    return noWarnings;
  const warnings: Warning[] = [ofPatient, ofStudy].filter((warning) => warning !== undefined);
  if (move?.outcome === 'kept' && move.warning) warnings.push(move.warning);
  if (twin) warnings.push(twinWarning(twin));
  for (const message of notes ?? []) warnings.push({ code: 'ASSUMED', message });
  if (zone !== undefined) {
    warnings.push({ code: 'ZONE_ASSUMED', message: `exam_datetime has no offset; it was taken as ${zone}.` });
  }
  if (outdated) warnings.push(outdatedWarnings[outdated]);
  else if (item.status === 'cancelled' && !move) {
    warnings.push({ code: 'EXAM_CANCELLED', message: 'The exam was cancelled and stays cancelled.' });
  }
  if (retired !== undefined) {
    const successor = retired === null ? '' : `; ${retired} replaced it`;
    warnings.push({ code: 'MODALITY_RETIRED', message: `The modality ${item.modality} is retired${successor}.` });
  }
  return warnings;
}
