/** Matches each item to a stored exam and checks that both name the same patient. */
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import type { FieldError } from '../../../src/contract/errors.ts';
import { missingCoreFields, withNote } from '../check-item.ts';
import type { CheckedItem } from '../check-item.ts';
import { toKnownOrder, toOrderOfExam, withAccessionNumber } from './study-with-several-orders.ts';
import { OrderSearch } from './match-by-order.ts';
import { createPatientSearch } from '../patients/adt-patients.ts';
import type { AdtPatient } from '../patients/adt-patients.ts';
import { loadMatches } from './matches.ts';
import type { MatchResult, Match } from './matches.ts';
import type { Arrival } from '../ingest/merge.ts';
import { ignoreOutdated, withProgressStamp } from '../ingest/ignore-outdated.ts';
import {
  withAdtPatient,
  PreviousPatients,
  checkPatient,
  withPatientStamp,
  withoutPatient,
} from '../patients/check-patient.ts';
import type { PatientVerdict } from '../patients/check-patient.ts';
import {
  ordersOf,
  findChangedOrders,
  findPlacerNumber,
  isNumberedByPlacer,
  readStamp,
} from '../ingest/message-orders.ts';
import { isSameOrder, ordersIn, unnumbered } from '../../../src/domain/orders.ts';
import type { Order } from '../../../src/domain/orders.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export interface MatchedItem {
  readonly result: MatchResult;
  /** The item with the current patient of its patient id. */
  readonly received: CheckedItem;
  /** The parts of it that apply to the exam. */
  readonly sent: CheckedItem;
  /** Absent if the exam is new or the identifiers match two exams. */
  readonly patient: PatientVerdict | undefined;
  /** The current holder of the patient id, if different from the item's patient. */
  readonly idHolder: AdtPatient | 'another' | undefined;
  /** An exam that has the item's orders under their placer's number, and that nobody has begun. */
  readonly duplicate?: Match | undefined;
  /** Another exam that has the same order, and stays. */
  readonly twin?: Documents['items'] | undefined;
}

/** Kept up to date while the batch is applied. */
export interface ExamMatcher {
  /** Returns no promise if no look-up is needed, as for most new exams: awaiting would double their cost. */
  match(index: number): MatchedItem | Promise<MatchedItem>;
  /** Updates the exam. */
  set(match: Match, item: Documents['items']): void;
  /** Whether another item has one of the accession numbers. */
  areOthers(names: readonly string[], item: Documents['items']): Promise<boolean>;
}

const noteOfPlacer =
  'The order has no accession number. The placer order number serves, until a message about the order brings one.';

const noteOfDuplicate = 'The exam that had the order under the placer order number alone was cancelled.';
const placerOfAnother: readonly FieldError[] = [
  {
    field: 'accession_number',
    message:
      'accession_number is required: the order has only a placer number, and that is the accession number of another exam',
    code: 'FIELD_REQUIRED',
  },
];

export async function createExamMatcher(
  reader: Reader,
  items: readonly CheckedItem[],
  { space, at, mayManage }: Arrival,
): Promise<ExamMatcher> {
  const matches = await loadMatches(reader, space, items);
  const findPatient = await createPatientSearch(reader, space, items);
  const previousPatients = new PreviousPatients(reader);
  /** Created on demand, because few requests need it. */
  let search: OrderSearch | undefined;

  function searchOrders(): OrderSearch {
    if (!search) {
      search = new OrderSearch(reader, space, matches.isNamed);
      for (const exam of matches.items()) search.add(exam);
    }
    return search;
  }

  /** The exam of the same patient that has the placer's number until its accession number arrives. */
  function findNumberedByPlacer(index: number, sent: CheckedItem): Match | undefined {
    const match = matches.findByPlacer(index);
    if (!match || !isNumberedByPlacer(match.item)) return undefined;
    return match.item.patient_id === sent.fields['patient_id'] ? match : undefined;
  }

  /** An order that has no identifier, and no exam yet, is known by its placer's number; not if that is another exam's. */
  function numberByPlacer(index: number, sent: CheckedItem): CheckedItem {
    const placer = findPlacerNumber(sent);
    const isPlaced = findChangedOrders(sent) === undefined;
    if (placer === undefined || sent.errors.length > 0 || (!isPlaced && missingCoreFields(sent).length > 0))
      return sent;
    if (matches.findByPlacer(index)) return { ...sent, errors: placerOfAnother };
    return withNote({ ...sent, fields: { ...sent.fields, accession_number: placer } }, noteOfPlacer);
  }

  /** The exam that the item's orders had under the placer's number, before a message gave it together with the found exam's. */
  function findDuplicate(index: number, sent: CheckedItem, found: Match): Match | undefined {
    const match = matches.findByPlacer(index);
    if (!match || match === found || !isNumberedByPlacer(match.item)) return undefined;
    const { patient_id: patient, metadata, status } = match.item;
    if (status === 'cancelled' || patient !== found.item.patient_id || sent.errors.length > 0) return undefined;
    const orders = ordersOf(sent) ?? [];
    const isSent = (order: Order): boolean => orders.some((other) => isSameOrder(unnumbered(order), unnumbered(other)));
    return ordersIn(metadata)?.every(isSent) ? match : undefined;
  }

  async function lookUp(asSent: CheckedItem, named: MatchResult, index: number): Promise<MatchedItem> {
    const stamp = readStamp(asSent, at);
    const idHolder = findPatient && (await findPatient(asSent, stamp));
    let received = idHolder && !named.found ? withAdtPatient(asSent, idHolder) : asSent;
    let numbered = named.found ? undefined : findNumberedByPlacer(index, received);
    const isOfOrder =
      !named.found &&
      !numbered &&
      (findChangedOrders(received) !== undefined || findPlacerNumber(received) !== undefined);
    let orderMatch = isOfOrder ? await searchOrders().find(received) : undefined;
    // A merge may leave exams with the old id that belong to somebody else.
    if (!named.found && !numbered && !orderMatch && received !== asSent) {
      numbered = findNumberedByPlacer(index, asSent);
      if (isOfOrder && !numbered) orderMatch = await searchOrders().find(asSent);
      if (numbered || orderMatch) received = asSent;
    }
    const isUnclear = orderMatch === 'several';
    const match = orderMatch === 'several' ? undefined : orderMatch;
    const known = numbered ?? (match && matches.take(match.exam));
    const result = known ? { found: known, isConflict: false } : named;
    const { found } = result;
    if (!found) {
      if (!isUnclear) received = numberByPlacer(index, received);
      const sent = withProgressStamp(withPatientStamp(received, stamp, undefined), stamp);
      return { result, received, sent, patient: undefined, idHolder, twin: await searchOrders().findTwin(received) };
    }
    const about = numbered
      ? withAccessionNumber(received, found.item)
      : match && !match.isRenamed
        ? toKnownOrder(received, match.exam)
        : toOrderOfExam(received, found.item, found.isNamed);
    const current = ignoreOutdated(about, found.item, stamp, at);
    const patient = result.isConflict
      ? undefined
      : await checkPatient(reader, found.item, current, { stamp, idHolder, previousPatients });
    const sent = patient?.ignoredBecause
      ? withoutPatient(current, found.item, patient.ignoredBecause)
      : withPatientStamp(current, stamp, found.item);
    const matched = { result, received, sent, patient, idHolder };
    const duplicate = findDuplicate(index, received, found);
    if (!duplicate) return matched;
    if (duplicate.item.status === 'new' && duplicate.item.record_id === null && mayManage)
      return { ...matched, sent: withNote(sent, noteOfDuplicate), duplicate };
    return { ...matched, twin: duplicate.item };
  }

  return {
    match(index) {
      const sent = elementAt(items, index);
      const result = matches.find(index);
      const orders = ordersOf(sent);
      if (findPatient || result.found || orders) return lookUp(orders ? { ...sent, orders } : sent, result, index);
      return { result, received: sent, sent, patient: undefined, idHolder: undefined };
    },
    set(match, item) {
      matches.set(match, item);
      search?.add(item);
    },
    areOthers: (names, item) => matches.areOthers(names, item),
  };
}
