/** The order and the visit that a FHIR report refers to, with the identifiers from the order. */
import { isDeepStrictEqual } from 'node:util';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import type { ExamResources } from '../../../src/domain/fhir-references.ts';
import { isCancelled, splitByOrder, codeSystems, isAddress, oidOf, readText, visitNumber } from './order-data.ts';

/** HL7 table 0203. */
const typeOf = (code: 'ACSN' | 'PLAC' | 'FILL' | 'VN') => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code }],
});

/** Assigner of an identifier: a URL, an OID, or a name; and its system, where that is known apart from the name. */
export function toAssigner(issuer: string, known = ''): { system?: string; assigner?: { display: string } } {
  const own = known === '' ? undefined : toAssigner(known).system;
  if (own !== undefined) {
    const { assigner } = toAssigner(issuer);
    return { system: own, ...(assigner && { assigner }) };
  }
  if (issuer === '') return {};
  const oid = oidOf(issuer);
  if (oid !== undefined) return { system: `urn:oid:${oid}` };
  return isAddress(issuer) ? { system: issuer } : { assigner: { display: issuer } };
}

/** The accession number, by which imaging systems know an order. */
export const accession = (value: string, issuer = '', system = '') => ({
  type: typeOf('ACSN'),
  value,
  ...toAssigner(issuer, system),
});

const accessionOf = (item: WorklistItem) =>
  item.accession_number
    ? [accession(item.accession_number, item.accession_issuer ?? '', readText(item, 'accession_system'))]
    : [];

function listOrderNumbers(item: WorklistItem) {
  const numbers = (['placer', 'filler'] as const).map((whose) => ({
    type: typeOf(whose === 'placer' ? 'PLAC' : 'FILL'),
    value: readText(item, `${whose}_order_number`),
    ...toAssigner(readText(item, `${whose}_order_issuer`), readText(item, `${whose}_order_system`)),
  }));
  return numbers.filter(({ value }) => value !== '');
}

/** Identifiers of the report that come from its exam. */
export const listExamNumbers = (item: WorklistItem | null) => (item ? accessionOf(item) : []);

/** Codes of the ordered procedure, of up to two systems. */
const readCoding = (item: WorklistItem | null) => [
  ...toCoding(item, 'procedure_code', 'procedure_text', 'procedure_code_system'),
  ...toCoding(item, 'procedure_alternate_code', 'procedure_alternate_text', 'procedure_alternate_system'),
];

/** Empty if there is no code. FHIR only allows URLs as systems. */
function toCoding(item: WorklistItem | null, codeName: string, textName: string, systemName: string) {
  const code = readText(item, codeName);
  if (code === '') return [];
  const named = readText(item, systemName);
  const system = isAddress(named)
    ? named
    : (Object.keys(codeSystems).find((address) => codeSystems[address] === named) ?? toAssigner(named).system);
  const display = readText(item, textName);
  return [{ ...(system !== undefined && { system }), code, ...(display !== '' && { display }) }];
}

/** Distinct procedures of the orders that are not cancelled. */
export function listCodings(item: WorklistItem | null) {
  const codings = splitByOrder(item).flatMap(readCoding);
  return codings.filter((coding, at) => codings.findIndex((other) => isDeepStrictEqual(other, coding)) === at);
}

/** References that the orders of an exam share. */
interface OrderReferences {
  /** The reference to the patient. */
  readonly patient: string;
  /** Resources that the receiver has itself. */
  readonly known: ExamResources | undefined;
}

/**
 * Orders are contained resources if one reference cannot name all their numbers and the receiver does not have them. Their status
 * is `unknown`, because only the placer knows it. A report is never based on a cancelled order.
 */
export function buildOrders(
  item: WorklistItem | null,
  references: OrderReferences,
): { contained: object[]; basedOn?: object[]; encounter?: object } {
  if (!item) return { contained: [] };
  const active = isCancelled(item) ? [] : splitByOrder(item);
  const orders = active.map((ordered, at) =>
    buildOrder(ordered, at === 0 ? 'order' : `order-${at + 1}`, { ...references, isOneOfSeveral: active.length > 1 }),
  );
  const basedOn = orders.flatMap((order) => order.basedOn);
  const encounter = buildEncounter(item, references);
  return {
    contained: orders.flatMap((order) => order.contained),
    ...(basedOn.length > 0 && { basedOn }),
    ...(encounter && { encounter }),
  };
}

function buildEncounter(item: WorklistItem, { known }: OrderReferences): object | undefined {
  const visit = visitNumber(item);
  if (visit === '' && known?.encounter === undefined) return undefined;
  return {
    ...(known?.encounter !== undefined && { reference: `Encounter/${known.encounter}` }),
    type: 'Encounter',
    ...(visit !== '' && { identifier: { type: typeOf('VN'), value: visit } }),
  };
}

/** If there are several orders, those without numbers differ by their procedures. */
function buildOrder(
  item: WorklistItem,
  id: string,
  { patient, known, isOneOfSeveral }: OrderReferences & { readonly isOneOfSeveral: boolean },
): { contained: object[]; basedOn: object[] } {
  const [own, numbers] = [accessionOf(item), listOrderNumbers(item)];
  const [identifier = numbers[0]] = own;
  const request = known?.requests.find((each) => each === readText(item, 'order_id'));
  if (request !== undefined) {
    const reference = { reference: `ServiceRequest/${request}`, type: 'ServiceRequest' };
    return { contained: [], basedOn: [{ ...reference, ...(identifier && { identifier }) }] };
  }
  const coding = readCoding(item);
  const order = {
    resourceType: 'ServiceRequest',
    id,
    identifier: [...numbers, ...own],
    status: 'unknown',
    intent: 'order',
    ...(coding.length > 0 && { code: { coding, text: item.exam_description } }),
    subject: { reference: patient },
  };
  const isContained = numbers.length > 0 || isOneOfSeveral;
  const reference = { ...(isContained && { reference: `#${id}` }), type: 'ServiceRequest', identifier };
  return { contained: isContained ? [order] : [], basedOn: identifier ? [reference] : [] };
}
