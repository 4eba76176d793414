/** The version of FHIR that a client speaks, by the parameter `fhirVersion` of a media type. */
import { AppError } from '../../../src/contract/errors.ts';
import { fhirVersions } from '../../../src/contract/fhir-types.ts';
import type { FhirVersion } from '../../../src/contract/fhir-types.ts';

const parameter = /;\s*fhirVersion\s*=\s*"?(\d+\.\d+)/gi;

const listNamed = (mediaTypes: string | undefined): readonly (string | undefined)[] =>
  [...(mediaTypes ?? '').matchAll(parameter)].map(([, version]) => version);

const isVersion = (named: string | undefined): named is FhirVersion =>
  fhirVersions.some((version) => version === named);

/** The first version of an `Accept` header that this server speaks; `undefined`: it names none. */
export const findAccepted = (accept: string | undefined): FhirVersion | undefined => listNamed(accept).find(isVersion);

/** The version in which a body is written; `undefined`: its type names none. Throws UNSUPPORTED_MEDIA_TYPE for another one. */
export function readContentVersion(contentType: string | undefined): FhirVersion | undefined {
  const [named] = listNamed(contentType);
  if (named === undefined || isVersion(named)) return named;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: `The fhirVersion of the media type must be one of ${fhirVersions.join(', ')}.`,
    details: { supported: fhirVersions.map((each) => `application/fhir+json; fhirVersion=${each}`) },
  });
}
