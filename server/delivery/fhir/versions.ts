/** The version of FHIR that a client speaks, by the parameter `fhirVersion` of a media type. */
import { AppError } from '../../../src/contract/errors.ts';
import { fhirVersions } from '../../../src/contract/fhir-types.ts';
import type { FhirVersion } from '../../../src/contract/fhir-types.ts';

const parameter = /;\s*fhirVersion\s*=\s*"?(\d+\.\d+)/gi;

const listNamed = (mediaTypes: string | undefined): readonly (string | undefined)[] =>
  [...(mediaTypes ?? '').matchAll(parameter)].map(([, version]) => version);

/** The first version of an `Accept` header that this server speaks; `undefined`: it names none. */
export const findAccepted = (accept: string | undefined): FhirVersion | undefined => {
  const named = listNamed(accept);
  return named.map((each) => fhirVersions.find((version) => version === each)).find((each) => each !== undefined);
};

/** The version in which a body is written; `undefined`: its type names none. Throws UNSUPPORTED_MEDIA_TYPE for another one. */
export function readContentVersion(contentType: string | undefined): FhirVersion | undefined {
  const [named] = listNamed(contentType);
  const version = fhirVersions.find((each) => each === named);
  if (named === undefined || version !== undefined) return version;
  throw new AppError('UNSUPPORTED_MEDIA_TYPE', {
    message: `The fhirVersion of the media type must be one of ${fhirVersions.join(', ')}.`,
    details: { supported: fhirVersions.map((each) => `application/fhir+json; fhirVersion=${each}`) },
  });
}
