/** The settings of fhir-in. */
import { array, integer, object, oneOf, string } from '../../../../../src/contract/schema.ts';
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
  lookback_days: integer({
    minimum: 0,
    maximum: 366,
    default: 1,
    description: 'How many days the first poll reaches back.',
  }),
  page_size: integer({ minimum: 1, maximum: 1000, default: 100, description: 'Resources per page.' }),
});
export type FhirInSettings = TypeOf<typeof fhirInSettings>;
