/** The order and the visit that a FHIR report refers to, with the identifiers from the order. */
import { isDeepStrictEqual } from 'node:util';
import type { WorklistItem } from '../../../src/contract/worklist.ts';
import type { ExamResources } from '../../../src/domain/fhir-references.ts';
import { areCancelled, byOrder, codeSystems, isAddress, oidOf, said, visitNumber } from './ordered.ts';

/** HL7 table 0203. */
const typeOf = (code: 'ACSN' | 'PLAC' | 'FILL' | 'VN') => ({
  coding: [{ system: 'http://terminology.hl7.org/CodeSystem/v2-0203', code }],
});

/** Assigner of an identifier: a URL, an OID, or a name. */
export function givenBy(issuer: string): { system?: string; assigner?: { display: string } } {
  if (issuer === '') return {};
  const oid = oidOf(issuer);
  if (oid !== undefined) return { system: `urn:oid:${oid}` };
  return isAddress(issuer) ? { system: issuer } : { assigner: { display: issuer } };
}

/** The accession number, by which imaging systems know an order. */
export const accession = (value: string, issuer = '') => ({ type: typeOf('ACSN'), value, ...givenBy(issuer) });

const accessionOf = (item: WorklistItem) =>
  item.accession_number ? [accession(item.accession_number, item.accession_issuer ?? '')] : [];

function numbersOf(item: WorklistItem) {
  const numbers = (['placer', 'filler'] as const).map((whose) => ({
    type: typeOf(whose === 'placer' ? 'PLAC' : 'FILL'),
    value: said(item, `${whose}_order_number`),
    ...givenBy(said(item, `${whose}_order_issuer`)),
  }));
  return numbers.filter(({ value }) => value !== '');
}

/** Identifiers of the report that come from its exam. */
export const examNumbers = (item: WorklistItem | null) => (item ? accessionOf(item) : []);

/** The ordered procedure; empty if it has no code. FHIR only allows URLs as systems. */
function orderedCoding(item: WorklistItem | null) {
  const code = said(item, 'procedure_code');
  if (code === '') return [];
  const named = said(item, 'procedure_code_system');
  const system = isAddress(named)
    ? named
    : (Object.keys(codeSystems).find((address) => codeSystems[address] === named) ?? givenBy(named).system);
  const display = said(item, 'procedure_text');
  return [{ ...(system !== undefined && { system }), code, ...(display !== '' && { display }) }];
}

/** Distinct procedures of the orders that are not cancelled. */
export function orderedCodings(item: WorklistItem | null) {
  const codings = byOrder(item).flatMap(orderedCoding);
  return codings.filter((coding, at) => codings.findIndex((other) => isDeepStrictEqual(other, coding)) === at);
}

/** References that the orders of an exam share. */
interface Around {
  /** The reference to the patient. */
  readonly patient: string;
  /** Resources that the receiver has itself. */
  readonly known: ExamResources | undefined;
}

/**
 * Orders are contained resources if one reference cannot name all their numbers and the receiver does not have them. Their status
 * is `unknown`, because only the placer knows it. A report is never based on a cancelled order.
 */
export function ordersOf(
  item: WorklistItem | null,
  around: Around,
): { contained: object[]; basedOn?: object[]; encounter?: object } {
  if (!item) return { contained: [] };
  const told = areCancelled(item) ? [] : byOrder(item);
  const orders = told.map((ordered, at) =>
    orderOf(ordered!, at === 0 ? 'order' : `order-${at + 1}`, { ...around, isOneOfSeveral: told.length > 1 }),
  );
  const basedOn = orders.flatMap((order) => order.basedOn);
  const encounter = encounterOf(item, around);
  return {
    contained: orders.flatMap((order) => order.contained),
    ...(basedOn.length > 0 && { basedOn }),
    ...(encounter && { encounter }),
  };
}

function encounterOf(item: WorklistItem, { known }: Around): object | undefined {
  const visit = visitNumber(item);
  if (visit === '' && known?.encounter === undefined) return undefined;
  return {
    ...(known?.encounter !== undefined && { reference: `Encounter/${known.encounter}` }),
    type: 'Encounter',
    ...(visit !== '' && { identifier: { type: typeOf('VN'), value: visit } }),
  };
}

/** If there are several orders, those without numbers differ by their procedures. */
function orderOf(
  item: WorklistItem,
  id: string,
  { patient, known, isOneOfSeveral }: Around & { readonly isOneOfSeveral: boolean },
): { contained: object[]; basedOn: object[] } {
  const [own, numbers] = [accessionOf(item), numbersOf(item)];
  const [identifier = numbers[0]] = own;
  const request = known?.requests.find((each) => each === said(item, 'order_id'));
  if (request !== undefined) {
    const reference = { reference: `ServiceRequest/${request}`, type: 'ServiceRequest' };
    return { contained: [], basedOn: [{ ...reference, ...(identifier && { identifier }) }] };
  }
  const coding = orderedCoding(item);
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
