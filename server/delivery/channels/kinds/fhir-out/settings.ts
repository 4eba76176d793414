/** The settings of fhir-out. */
import { object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { fhirServerSettings } from '../fhir/settings.ts';
import { routingSettings } from '../../sending/routing.ts';

export const fhirOutSettings = object(fhirServerSettings.required, {
  ...fhirServerSettings.optional,
  scope: string({
    minLength: 1,
    maxLength: 2000,
    description: 'Requested scope. Default: `system/DiagnosticReport.write system/Binary.write`.',
  }),
  mode: oneOf(['single', 'transaction'], {
    default: 'single',
    description:
      'How a report is stored. `single`: a DiagnosticReport with the PDF in it; `transaction`: the PDF as a separate Binary, both in one transaction.',
  }),
  identifier_system: string({
    minLength: 1,
    maxLength: 500,
    pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s|]+$',
    default: 'urn:laudio:record',
    description: 'System of the identifier that later versions of a report share.',
  }),
  ...routingSettings,
});
export type FhirOutSettings = TypeOf<typeof fhirOutSettings>;
