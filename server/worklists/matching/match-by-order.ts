/**
 * Finds the exam of an order that is changed or cancelled under other numbers than the exam's: only the order's own
 * numbers, a missing issuer, or the exam's new number. An order that is placed names its exam itself, or has only the
 * placer's number.
 */
import type { WorklistItemInput } from '../../../src/contract/worklist.ts';
import {
  additionalNumbers,
  isOpen,
  isSameOrder,
  maxOrders,
  numberIn,
  ordersIn,
  unnumbered,
} from '../../../src/domain/orders.ts';
import type { Order } from '../../../src/domain/orders.ts';
import { isOver } from '../../../src/domain/worklist-state.ts';
import type { Documents } from '../../storage/collections.ts';
import type { Reader } from '../../storage/store.ts';
import type { CheckedItem } from '../check-item.ts';
import { findChangedOrders, findPlacerNumber, ordersOf } from '../ingest/message-orders.ts';
import { elementAt, valueAt } from '../../../src/domain/elements.ts';

type StoredItem = Documents['items'];

/** Limits the exams per patient. */
const maxExams = 200;

/** An exam found by an order. */
export interface OrderMatch {
  readonly exam: StoredItem;
  /** The order brings a new number for the exam. */
  readonly isRenamed: boolean;
}

/** Limits the comparisons per item: numbers that so many orders share identify nothing. */
const maxComparisons = maxOrders ** 2;

/**
 * Searches the patient's stored exams, and those that the request has found or created so far.
 */
export class OrderSearch {
  readonly #reader: Reader;
  readonly #space: string;
  readonly #isNamed: (exam: StoredItem) => boolean;
  /** Current state by id. */
  readonly #exams = new Map<string, StoredItem>();
  /** Exams by patient and number, including previous numbers. */
  readonly #numbered = new Map<string, Set<string>>();
  readonly #stored = new Map<string, Promise<void>>();
  readonly #orders = new WeakMap<StoredItem, readonly Order[]>();

  /** `isNamed`: whether the request has named the exam by an accession number. */
  constructor(reader: Reader, space: string, isNamed: (exam: StoredItem) => boolean) {
    this.#reader = reader;
    this.#space = space;
    this.#isNamed = isNamed;
  }

  /** Adds or updates an exam. */
  add(exam: StoredItem): void {
    this.#exams.set(exam.id, exam);
    for (const number of numbersIn([exam, ...this.#ordersOf(exam)])) {
      const key = createKey(exam.patient_id, number);
      const ids = this.#numbered.get(key);
      if (ids) ids.add(exam.id);
      else this.#numbered.set(key, new Set([exam.id]));
    }
  }

  /** `several`: the numbers do not tell which exam is meant. */
  async find(sent: CheckedItem): Promise<OrderMatch | 'several' | undefined> {
    const sentOrders = findPlacerNumber(sent) === undefined ? findChangedOrders(sent) : ordersOf(sent);
    const { patient_id: patient, accession_number: number } = sent.fields as WorklistItemInput;
    if (!sentOrders || patient === undefined || sent.errors.length > 0) return undefined;
    await this.#load(patient);
    const exams = this.#examsOf(patient, [sent.fields, ...sentOrders]);
    const comparisons = exams.reduce((sum, exam) => sum + sentOrders.length * this.#ordersOf(exam).length, 0);
    if (comparisons > maxComparisons) return 'several';
    // Some systems send the order's own number as the accession number.
    const named = number === undefined ? sentOrders : sentOrders.filter((order) => numbersOf(order).includes(number));
    const fitting = exams.filter((exam) => {
      const orders = this.#ordersOf(exam);
      return (
        [exam, ...orders].some((numbered) => isNumberedAlike(numbered, sent.fields)) ||
        (number === undefined && sentOrders.some((order) => order.filler_order_number === exam.accession_number)) ||
        named.some((order) => orders.some((known) => isSameOrder(known, order)))
      );
    });
    if (fitting.length > 0) return fitting.length === 1 ? { exam: elementAt(fitting, 0), isRenamed: false } : 'several';
    const alike = exams.filter((exam) => this.#ordersOf(exam).some(isAlike(sentOrders)));
    const [exam] = alike;
    return exam && alike.length === 1 && !this.#isNamed(exam) && isRenamed(exam, sent, sentOrders)
      ? { exam, isRenamed: true }
      : undefined;
  }

  /** An open exam under another accession number that has one of the orders, by all of its numbers and its procedure. */
  async findTwin(sent: CheckedItem): Promise<StoredItem | undefined> {
    const sentOrders = (ordersOf(sent) ?? []).filter((order) =>
      numbersOf(order).every((number) => number !== undefined),
    );
    const { patient_id: patient } = sent.fields as WorklistItemInput;
    if (sentOrders.length === 0 || patient === undefined || sent.errors.length > 0) return undefined;
    await this.#load(patient);
    const exams = this.#examsOf(patient, sentOrders).filter(({ status }) => !isOver(status));
    const isTwin = (order: Order): boolean =>
      isOpen(order) && sentOrders.some((other) => isAlike([other])(order) && isSameProcedure(order, other));
    return exams.find((exam) => {
      const orders = this.#ordersOf(exam).map((order) => ({ exam_description: exam.exam_description, ...order }));
      return sentOrders.length * orders.length <= maxComparisons && orders.some(isTwin);
    });
  }

  #load(patient: string): Promise<void> {
    const known = this.#stored.get(patient);
    if (known) return known;
    const loaded = this.#reader
      .find('items', { is: { space: this.#space, patient }, limit: maxExams })
      .then((exams) => {
        for (const exam of exams) if (!this.#exams.has(exam.id)) this.add(exam);
      });
    this.#stored.set(patient, loaded);
    return loaded;
  }

  /** The patient's exams that share a number with these. */
  #examsOf(patient: string, named: readonly NumberHolder[]): readonly StoredItem[] {
    const ids = new Set<string>();
    for (const number of numbersIn(named)) {
      for (const id of this.#numbered.get(createKey(patient, number)) ?? []) ids.add(id);
    }
    return [...ids].map((id) => valueAt(this.#exams, id)).filter((exam) => exam.patient_id === patient);
  }

  #ordersOf(exam: StoredItem): readonly Order[] {
    const known = this.#orders.get(exam) ?? ordersIn(exam.metadata) ?? [];
    this.#orders.set(exam, known);
    return known;
  }
}

/** An exam, item or order. */
type NumberHolder = { readonly [Name in (typeof numberNames)[number]]?: unknown };
const numberNames = ['accession_number', 'placer_order_number', 'filler_order_number', 'order_id'] as const;

const numbersIn = (named: readonly NumberHolder[]): ReadonlySet<string> =>
  new Set(
    named.flatMap((each) =>
      numberNames.flatMap((name) => {
        const number = each[name];
        return typeof number === 'string' ? number : [];
      }),
    ),
  );

const createKey = (patient: string, number: string): string => `${patient}\n${number}`;

/** Whether placer and filler numbers both match. One of them may be shared by several exams. */
const isAlike =
  (sentOrders: readonly Order[]) =>
  (order: Order): boolean =>
    sentOrders.some(
      (other) =>
        isSameOrder(unnumbered(order), unnumbered(other)) &&
        numbersOf(other).every((number, at) => number !== undefined && number === numbersOf(order)[at]),
    );

/** Whether all orders of the exam are changed under a new number, and nothing else distinguishes it. */
function isRenamed(exam: StoredItem, { fields }: CheckedItem, sentOrders: readonly Order[]): boolean {
  const known = ordersIn(exam.metadata) ?? [];
  return (
    numberIn(fields) !== undefined &&
    numberIn(exam) !== undefined &&
    !isOver(exam.status) &&
    (fields['study_uid'] === undefined || exam.study_uid === null) &&
    (fields['modality'] === undefined || fields['modality'] === exam.modality) &&
    additionalNumbers(exam.metadata).length === 0 &&
    known.every(isAlike(sentOrders)) &&
    sentOrders.every(
      (order) => isOpen(order) && numberIn(order) === undefined && known.some((other) => isSameProcedure(order, other)),
    )
  );
}

const isSameProcedure = (one: Order, other: Order): boolean =>
  one.procedure_code === undefined
    ? one.exam_description === other.exam_description
    : one.procedure_code === other.procedure_code;

const numbersOf = ({ filler_order_number, placer_order_number }: Order): readonly (string | undefined)[] => [
  filler_order_number,
  placer_order_number,
];

/** The numbers match, and the issuers if both are known. */
const isNumberedAlike = (
  {
    accession_number: number,
    accession_issuer: issuer,
  }: Pick<StoredItem, 'accession_number' | 'accession_issuer'> | Order,
  sent: CheckedItem['fields'],
): boolean =>
  Boolean(number) &&
  number === sent['accession_number'] &&
  (!issuer || !sent['accession_issuer'] || issuer === sent['accession_issuer']);
