/** What the orders of an exam said and its result says again; the readers of orders keep it in the metadata of the item. */
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { entryOf } from '../../src/domain/entry-of.ts';
import { isPlainObject } from '../../src/domain/normalise.ts';
import { orderedName, orderFacts, ordersName } from '../../src/domain/order-status.ts';
import type { OrderFacts } from '../../src/domain/order-status.ts';

type Item = WorklistItem | null;

/** A text of the metadata; empty where there is none. */
export function said(item: Item, key: string): string {
  const value = entryOf(item?.metadata ?? {}, key);
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/**
 * The exam once for each of its orders that takes place, with what that order said of itself; the exam as it is where its
 * orders told nothing apart. An order that was first told by the filler's number alone, and later by both, is one.
 */
export function byOrder(item: Item): readonly [Item, ...Item[]] {
  const told = item?.metadata?.[orderedName];
  if (!item || !isPlainObject(told)) return [item];
  const states = item.metadata?.[ordersName];
  const orders: OrderFacts[] = [];
  for (const [number, facts] of Object.entries(told)) {
    if (!isPlainObject(facts) || (isPlainObject(states) && entryOf(states, number) === 'cancelled')) continue;
    const same = orders.findIndex((order) => isSame(order, facts));
    if (same === -1) orders.push(facts);
    else orders[same] = { ...orders[same], ...facts };
  }
  const [first = item, ...others] = orders.map((facts) => withFacts(item, facts));
  return [first, ...others];
}

/** The exam is described by the order that was told last; another one by its procedure. */
function withFacts(item: WorklistItem, facts: OrderFacts): WorklistItem {
  const common = Object.entries(item.metadata ?? {}).filter(([name]) => !isFact(name));
  const { procedure_text = item.exam_description } = facts;
  const isDescribed = procedure_text === said(item, 'procedure_text');
  return {
    ...item,
    exam_description: isDescribed ? item.exam_description : procedure_text,
    metadata: { ...Object.fromEntries(common), ...facts },
  };
}

const isFact = (name: string): boolean => (orderFacts as readonly string[]).includes(name);

/** Two orders may share a filler's number, such as the accession number; then their placer's numbers differ. */
function isSame(one: OrderFacts, other: OrderFacts): boolean {
  const numbers = ['placer_order_number', 'filler_order_number'] as const;
  const differs = numbers.some((name) => one[name] && other[name] && one[name] !== other[name]);
  return !differs && numbers.some((name) => one[name] && one[name] === other[name]);
}

export const visitNumber = (item: Item): string => said(item, 'visit_number') || said(item, 'admission_id');

/** The digits and dots of an object identifier; `undefined`: the name is none. */
export const oidOf = (name: string): string | undefined => /^(?:urn:oid:)?([0-2](?:\.\d+)+)$/i.exec(name)?.[1];

/** Code systems of FHIR and DICOM, and how HL7 v2 names them (table 0396). */
export const codeSystems: Readonly<Record<string, string>> = {
  'http://loinc.org': 'LN',
  'http://snomed.info/sct': 'SCT',
  'http://dicom.nema.org/resources/ontology/DCM': 'DCM',
  'http://www.ama-assn.org/go/cpt': 'C4',
  'http://hl7.org/fhir/sid/icd-10': 'I10',
  'http://radlex.org': 'RADLEX',
  'http://www.radlex.org': 'RADLEX',
};
