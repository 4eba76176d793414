/** The settings of fhir-in. */
import { array, integer, object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { fhirServerSettings } from '../fhir/settings.ts';
import { readingSettings } from '../../receiving/reading-settings.ts';

export const fhirTypes = ['ServiceRequest', 'ImagingStudy', 'Appointment'] as const;

export const fhirInSettings = object(fhirServerSettings.required, {
  ...fhirServerSettings.optional,
  time_zone: readingSettings.time_zone,
  resources: array(oneOf(fhirTypes, { description: 'A type of resource.' }), {
    minItems: 1,
    maxItems: fhirTypes.length,
    description: 'What is asked for. Default: `ServiceRequest`.',
  }),
  query: string({
    maxLength: 2000,
    pattern: '^[^#\\s]*$',
    description: 'Further conditions of the search, as in an address.',
    examples: ['category=363679005&status=active'],
  }),
  interval_seconds: integer({
    minimum: 5,
    maximum: 86_400,
    default: 60,
    description: 'How often the server is asked.',
  }),
  overlap_seconds: integer({
    minimum: 0,
    maximum: 86_400,
    default: 300,
    description: 'How far each question reaches back before the one before it: what a server stores late is found.',
  }),
  hook_token: string({
    minLength: 16,
    maxLength: 1000,
    pattern: '^[\\x21-\\x7e]+$',
    writeOnly: true,
    description:
      'The token by which the server may say that something changed (`POST /api/v1/channels/NAME/hook`): then it is asked at once. Default: it is asked by the interval alone.',
  }),
  lookback_days: integer({
    minimum: 0,
    maximum: 366,
    default: 1,
    description: 'How far the first question reaches back.',
  }),
  page_size: integer({ minimum: 1, maximum: 1000, default: 100, description: 'Resources a page.' }),
});
export type FhirInSettings = TypeOf<typeof fhirInSettings>;
