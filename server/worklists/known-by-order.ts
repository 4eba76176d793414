/**
 * The exam of an order that is changed or cancelled under other numbers than those of the exam: by the numbers of the order alone, as
 * some systems cancel, without the issuer of the accession number, or under the exam's new number. An order that is placed names its
 * exam itself.
 */
import type { WorklistItemInput } from '../../src/contract/worklist.ts';
import {
  furtherNumbers,
  isOpen,
  isSameOrder,
  numberIn,
  ordersIn,
  underNumber,
  unnumbered,
} from '../../src/domain/orders.ts';
import type { Order } from '../../src/domain/orders.ts';
import { isOver } from '../../src/domain/worklist-state.ts';
import type { Documents } from '../store/collections.ts';
import type { Reader } from '../store/store.ts';
import type { CheckedItem } from './check-item.ts';
import { ordersToldIn } from './told-orders.ts';

type StoredItem = Documents['items'];

/** Exams of one patient that are looked through. */
const mostExams = 200;

/** An exam that an order names. */
export interface Ordered {
  readonly exam: StoredItem;
  /** The exam has another number since, which the order brings. */
  readonly isRenamed: boolean;
}

/** `brought`: the exams that the request has brought or changed so far, and whether it named one by a number. */
export type FindByOrder = (
  sent: CheckedItem,
  brought: { items(): Iterable<StoredItem>; isNamed(exam: StoredItem): boolean },
) => Promise<Ordered | undefined>;

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
    for (const exam of brought.items()) if (exam.patient_id === patient || exams.has(exam.id)) exams.set(exam.id, exam);
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
    if (fitting.length > 0) return fitting.length === 1 ? { exam: fitting[0]!, isRenamed: false } : undefined;
    const alike = [...exams.values()].filter(
      (exam) => exam.patient_id === patient && ordersOf(exam).some(isAlike(told)),
    );
    const [exam] = alike;
    return exam && alike.length === 1 && !brought.isNamed(exam) && isRenamed(exam, sent, told)
      ? { exam, isRenamed: true }
      : undefined;
  };
}

/** An order that both placer and filler have numbered. One number alone may be that of a request for several exams. */
const isAlike =
  (told: readonly Order[]) =>
  (order: Order): boolean =>
    told.some(
      (other) =>
        isSameOrder(unnumbered(order), unnumbered(other)) &&
        numbersOf(other).every((number, at) => number !== undefined && number === numbersOf(order)[at]),
    );

/** Whether a change of all that the exam is ordered by tells its new number, and all else that tells exams apart is as it was. */
function isRenamed(exam: StoredItem, { fields }: CheckedItem, told: readonly Order[]): boolean {
  const known = ordersIn(exam.metadata) ?? [];
  return (
    numberIn(fields) !== undefined &&
    numberIn(exam) !== undefined &&
    !isOver(exam.status) &&
    (fields['study_uid'] === undefined || exam.study_uid === null) &&
    (fields['modality'] === undefined || fields['modality'] === exam.modality) &&
    furtherNumbers(exam.metadata).length === 0 &&
    known.every(isAlike(told)) &&
    told.every(
      (order) => isOpen(order) && numberIn(order) === undefined && known.some((other) => isSameProcedure(order, other)),
    )
  );
}

const isSameProcedure = (one: Order, other: Order): boolean =>
  one.procedure_code === undefined
    ? one.exam_description === other.exam_description
    : one.procedure_code === other.procedure_code;

/** The item under the numbers of its exam; the number may be that of some of the orders, without its issuer. */
export function withoutNumber({ fields, ...sent }: CheckedItem, exam: StoredItem): CheckedItem {
  const { accession_number: number, accession_issuer: _, ...others } = fields;
  const numbered = furtherNumbers(exam.metadata).find((order) => order.accession_number === number);
  const told = numbered && underNumber(ordersToldIn({ ...sent, fields }) ?? [], numberIn(numbered)!);
  return { ...sent, fields: others, ...(told && { told }) };
}

const numbersOf = ({ filler_order_number, placer_order_number }: Order): readonly (string | undefined)[] => [
  filler_order_number,
  placer_order_number,
];

const isNumberedAlike = (exam: StoredItem, { fields }: CheckedItem): boolean =>
  exam.accession_number !== null &&
  exam.accession_number === fields['accession_number'] &&
  !(exam.accession_issuer && fields['accession_issuer']);
