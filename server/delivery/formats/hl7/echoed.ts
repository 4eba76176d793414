/** What the order of an exam said, as fields of its result. */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { findEntry } from '../../../../src/domain/find-entry.ts';
import { isAddress, oidOf, said } from '../ordered.ts';
import type { Field } from './segments.ts';

type Item = WorklistItem | null;

/** HD (2.A.33): a name of its own, an OID, or an address. */
const authority = (name: string): readonly [name: string, id: string, type: string] => {
  const oid = oidOf(name);
  if (oid !== undefined) return ['', oid, 'ISO'];
  return isAddress(name) ? ['', name, 'URI'] : [name, '', ''];
};

/** CX (2.A.14): the id, and who gave it. */
export const patientId = (item: WorklistItem): Field => [
  item.patient_id,
  '',
  '',
  authority(said(item, 'patient_id_issuer')),
];

/** EI (2.A.28). */
const orderNumber = (item: Item, whose: 'placer' | 'filler'): Field => {
  const number = said(item, `${whose}_order_number`);
  return number === '' ? '' : [number, ...authority(said(item, `${whose}_order_issuer`))];
};

export const placerNumber = (item: Item): Field => orderNumber(item, 'placer');

/**
 * The accession number stands in for the filler's, else the id of the exam, by which all documents of the exam are one result; and the id
 * of the document where there is no exam.
 */
export const fillerNumber = (item: Item, recordId: string): Field =>
  orderNumber(item, 'filler') || (item?.accession_number ?? item?.id ?? recordId);

/** XCN (2.A.86). Of senders that know no identifiers, the name came in the place of one. */
export const referrerId = (item: Item): string => {
  const id = said(item, 'referring_physician_id');
  return id === item?.referring_physician ? '' : id;
};

/** Table 0485, by the terms of DICOM (0040,1003), which the readers write. */
const priorities: Readonly<Record<string, string>> = {
  STAT: 'S',
  HIGH: 'A',
  URGENT: 'A',
  MEDIUM: 'T',
  ROUTINE: 'R',
  LOW: 'R',
};

/** A priority in other words is given in these. */
export const priority = (item: Item): Field => {
  const word = said(item, 'priority');
  return findEntry(priorities, word.toUpperCase()) ?? ['', word];
};
