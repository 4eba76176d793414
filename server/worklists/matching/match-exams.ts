/** Matches each item to a stored exam and checks that both name the same patient. */
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import type { CheckedItem } from '../check-item.ts';
import { toKnownOrder, toOrderOfExam } from './study-with-several-orders.ts';
import { OrderSearch } from './match-by-order.ts';
import type { OrderMatch } from './match-by-order.ts';
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
import { ordersOf, findChangedOrders, readStamp } from '../ingest/message-orders.ts';
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

export async function createExamMatcher(
  reader: Reader,
  items: readonly CheckedItem[],
  { space, at }: Arrival,
): Promise<ExamMatcher> {
  const matches = await loadMatches(reader, space, items);
  const findPatient = await createPatientSearch(reader, space, items);
  const previousPatients = new PreviousPatients(reader);
  /** Created on demand, because few requests need it. */
  let search: OrderSearch | undefined;

  function findByOrder(received: CheckedItem): Promise<OrderMatch | undefined> {
    if (!search) {
      search = new OrderSearch(reader, space, matches.isNamed);
      for (const exam of matches.items()) search.add(exam);
    }
    return search.find(received);
  }

  async function lookUp(asSent: CheckedItem, named: MatchResult): Promise<MatchedItem> {
    const stamp = readStamp(asSent, at);
    const idHolder = findPatient && (await findPatient(asSent, stamp));
    let received = idHolder && !named.found ? withAdtPatient(asSent, idHolder) : asSent;
    const isOfOrder = !named.found && findChangedOrders(received) !== undefined;
    let orderMatch = isOfOrder ? await findByOrder(received) : undefined;
    // A merge may leave exams with the old id that belong to somebody else.
    if (isOfOrder && !orderMatch && received !== asSent) {
      orderMatch = await findByOrder(asSent);
      if (orderMatch) received = asSent;
    }
    const result = orderMatch ? { found: matches.take(orderMatch.exam), isConflict: false } : named;
    const { found } = result;
    if (!found) {
      const sent = withProgressStamp(withPatientStamp(received, stamp, undefined), stamp);
      return { result, received, sent, patient: undefined, idHolder };
    }
    const about =
      orderMatch && !orderMatch.isRenamed
        ? toKnownOrder(received, orderMatch.exam)
        : toOrderOfExam(received, found.item, found.isNamed);
    const current = ignoreOutdated(about, found.item, stamp, at);
    const patient = result.isConflict
      ? undefined
      : await checkPatient(reader, found.item, current, { stamp, idHolder, previousPatients });
    const sent = patient?.ignoredBecause
      ? withoutPatient(current, found.item, patient.ignoredBecause)
      : withPatientStamp(current, stamp, found.item);
    return { result, received, sent, patient, idHolder };
  }

  return {
    match(index) {
      const sent = elementAt(items, index);
      const result = matches.find(index);
      const isPlain = !findPatient && !result.found && ordersOf(sent) === undefined;
      return isPlain ? { result, received: sent, sent, patient: undefined, idHolder: undefined } : lookUp(sent, result);
    },
    set(match, item) {
      matches.set(match, item);
      search?.add(item);
    },
    areOthers: (names, item) => matches.areOthers(names, item),
  };
}
