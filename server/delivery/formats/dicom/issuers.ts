/** Who gave a number, as DICOM names them; no attributes where nobody is known. */
import type { Attribute } from '../../../../src/protocols/dimse/data-set.ts';
import { isAddress, oidOf } from '../order-data.ts';
import { unlimitedText } from './values.ts';

/** The universal id of an issuer, and its type (PS3.3 10.14). */
function universalId(system: string): readonly Attribute[] {
  const oid = oidOf(system);
  if (system === '' || (oid === undefined && !isAddress(system))) return [];
  return [
    ['00400032', 'UT', unlimitedText(oid ?? system)],
    ['00400033', 'CS', oid === undefined ? 'URI' : 'ISO'],
  ];
}

/** The HL7v2 Hierarchic Designator of an issuer (PS3.3 table 10-17). */
export function describeIssuer(name: string, system: string): readonly Attribute[] {
  const isName = name !== '' && oidOf(name) === undefined && !isAddress(name);
  return [...(isName ? ([['00400031', 'UT', unlimitedText(name)]] as const) : []), ...universalId(system || name)];
}

/** The item of Issuer of Patient ID Qualifiers (PS3.3 table 10-18). */
export const describePatientIdIssuer = (system: string, type: string): readonly Attribute[] => [
  ...universalId(system),
  ...(/^[A-Z\d _]{1,16}$/.test(type) ? ([['00400035', 'CS', type]] as const) : []),
];
