/** The settings of fhir-in. */
import { array, integer, meanings, object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { webServiceSettings } from '../web/settings.ts';
import { readingSettings } from '../../receiving/reading-settings.ts';

export const fhirTypes = ['ServiceRequest', 'ImagingStudy', 'Appointment'] as const;

export const fhirInSettings = object(webServiceSettings.required, {
  ...webServiceSettings.optional,
  time_zone: readingSettings.time_zone,
  resources: array(oneOf(fhirTypes, { description: 'A type of resource.' }), {
    minItems: 1,
    maxItems: fhirTypes.length,
    description: 'Types of resources to poll. Default: `ServiceRequest`.',
  }),
  query: string({
    maxLength: 2000,
    pattern: '^[^#\\s]*$',
    description: 'Additional search parameters, as in a URL.',
    examples: ['category=363679005&status=active'],
  }),
  interval_seconds: integer({
    minimum: 5,
    maximum: 86_400,
    default: 60,
    description: 'Interval between polls.',
  }),
  overlap_seconds: integer({
    minimum: 0,
    maximum: 86_400,
    default: 300,
    description: 'Overlap with the previous poll, which finds what the server stored late.',
  }),
  hook_token: string({
    minLength: 16,
    maxLength: 1000,
    pattern: '^[\\x21-\\x7e]+$',
    writeOnly: true,
    description:
      'Token for notifications of the server that something changed (`POST /api/v1/channels/NAME/hook`), which cause a poll at once. Default: only the interval causes polls.',
  }),
  subscribe: oneOf(['r4b', 'r5'], {
    description: meanings(
      'Has the channel make a Subscription at the FHIR server and keep it; needs `subscription_topic`, `hook_url` and `hook_token`. Default: none.',
      {
        r4b: 'in the form of R4 and R4B with the backport guide',
        r5: 'in the form of R5',
      },
    ),
  }),
  subscription_topic: string({
    format: 'uri',
    maxLength: 2000,
    pattern: '^\\S+$',
    description: 'Canonical URL of the topic at the FHIR server.',
    examples: ['http://ris.example.org/topics/imaging-orders'],
  }),
  hook_url: string({
    format: 'uri',
    maxLength: 2000,
    pattern: '^https?://[^?#]+$',
    description: 'Base URL of this server as the FHIR server reaches it.',
    examples: ['https://laudio.hospital.example'],
  }),
  safety_seconds: integer({
    minimum: 60,
    maximum: 86_400,
    default: 900,
    description: 'Interval between polls while the Subscription works and sends its heartbeats.',
  }),
  lookback_days: integer({
    minimum: 0,
    maximum: 366,
    default: 1,
    description: 'How many days the first poll reaches back.',
  }),
  export_path: string({
    pattern: '^(?:Patient/|Group/[A-Za-z0-9.-]{1,64}/)?\\$export$',
    maxLength: 100,
    default: '$export',
    description: 'The Bulk Data operation by which `laudio channel import` reads all orders.',
    examples: ['Group/imaging/$export'],
  }),
  file_origins: array(
    string({
      maxLength: 300,
      pattern: '^https?://[^/?#@,\\s]+$',
      description: 'An origin: scheme, host and port.',
      examples: ['https://storage.example.org'],
    }),
    {
      minItems: 1,
      maxItems: 20,
      description:
        'Origins besides that of `base_url` at which files of a Bulk Data export may be. They get the token only if the server says that its files need one (`requiresAccessToken`), and never the certificate.',
    },
  ),
  page_size: integer({ minimum: 1, maximum: 1000, default: 100, description: 'Resources per page.' }),
});
export type FhirInSettings = TypeOf<typeof fhirInSettings>;
