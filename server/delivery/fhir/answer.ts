/** Answers of the FHIR server. */
import type { RawOutput } from '../../../src/contract/endpoint.ts';
import { defaultVersion, fhirType } from '../../../src/contract/fhir-types.ts';
import type { FhirVersion } from '../../../src/contract/fhir-types.ts';

interface AnswerOptions {
  /** Ids of the documents that it shows, for the audit trail. */
  readonly shows?: readonly string[];
  readonly status?: number;
  readonly version?: FhirVersion | undefined;
}

/** `resource`: also as JSON. */
export const fhirAnswer = (
  resource: object | string,
  { shows, status = 200, version = defaultVersion }: AnswerOptions = {},
): RawOutput => ({
  status,
  headers: { 'Content-Type': version === defaultVersion ? fhirType : `${fhirType}; fhirVersion=${version}` },
  body: typeof resource === 'string' ? resource : JSON.stringify(resource),
  ...(shows && { shows }),
});
