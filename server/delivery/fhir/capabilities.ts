/** The CapabilityStatement of the FHIR server (R4). */

const params = {
  DiagnosticReport: [
    ['patient', 'reference'],
    ['based-on', 'reference'],
    ['identifier', 'token'],
    ['status', 'token'],
    ['category', 'token'],
  ],
} as const;

/** `base`: address of the server. */
export const buildCapabilities = (base: string, version: string): object => ({
  resourceType: 'CapabilityStatement',
  status: 'active',
  // A version always has the same statement.
  date: '2026-03-01',
  kind: 'instance',
  software: { name: 'Laudio', version },
  implementation: { description: 'Signed and preliminary reports', url: `${base}/fhir` },
  fhirVersion: '4.0.1',
  format: ['application/fhir+json'],
  rest: [
    {
      mode: 'server',
      security: {
        service: [
          {
            coding: [{ system: 'http://terminology.hl7.org/CodeSystem/restful-security-service', code: 'OAuth' }],
          },
        ],
      },
      resource: [
        {
          type: 'DiagnosticReport',
          interaction: [{ code: 'read' }, { code: 'search-type' }],
          searchParam: params.DiagnosticReport.map(([name, type]) => ({ name, type })),
        },
        { type: 'Patient', interaction: [{ code: 'read' }] },
        { type: 'Binary', interaction: [{ code: 'read' }] },
      ],
    },
  ],
});
