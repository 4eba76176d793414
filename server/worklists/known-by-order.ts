/**
 * The exam of an order that is changed or cancelled under other numbers than those of the exam: by the numbers of the order alone, as
 * some systems cancel, or without the issuer of the accession number. An order that is placed names its exam itself.
 */
import type { WorklistItemInput } from '../../src/contract/worklist.ts';
import { isSameOrder, ordersIn } from '../../src/domain/orders.ts';
import type { Order } from '../../src/domain/orders.ts';
import type { Documents } from '../store/collections.ts';
import type { Reader } from '../store/store.ts';
import type { CheckedItem } from './check-item.ts';
import { ordersToldIn } from './told-orders.ts';

type StoredItem = Documents['items'];

/** Exams of one patient that are looked through. */
const mostExams = 200;

/** `brought`: the exams that the request has brought or changed so far. */
export type FindByOrder = (sent: CheckedItem, brought: Iterable<StoredItem>) => Promise<StoredItem | undefined>;

/**
 * A search for the items of one request, among the exams of the patient that are stored, and those that the request has brought so far.
 * Finds nothing where no exam fits, or several do.
 */
export function createOrderSearch(reader: Reader, space: string): FindByOrder {
  const storedOf = new Map<string, Promise<readonly StoredItem[]>>();
  const orders = new WeakMap<StoredItem, readonly Order[]>();
  const ordersOf = (exam: StoredItem): readonly Order[] => {
    const known = orders.get(exam) ?? ordersIn(exam.metadata) ?? [];
    orders.set(exam, known);
    return known;
  };
  return async (sent, brought) => {
    const told = ordersToldIn(sent);
    const { patient_id: patient, accession_number: number } = sent.fields as WorklistItemInput;
    if (!told || patient === undefined || sent.errors.length > 0) return undefined;
    const stored = storedOf.get(patient) ?? reader.find('items', { is: { space, patient }, limit: mostExams });
    storedOf.set(patient, stored);
    const exams = new Map((await stored).map((exam) => [exam.id, exam]));
    for (const exam of brought) if (exam.patient_id === patient || exams.has(exam.id)) exams.set(exam.id, exam);
    // What stands as the accession number may be the order's own number, for want of another.
    const named = number === undefined ? told : told.filter((order) => numbersOf(order).includes(number));
    const fitting = [...exams.values()].filter(
      (exam) =>
        exam.patient_id === patient &&
        (isNumberedAlike(exam, sent) ||
          (number !== undefined && ordersOf(exam).some((order) => order.accession_number === number)) ||
          (number === undefined && told.some((order) => order.filler_order_number === exam.accession_number)) ||
          named.some((order) => ordersOf(exam).some((known) => isSameOrder(known, order)))),
    );
    return fitting.length === 1 ? fitting[0] : undefined;
  };
}

/** The item under the numbers of its exam. */
export function withoutNumber({ fields, ...sent }: CheckedItem): CheckedItem {
  const { accession_number: _, accession_issuer: _issuer, ...others } = fields;
  return { ...sent, fields: others };
}

const numbersOf = ({ filler_order_number, placer_order_number }: Order): readonly (string | undefined)[] => [
  filler_order_number,
  placer_order_number,
];

const isNumberedAlike = (exam: StoredItem, { fields }: CheckedItem): boolean =>
  exam.accession_number !== null &&
  exam.accession_number === fields['accession_number'] &&
  !(exam.accession_issuer && fields['accession_issuer']);
