/** Answers of the FHIR server. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { fhirType } from '../../../src/contract/fhir-types.ts';

/** `resource`: also as JSON. `shows`: ids of the documents that it shows, for the audit trail. */
export const fhirAnswer = (resource: object | string, shows?: readonly string[], status = 200): RawOutput => ({
  status,
  headers: { 'Content-Type': fhirType },
  body: typeof resource === 'string' ? resource : JSON.stringify(resource),
  ...(shows && { shows }),
});
