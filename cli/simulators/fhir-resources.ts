/** The subset of FHIR R4 resources that simulators read and write. */

export type FhirResource = { readonly resourceType: string } & Readonly<Record<string, unknown>>;

/** Parses a resource from JSON; `undefined`: there is none. */
export function resourceIn(json: Buffer): FhirResource | undefined {
  try {
    const value: unknown = JSON.parse(json.toString());
    return isResource(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const isResource = (value: unknown): value is FhirResource =>
  typeof value === 'object' && value !== null && typeof (value as FhirResource).resourceType === 'string';

/** The resources of a Bundle; any other resource as the only one. */
export function listResources(resource: FhirResource): FhirResource[] {
  if (resource.resourceType !== 'Bundle') return [resource];
  const entries = Array.isArray(resource['entry']) ? (resource['entry'] as { resource?: unknown }[]) : [];
  return entries.flatMap((entry) => (isResource(entry?.resource) ? [entry.resource] : []));
}

export const outcome = (diagnostics: string) => ({
  resourceType: 'OperationOutcome',
  issue: [{ severity: 'error', code: 'processing', diagnostics }],
});

export const capabilities = {
  resourceType: 'CapabilityStatement',
  status: 'active',
  date: '2026-01-01',
  kind: 'instance',
  fhirVersion: '4.0.1',
  format: ['json'],
};
