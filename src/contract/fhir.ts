/** Signed reports as a FHIR server (extension): reads and searches, in the form of the International Patient Access guide. */
import { endpoint, group } from './endpoint.ts';
import { FhirReport } from './export.ts';
import { FhirBundle, fhirType, Resource, ResourceId } from './fhir-types.ts';
import { subscriptionEndpoints, topicEndpoints } from './fhir-subscription.ts';
import { integer, meanings, object, oneOf, string } from './schema.ts';
import { paging } from './shared.ts';

const byId = { params: object({ id: ResourceId }) } as const;
const access = { access: 'bearer', scope: 'medical_records:read', answer: [fhirType], extension: true } as const;

export const FhirPatient = Resource('FhirPatient', 'Patient', 'A FHIR R4 Patient.');
export const FhirBinary = Resource('FhirBinary', 'Binary', 'A FHIR R4 Binary, with the PDF in `data`.');
export const FhirCapabilities = Resource(
  'FhirCapabilityStatement',
  'CapabilityStatement',
  'A FHIR R4 CapabilityStatement.',
);
export const FhirVersions = Resource(
  'FhirVersions',
  'Parameters',
  'FHIR Parameters, each `version` and the `default`.',
);

const identifier = (whose: string) =>
  string({
    minLength: 1,
    maxLength: 300,
    description: `${whose}, alone or as \`system|value\`.`,
    examples: ['4711'],
  });
const reference = (type: string, description: string) =>
  string({ minLength: 1, maxLength: 300, pattern: `^(?:\\S*/)?(?:${type}/)?[A-Za-z0-9._-]{1,64}$`, description });

export const fhir = group({
  title: 'FHIR',
  description:
    'Signed and preliminary reports for programs that speak FHIR R4, or R4B or R5 by `Accept: application/fhir+json; fhirVersion=5.0`. Errors are those of the API, not OperationOutcomes.',
  endpoints: {
    capabilities: endpoint({
      method: 'GET',
      path: '/fhir/metadata',
      summary: 'Get the capability statement',
      description: 'What this FHIR server can do.',
      access: 'public',
      answer: [fhirType],
      responses: { 200: string({ description: 'The capability statement.' }) },
      jsonAnswer: FhirCapabilities,
      extension: true,
    }),
    versions: endpoint({
      method: 'GET',
      path: '/fhir/$versions',
      summary: 'List versions of FHIR',
      description: 'The versions that `fhirVersion` in `Accept` may name, and that of answers where it names none.',
      access: 'public',
      answer: [fhirType],
      responses: { 200: string({ description: 'The versions.' }) },
      jsonAnswer: FhirVersions,
      extension: true,
    }),
    search: endpoint({
      ...access,
      method: 'GET',
      path: '/fhir/DiagnosticReport',
      summary: 'Search reports',
      description:
        'Preliminary and final reports, newest first: those that meet all conditions. A PDF is not inside but at the address in `presentedForm`.',
      query: object(
        {},
        {
          patient: reference('Patient', 'Id or reference of a Patient of this server.'),
          'patient.identifier': identifier('Number of the patient'),
          'based-on': reference(
            'ServiceRequest',
            'Id or reference of the order: the id of its exam, with `-` for `_`.',
          ),
          'based-on.identifier': identifier('Accession number of the order'),
          identifier: identifier('Id of the record, or accession number of the exam'),
          _id: { ...ResourceId, description: 'Id of the report.' },
          status: oneOf(['preliminary', 'final', 'appended', 'amended', 'corrected'], {
            description: meanings('Status of the report. Default: any.', {
              preliminary: 'a resident signed it',
              final: 'it is signed',
              appended: 'more than what was signed',
              amended: 'the communication of a critical result was taken back or changed',
              corrected: 'it replaces another signed report',
            }),
          }),
          category: oneOf(['RAD'], { description: 'Category of the report: all are `RAD`.' }),
          _count: integer({ minimum: 1, maximum: 50, default: 20, description: 'Most reports on a page.' }),
          cursor: paging.cursor,
        },
      ),
      responses: { 200: string({ description: 'The page.' }) },
      jsonAnswer: FhirBundle,
      errors: ['SERVER_BUSY'],
    }),
    report: endpoint({
      ...access,
      ...byId,
      method: 'GET',
      path: '/fhir/DiagnosticReport/{id}',
      summary: 'Read a report',
      description: 'The present version of a preliminary or final report.',
      responses: { 200: string({ description: 'The report.' }) },
      jsonAnswer: FhirReport,
      errors: ['NOT_FOUND', 'SERVER_BUSY'],
    }),
    patient: endpoint({
      ...access,
      ...byId,
      method: 'GET',
      path: '/fhir/Patient/{id}',
      summary: 'Read a patient',
      description: 'The patient that a report refers to.',
      responses: { 200: string({ description: 'The patient.' }) },
      jsonAnswer: FhirPatient,
      errors: ['NOT_FOUND'],
    }),
    binary: endpoint({
      ...access,
      ...byId,
      method: 'GET',
      path: '/fhir/Binary/{id}',
      summary: 'Read the PDF of a report',
      description: 'The PDF to which `presentedForm` of a report refers; its id is that of the report.',
      responses: { 200: string({ description: 'The PDF, in Base64.' }) },
      jsonAnswer: FhirBinary,
      errors: ['NOT_FOUND', 'SERVER_BUSY'],
    }),
    ...subscriptionEndpoints,
    ...topicEndpoints,
  },
});
