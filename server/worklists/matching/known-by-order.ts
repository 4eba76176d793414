/**
 * The exam of an order that is changed or cancelled under other numbers than those of the exam: by the numbers of the order alone, as
 * some systems cancel, without the issuer of the accession number, or under the exam's new number. An order that is placed names its
 * exam itself.
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
import { ordersToldIn } from '../ingest/told-orders.ts';
import { elementAt, valueAt } from '../../../src/domain/elements.ts';

type StoredItem = Documents['items'];

/** Exams of one patient that are looked through. */
const mostExams = 200;

/** An exam that an order names. */
export interface Ordered {
  readonly exam: StoredItem;
  /** The exam has another number since, which the order brings. */
  readonly isRenamed: boolean;
}

/** Comparisons of orders for one item, at most: numbers that so many orders share tell nothing apart. */
const mostComparisons = maxOrders ** 2;

/**
 * A search for the items of one request, among the exams of the patient that are stored, and those that the request has found or brought
 * so far. Finds nothing where no exam fits, or several do.
 */
export class OrderSearch {
  readonly #reader: Reader;
  readonly #space: string;
  readonly #isNamed: (exam: StoredItem) => boolean;
  /** As they are now, by their ids. */
  readonly #exams = new Map<string, StoredItem>();
  /** The exams that have, or had, a number of that patient. */
  readonly #numbered = new Map<string, Set<string>>();
  readonly #stored = new Map<string, Promise<void>>();
  readonly #orders = new WeakMap<StoredItem, readonly Order[]>();

  /** `isNamed`: whether the request has named the exam by an accession number. */
  constructor(reader: Reader, space: string, isNamed: (exam: StoredItem) => boolean) {
    this.#reader = reader;
    this.#space = space;
    this.#isNamed = isNamed;
  }

  /** The exam as the request leaves it so far. */
  add(exam: StoredItem): void {
    this.#exams.set(exam.id, exam);
    for (const number of numbersIn([exam, ...this.#ordersOf(exam)])) {
      const key = keyOf(exam.patient_id, number);
      const ids = this.#numbered.get(key);
      if (ids) ids.add(exam.id);
      else this.#numbered.set(key, new Set([exam.id]));
    }
  }

  async find(sent: CheckedItem): Promise<Ordered | undefined> {
    const told = ordersToldIn(sent);
    const { patient_id: patient, accession_number: number } = sent.fields as WorklistItemInput;
    if (!told || patient === undefined || sent.errors.length > 0) return undefined;
    await this.#load(patient);
    const exams = this.#examsOf(patient, [sent.fields, ...told]);
    const comparisons = exams.reduce((sum, exam) => sum + told.length * this.#ordersOf(exam).length, 0);
    if (comparisons > mostComparisons) return undefined;
    // What stands as the accession number may be the order's own number, for want of another.
    const named = number === undefined ? told : told.filter((order) => numbersOf(order).includes(number));
    const fitting = exams.filter((exam) => {
      const orders = this.#ordersOf(exam);
      return (
        [exam, ...orders].some((numbered) => isNumberedAlike(numbered, sent.fields)) ||
        (number === undefined && told.some((order) => order.filler_order_number === exam.accession_number)) ||
        named.some((order) => orders.some((known) => isSameOrder(known, order)))
      );
    });
    if (fitting.length > 0) return fitting.length === 1 ? { exam: elementAt(fitting, 0), isRenamed: false } : undefined;
    const alike = exams.filter((exam) => this.#ordersOf(exam).some(isAlike(told)));
    const [exam] = alike;
    return exam && alike.length === 1 && !this.#isNamed(exam) && isRenamed(exam, sent, told)
      ? { exam, isRenamed: true }
      : undefined;
  }

  #load(patient: string): Promise<void> {
    const known = this.#stored.get(patient);
    if (known) return known;
    const loaded = this.#reader
      .find('items', { is: { space: this.#space, patient }, limit: mostExams })
      .then((exams) => {
        for (const exam of exams) if (!this.#exams.has(exam.id)) this.add(exam);
      });
    this.#stored.set(patient, loaded);
    return loaded;
  }

  /** The exams of the patient that share a number with these. */
  #examsOf(patient: string, named: readonly Numbered[]): readonly StoredItem[] {
    const ids = new Set<string>();
    for (const number of numbersIn(named)) {
      for (const id of this.#numbered.get(keyOf(patient, number)) ?? []) ids.add(id);
    }
    return [...ids].map((id) => valueAt(this.#exams, id)).filter((exam) => exam.patient_id === patient);
  }

  #ordersOf(exam: StoredItem): readonly Order[] {
    const known = this.#orders.get(exam) ?? ordersIn(exam.metadata) ?? [];
    this.#orders.set(exam, known);
    return known;
  }
}

/** An exam, an item or an order. */
type Numbered = { readonly [Name in (typeof numberNames)[number]]?: unknown };
const numberNames = ['accession_number', 'placer_order_number', 'filler_order_number', 'order_id'] as const;

const numbersIn = (named: readonly Numbered[]): ReadonlySet<string> =>
  new Set(
    named.flatMap((each) =>
      numberNames.flatMap((name) => {
        const number = each[name];
        return typeof number === 'string' ? number : [];
      }),
    ),
  );

const keyOf = (patient: string, number: string): string => `${patient}\n${number}`;

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
    additionalNumbers(exam.metadata).length === 0 &&
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

const numbersOf = ({ filler_order_number, placer_order_number }: Order): readonly (string | undefined)[] => [
  filler_order_number,
  placer_order_number,
];

/** The number is the same, and who gives it where both say so. */
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
