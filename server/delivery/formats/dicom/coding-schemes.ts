/** Designators of coding systems (PS3.16 table 8-1). A system that DICOM does not list gets a private one, which begins with 99 (8.2). */
import { createHash } from 'node:crypto';
import { findEntry } from '../../../../src/domain/find-entry.ts';
import { oidOf } from '../order-data.ts';
import type { Item } from './modules.ts';

/** The keys are names in capitals, OIDs and URLs of the systems that orders name. */
const designators: Readonly<Record<string, string>> = {
  ...namesFor('LN', 'LN LOINC 2.16.840.1.113883.6.1 HTTP://LOINC.ORG'),
  ...namesFor('SCT', 'SCT SNOMED SNOMED-CT 2.16.840.1.113883.6.96 HTTP://SNOMED.INFO/SCT'),
  ...namesFor('DCM', 'DCM 1.2.840.10008.2.16.4 HTTP://DICOM.NEMA.ORG/RESOURCES/ONTOLOGY/DCM'),
  ...namesFor('C4', 'C4 CPT CPT4 CPT-4 2.16.840.1.113883.6.12 HTTP://WWW.AMA-ASSN.ORG/GO/CPT'),
  ...namesFor('I10', 'I10 ICD10 ICD-10 2.16.840.1.113883.6.3 HTTP://HL7.ORG/FHIR/SID/ICD-10'),
  ...namesFor('RADLEX', 'RADLEX 2.16.840.1.113883.6.256 HTTP://RADLEX.ORG HTTP://WWW.RADLEX.ORG'),
  ...namesFor('UCUM', 'UCUM 2.16.840.1.113883.6.8 HTTP://UNITSOFMEASURE.ORG'),
  ...namesFor('SRT', 'SRT'),
};

function namesFor(designator: string, names: string): Record<string, string> {
  return Object.fromEntries(names.split(' ').map((name) => [name, designator]));
}

/** `undefined`: DICOM does not list the system. */
export const findDesignator = (system: string): string | undefined =>
  findEntry(designators, (oidOf(system.trim()) ?? system.trim()).toUpperCase());

/** The designator of a system by its name, OID or URL; empty if it has none of these. */
export function designate(system: string): string {
  const name = system.trim();
  if (name === '') return '';
  const known = findDesignator(name);
  if (known !== undefined) return known;
  // Table 0396 of HL7: a local system without a name.
  if (name === 'L') return '99LOCAL';
  if (/^99[\w-]{1,14}$/.test(name)) return name;
  if (/^[\w-]{1,14}$/.test(name)) return `99${name}`;
  return `99${createHash('sha256').update(name).digest('hex').slice(0, 14).toUpperCase()}`;
}

const ours: Readonly<Record<string, string>> = {
  '99LAUDIO': 'Sections, notices and measurements of Laudio',
  '99LICENCE': 'Licence numbers of physicians',
};

/** Coding Scheme Identification Sequence of the private systems among these, and their names (PS3.3 table C.12-1). */
export function identifySchemes(systems: readonly string[]): Item {
  const byDesignator = new Map(systems.map((system) => [designate(system), system.trim()]));
  const schemes = [...byDesignator].flatMap(([designator, system]): Item[] => {
    if (!designator.startsWith('99')) return [];
    const oid = oidOf(system);
    return [
      [
        ['00080102', 'SH', designator],
        ...(oid === undefined ? [] : ([['0008010C', 'UI', oid]] as const)),
        ['00080115', 'ST', findEntry(ours, designator) ?? system.replaceAll('\\', '/').slice(0, 1024)],
      ],
    ];
  });
  return schemes.length > 0 ? [['00080110', 'SQ', schemes]] : [];
}
