/** What the order of an exam said and its result says again; the readers of orders keep it in the metadata of the item. */
import type { WorklistItem } from '../../src/contract/worklist.ts';
import { entryOf } from '../../src/domain/entry-of.ts';

type Item = WorklistItem | null;

/** A text of the metadata; empty where there is none. */
export function said(item: Item, key: string): string {
  const value = entryOf(item?.metadata ?? {}, key);
  return typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
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
