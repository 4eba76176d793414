/** The conditions of a FHIR search, whatever form of their names a client uses. */
import { validationFailed } from '../../../src/contract/errors.ts';
import { fhir } from '../../../src/contract/fhir.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';

export const searchParameters: ReadonlySet<string> = new Set(Object.keys(fhir.endpoints.search.query.properties));

/** Other names of the same conditions, with modifiers (R4 3.1.1.5.4) or by another path. */
const sameAs: Readonly<Record<string, string>> = {
  subject: 'patient',
  'subject:Patient': 'patient',
  'patient:Patient': 'patient',
  'subject.identifier': 'patient.identifier',
  'subject:identifier': 'patient.identifier',
  'patient:identifier': 'patient.identifier',
  'subject:Patient.identifier': 'patient.identifier',
  'patient:Patient.identifier': 'patient.identifier',
  'based-on:identifier': 'based-on.identifier',
  'based-on:ServiceRequest': 'based-on',
  'based-on:ServiceRequest.identifier': 'based-on.identifier',
};

/** Conditions of R4 for reports that this server lacks. Without them the answer would have reports of other patients. */
const lacking: ReadonlySet<string> = new Set(
  'code conclusion date encounter issued media performer result results-interpreter specimen _content _filter _has _lastUpdated _list _profile _query _security _source _tag _text'.split(
    ' ',
  ),
);

/**
 * The same query with the names of the contract. VALIDATION_FAILED for a condition that cannot be met; other names are ignored, as FHIR
 * wants it (R4 3.1.1.4).
 */
export function readSearch<Query extends object>(query: Query): Query {
  const renamed = new Map<string, string>();
  for (const [name, value] of Object.entries(query)) {
    if (searchParameters.has(name)) continue;
    const own = findEntry(sameAs, name);
    const [base = ''] = name.split(/[:.]/);
    if (own === undefined) {
      if (searchParameters.has(base) || lacking.has(base)) throw refuse(name, `reports are not searched by ${name}`);
    } else if (Object.hasOwn(query, own) || renamed.has(own))
      throw refuse(name, `${name} and ${own} are one condition`);
    else renamed.set(own, checkValue(name, value));
  }
  return { ...query, ...Object.fromEntries(renamed) };
}

function checkValue(name: string, value: unknown): string {
  if (typeof value === 'string' && value !== '' && value.length <= maxValue) return value;
  throw refuse(name, `${name} is one text of at most ${maxValue} characters`);
}
/** As in the contract. */
const maxValue = 300;

const refuse = (field: string, message: string) =>
  validationFailed([
    { field, message: `${message}; search by ${[...searchParameters].join(', ')}`, code: 'INVALID_VALUE' },
  ]);
