/** Resources of R4 as another version has them. */
import type { FhirVersion } from '../../../src/contract/fhir-types.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { isPlainObject } from '../../../src/domain/normalise.ts';

type Resource = Readonly<Record<string, unknown>>;

/** Elements of R5 that have another name or type; R4B has those of R4. */
const changes: Readonly<Record<string, (resource: Resource) => Resource>> = {
  DiagnosticReport: ({ imagingStudy: study, contained, ...report }) => ({
    ...report,
    ...(Array.isArray(contained) && { contained: contained.filter(isPlainObject).map(toR5) }),
    ...(study !== undefined && { study }),
  }),
  ServiceRequest: ({ code, ...order }) => ({ ...order, ...(code !== undefined && { code: { concept: code } }) }),
  Communication: ({ payload, ...communication }) => ({
    ...communication,
    ...(Array.isArray(payload) && {
      payload: payload.filter(isPlainObject).map(({ contentString: text }) => ({ contentCodeableConcept: { text } })),
    }),
  }),
};

const toR5 = (resource: Resource): Resource =>
  findEntry(changes, String(resource['resourceType']))?.(resource) ?? resource;

export const inVersion = (resource: Resource, version: FhirVersion): Resource =>
  version === '5.0' ? toR5(resource) : resource;
