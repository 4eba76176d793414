/** The CapabilityStatement of the FHIR server (R4). */

import { reportTopic } from '../../../src/contract/fhir-subscription.ts';
import { backport } from './subscription.ts';

const params = {
  DiagnosticReport: [
    ['_id', 'token'],
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
        {
          type: 'Subscription',
          extension: [
            {
              url: `${backport}/capabilitystatement-subscriptiontopic-canonical`,
              valueCanonical: reportTopic,
            },
          ],
          supportedProfile: [`${backport}/backport-subscription`],
          interaction: ['create', 'read', 'update', 'delete', 'search-type'].map((code) => ({ code })),
          operation: [
            {
              name: 'status',
              definition: `${backport.replace('StructureDefinition', 'OperationDefinition')}/backport-subscription-status`,
            },
            {
              name: 'events',
              definition: `${backport.replace('StructureDefinition', 'OperationDefinition')}/backport-subscription-events`,
            },
          ],
        },
      ],
    },
  ],
});
