/** Matches each item to a stored exam and checks that both name the same patient. */
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import type { CheckedItem } from '../check-item.ts';
import { asKnownOrder, asOrderOf } from './further-order.ts';
import { OrderSearch } from './known-by-order.ts';
import type { Ordered } from './known-by-order.ts';
import { createPatientSearch } from '../patients/known-patients.ts';
import type { ToldPatient } from '../patients/known-patients.ts';
import { matchesOf } from './matches.ts';
import type { Known, Match } from './matches.ts';
import type { Arrival } from '../ingest/merge.ts';
import { newsOf, tellingProgress } from '../ingest/news.ts';
import { asToldPatient, FormerPatients, judgePatient, tellingPatient, withoutPatient } from '../patients/patient.ts';
import type { PatientVerdict } from '../patients/patient.ts';
import { ordersOf, ordersToldIn, toldOf } from '../ingest/told-orders.ts';
import { elementAt } from '../../../src/domain/elements.ts';

export interface Identified {
  readonly known: Known;
  /** The item with the current patient of its patient id. */
  readonly received: CheckedItem;
  /** The parts of it that apply to the exam. */
  readonly sent: CheckedItem;
  /** Absent if the exam is new or the identifiers match two exams. */
  readonly patient: PatientVerdict | undefined;
  /** The current holder of the patient id, if different from the item's patient. */
  readonly present: ToldPatient | 'another' | undefined;
}

/** Kept up to date while the batch is applied. */
export interface Identification {
  /** Returns no promise if no look-up is needed, as for most new exams: awaiting would double their cost. */
  identify(index: number): Identified | Promise<Identified>;
  /** Updates the exam. */
  set(match: Match, item: Documents['items']): void;
  /** Whether another item has one of the accession numbers. */
  areOthers(names: readonly string[], item: Documents['items']): Promise<boolean>;
}

export async function identificationOf(
  reader: Reader,
  items: readonly CheckedItem[],
  { space, at }: Arrival,
): Promise<Identification> {
  const matches = await matchesOf(reader, space, items);
  const findPatient = await createPatientSearch(reader, space, items);
  const formerPatients = new FormerPatients(reader);
  /** Created on demand, because few requests need it. */
  let search: OrderSearch | undefined;

  function findByOrder(received: CheckedItem): Promise<Ordered | undefined> {
    if (!search) {
      search = new OrderSearch(reader, space, matches.isNamed);
      for (const exam of matches.items()) search.add(exam);
    }
    return search.find(received);
  }

  async function lookUp(asSent: CheckedItem, named: Known): Promise<Identified> {
    const told = toldOf(asSent, at);
    const present = findPatient && (await findPatient(asSent, told));
    let received = present && !named.found ? asToldPatient(asSent, present) : asSent;
    const isOfOrder = !named.found && ordersToldIn(received) !== undefined;
    let ordered = isOfOrder ? await findByOrder(received) : undefined;
    // A merge may leave exams with the old id that belong to somebody else.
    if (isOfOrder && !ordered && received !== asSent) {
      ordered = await findByOrder(asSent);
      if (ordered) received = asSent;
    }
    const known = ordered ? { found: matches.take(ordered.exam), isConflict: false } : named;
    const { found } = known;
    if (!found) {
      const sent = tellingProgress(tellingPatient(received, told, undefined), told);
      return { known, received, sent, patient: undefined, present };
    }
    const about =
      ordered && !ordered.isRenamed
        ? asKnownOrder(received, ordered.exam)
        : asOrderOf(received, found.item, found.isNamed);
    const news = newsOf(about, found.item, told, at);
    const patient = known.isConflict
      ? undefined
      : await judgePatient(reader, found.item, news, { told, present, formerPatients });
    const sent = patient?.former
      ? withoutPatient(news, found.item, patient.former)
      : tellingPatient(news, told, found.item);
    return { known, received, sent, patient, present };
  }

  return {
    identify(index) {
      const sent = elementAt(items, index);
      const known = matches.find(index);
      const isPlain = !findPatient && !known.found && ordersOf(sent) === undefined;
      return isPlain ? { known, received: sent, sent, patient: undefined, present: undefined } : lookUp(sent, known);
    },
    set(match, item) {
      matches.set(match, item);
      search?.add(item);
    },
    areOthers: (names, item) => matches.areOthers(names, item),
  };
}
