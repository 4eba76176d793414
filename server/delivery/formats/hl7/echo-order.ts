/** Data of an exam's order as fields of its result. */
import type { WorklistItem } from '../../../../src/contract/worklist.ts';
import { findEntry } from '../../../../src/domain/find-entry.ts';
import { isAddress, oidOf, readText } from '../order-data.ts';
import type { Field } from './segments.ts';

type Item = WorklistItem | null;

/** Maximum length of a local name (HD.1). */
const maxLocalName = 20;

/**
 * HD (2.A.33): a local name, an OID, or a URL. A local name that is too long for HD.1 goes as an id of the sender's own, unless the
 * authority has a system.
 */
export const authority = (name: string, system = ''): readonly [name: string, id: string, type: string] => {
  if (system !== '' && system !== name)
    return [[...name].length <= maxLocalName ? name : '', oidOf(system) ?? system, systemType(system)];
  const oid = oidOf(name);
  if (oid !== undefined) return ['', oid, 'ISO'];
  if (isAddress(name)) return ['', name, 'URI'];
  return [...name].length <= maxLocalName ? [name, '', ''] : ['', name, 'L'];
};

/** Table 0301. */
const systemType = (system: string): string => {
  if (oidOf(system) !== undefined) return 'ISO';
  if (isAddress(system)) return 'URI';
  return /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(system) ? 'UUID' : 'L';
};

/** CX (2.A.14): the id, its assigning authority, and its type. */
export const patientId = (item: WorklistItem): Field => [
  item.patient_id,
  '',
  '',
  authority(readText(item, 'patient_id_issuer'), readText(item, 'patient_id_system')),
  readText(item, 'patient_id_type'),
];

/** EI (2.A.28). */
const orderNumber = (item: Item, whose: 'placer' | 'filler'): Field => {
  const number = readText(item, `${whose}_order_number`);
  return number === ''
    ? ''
    : [number, ...authority(readText(item, `${whose}_order_issuer`), readText(item, `${whose}_order_system`))];
};

export const placerNumber = (item: Item): Field => orderNumber(item, 'placer');

/**
 * Without a filler number, the accession number identifies the result, else the exam id, which all documents of the exam share;
 * without an exam, the document id.
 */
export const fillerNumber = (item: Item, recordId: string): Field =>
  orderNumber(item, 'filler') || accessionNumber(item) || (item?.id ?? recordId);

const accessionNumber = (item: Item): Field =>
  item?.accession_number
    ? [item.accession_number, ...authority(item.accession_issuer ?? '', readText(item, 'accession_system'))]
    : '';

/** XCN (2.A.86): id, name, assigning authority. Senders without identifiers put the name in their place. */
export const referrer = (
  item: Item,
  [family = '', given = '', middle = '', suffix = '', prefix = '']: readonly string[],
): Field => {
  const said = readText(item, 'referring_physician_id');
  const id = said === item?.referring_physician ? '' : said;
  const text = (name: string): string => (id === '' ? '' : readText(item, `referring_physician_id_${name}`));
  return [id, family, given, middle, suffix, prefix, '', '', authority(text('issuer'), text('system'))];
};

/** Table 0485 by the DICOM terms (0040,1003), which the readers store. */
const priorities: Readonly<Record<string, string>> = {
  STAT: 'S',
  HIGH: 'A',
  URGENT: 'A',
  MEDIUM: 'T',
  ROUTINE: 'R',
  LOW: 'R',
};

/** An unknown priority is sent as text. */
export const priority = (item: Item): Field => {
  const word = readText(item, 'priority');
  return findEntry(priorities, word.toUpperCase()) ?? ['', word];
};
