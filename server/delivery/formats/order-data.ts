/** Data of the orders of an exam that its result repeats; the readers of orders store it in the metadata of the item. */
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { orderReasons } from '../../../src/domain/order-status.ts';
import { askedFields, isOpen, orderFacts, ordersIn } from '../../../src/domain/orders.ts';
import type { Order } from '../../../src/domain/orders.ts';

type Item = WorklistItem | null;

/** Text of a metadata entry; empty if there is none. */
export function readText(item: Item, key: string): string {
  const value = findEntry(item?.metadata ?? {}, key);
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
}

/**
 * A copy of the exam for each of its active orders, with the data of that order, or just the exam if its orders are not stored
 * separately. If all orders of a reported exam were cancelled, the report answers each of them.
 */
export function splitByOrder<I extends Item>(item: I): readonly [I | WorklistItem, ...WorklistItem[]] {
  if (!item) return [item];
  const orders = ordersIn(item.metadata) ?? [];
  const open = orders.filter(isOpen);
  const answered = orders.length === 1 ? onlyOrder : oneOrder;
  const [first = item, ...others] = (open.length > 0 ? open : orders).map((order) => answered(item, order));
  return [first, ...others];
}

/** Whether all orders of the exam were cancelled, or, if they have no numbers, the exam was cancelled by its orders. */
export function isCancelled({ metadata, status, reason }: WorklistItem): boolean {
  const orders = ordersIn(metadata) ?? [];
  if (orders.length > 0) return !orders.some(isOpen);
  return status === 'cancelled' && reason === orderReasons.cancelled;
}

/** A single order may have less data than its exam, whose description may be newer. */
const onlyOrder = (item: WorklistItem, order: Order): WorklistItem => ({
  ...withNumbers(order, item),
  metadata: { ...item.metadata, ...factsOf(order) },
});

/** One of several orders replaces all fields that orders have. */
function oneOrder(item: WorklistItem, order: Order): WorklistItem {
  const common = Object.entries(item.metadata ?? {}).filter(([name]) => !isFact(name));
  const asked = Object.fromEntries(
    askedFields.flatMap((name) => (order[name] === undefined ? [] : [[name, order[name]]])),
  );
  return {
    ...withNumbers(order, item),
    ...(order.procedure_text !== undefined && { exam_description: order.procedure_text }),
    ...asked,
    metadata: { ...Object.fromEntries(common), ...factsOf(order) },
  };
}

/** The exam with the accession number of the order, if it has one. */
function withNumbers({ accession_number, accession_issuer }: Order, item: WorklistItem): WorklistItem {
  if (accession_number === undefined) return item;
  const { accession_issuer: _, ...exam } = item;
  return { ...exam, accession_number, ...(accession_issuer !== undefined && { accession_issuer }) };
}

const factsOf = (order: Order) =>
  Object.fromEntries(orderFacts.flatMap((name) => (order[name] === undefined ? [] : [[name, order[name]]])));

const isFact = (name: string): boolean => (orderFacts as readonly string[]).includes(name);

export const visitNumber = (item: Item): string => readText(item, 'visit_number') || readText(item, 'admission_id');

/** The digits and dots of an OID; `undefined`: the name is none. */
export const oidOf = (name: string): string | undefined => /^(?:urn:oid:)?([0-2](?:\.\d+)+)$/i.exec(name)?.[1];

export const isAddress = (name: string): boolean => /^(?:https?:\/\/|urn:)\S+$/i.test(name);

/** Code systems of FHIR and DICOM with their names in HL7 v2 (table 0396). */
export const codeSystems: Readonly<Record<string, string>> = {
  'http://loinc.org': 'LN',
  'http://snomed.info/sct': 'SCT',
  'http://dicom.nema.org/resources/ontology/DCM': 'DCM',
  'http://www.ama-assn.org/go/cpt': 'C4',
  'http://hl7.org/fhir/sid/icd-10': 'I10',
  'http://radlex.org': 'RADLEX',
  'http://www.radlex.org': 'RADLEX',
};

/** CWE (2.A.13): the ordered procedure by the code of one system, and by that of another; `undefined`: it has no code. */
export function orderedProcedures(item: Item): readonly string[] | undefined {
  const code = readText(item, 'procedure_code');
  if (code === '') return undefined;
  const system = readText(item, 'procedure_code_system');
  const text = readText(item, 'procedure_text') || (item?.exam_description ?? '');
  return [code, text, nameSystem(system), ...alternateProcedure(item)];
}

function alternateProcedure(item: Item): readonly string[] {
  const code = readText(item, 'procedure_alternate_code');
  if (code === '') return [];
  return [code, readText(item, 'procedure_alternate_text'), nameSystem(readText(item, 'procedure_alternate_system'))];
}

/** The code system's name in HL7 v2. */
const nameSystem = (system: string): string => findEntry(codeSystems, system) ?? (system || 'L');
