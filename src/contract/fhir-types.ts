/** Types that calls of the FHIR server share. */
import { array, literal, named, object, oneOf, string } from './schema.ts';

export const fhirType = 'application/fhir+json; charset=utf-8';

/** R4, R4B and R5, as the parameter `fhirVersion` of a media type names them. */
export const fhirVersions = ['4.0', '4.3', '5.0'] as const;
export type FhirVersion = (typeof fhirVersions)[number];
/** The version where a client names none. */
export const defaultVersion = '4.0' satisfies FhirVersion;

export const ResourceId = string({
  minLength: 1,
  maxLength: 64,
  pattern: '^[A-Za-z0-9._-]+$',
  description: 'Id of the resource, also as the API writes it, with `_`.',
  examples: ['rec-01JNBK4V9Q0000000000000000'],
});
export const Resource = (title: string, resourceType: string, description: string) =>
  named(
    title,
    object(
      { resourceType: literal(resourceType, { description: `Always \`${resourceType}\`.` }) },
      {},
      { additionalProperties: true },
    ),
    description,
  );

export const FhirBundle = named(
  'FhirBundle',
  object(
    {
      resourceType: literal('Bundle', { description: 'Always `Bundle`.' }),
      type: oneOf(['searchset', 'history', 'subscription-notification'], {
        description: '`history` for notifications, in R5 `subscription-notification`.',
      }),
    },
    {
      entry: array(object({}, {}, { additionalProperties: true }), {
        description: 'What was found, each as `resource`. Absent: there is nothing.',
      }),
    },
    { additionalProperties: true },
  ),
  'What a search found. `link` with the relation `next` has the address of the next page.',
);
