/** The CapabilityStatement of the FHIR server. */
import { reportTopic } from '../../../src/contract/fhir-subscription.ts';
import type { FhirVersion } from '../../../src/contract/fhir-types.ts';
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

const listInteractions = (...codes: readonly string[]) => codes.map((code) => ({ code }));

const topics = {
  type: 'SubscriptionTopic',
  interaction: listInteractions('read', 'search-type'),
  searchParam: [{ name: 'url', type: 'uri' }],
};

/** The guide's profile, and where its operations are defined. */
const backportSubscription = {
  extension: [{ url: `${backport}/capabilitystatement-subscriptiontopic-canonical`, valueCanonical: reportTopic }],
  supportedProfile: [`${backport}/backport-subscription`],
};
const backportOperation = `${backport.replace('StructureDefinition', 'OperationDefinition')}/backport-subscription`;

interface Statement {
  readonly fhirVersion: string;
  readonly subscription: object;
  /** Start of the addresses of operations. */
  readonly operation: string;
  readonly others: readonly object[];
}

const statements: Readonly<Record<FhirVersion, Statement>> = {
  '4.0': { fhirVersion: '4.0.1', subscription: backportSubscription, operation: backportOperation, others: [] },
  '4.3': { fhirVersion: '4.3.0', subscription: backportSubscription, operation: backportOperation, others: [topics] },
  '5.0': {
    fhirVersion: '5.0.0',
    subscription: {},
    operation: 'http://hl7.org/fhir/OperationDefinition/Subscription',
    others: [topics],
  },
};

/** `base`: address of the server. `software`: the version of Laudio. */
export function buildCapabilities(base: string, version: FhirVersion, software: string): object {
  const { fhirVersion, subscription, operation, others } = statements[version];
  return {
    resourceType: 'CapabilityStatement',
    status: 'active',
    // A version always has the same statement.
    date: '2026-03-01',
    kind: 'instance',
    software: { name: 'Laudio', version: software },
    implementation: { description: 'Signed and preliminary reports', url: `${base}/fhir` },
    fhirVersion,
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
            interaction: listInteractions('read', 'search-type'),
            searchParam: params.DiagnosticReport.map(([name, type]) => ({ name, type })),
          },
          { type: 'Patient', interaction: listInteractions('read') },
          { type: 'Binary', interaction: listInteractions('read') },
          {
            type: 'Subscription',
            ...subscription,
            interaction: listInteractions('create', 'read', 'update', 'delete', 'search-type'),
            operation: ['status', 'events'].map((name) => ({ name, definition: `${operation}-${name}` })),
          },
          ...others,
        ],
        operation: [
          { name: 'versions', definition: 'http://hl7.org/fhir/OperationDefinition/CapabilityStatement-versions' },
        ],
      },
    ],
  };
}
