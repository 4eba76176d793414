/** What a FHIR resource refers to, as far as that says something of an exam. */
import { isPlainObject } from './normalise.ts';

const followed =
  /^(Patient|Practitioner|PractitionerRole|Organization|Location|Encounter|ServiceRequest)\/[A-Za-z0-9.-]{1,64}$/;

/** How far references are followed: the role of a practitioner, and the practitioner of the role. */
export const deepestReference = 2;

/** The names (`Patient/7`) of the resources to which a resource refers, wherever in it. */
export function namesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(namesIn);
  if (!isPlainObject(value)) return [];
  const { reference, ...rest } = value;
  const name =
    typeof reference === 'string'
      ? /(?<![^/])[^/]+\/[^/]+$/.exec(reference.split('/_history/', 1)[0]!)?.[0]
      : undefined;
  return [...(name !== undefined && followed.test(name) ? [name] : []), ...Object.values(rest).flatMap(namesIn)];
}
