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
    description: 'What we ask for. Default: `system/DiagnosticReport.write system/Binary.write`.',
  }),
  mode: oneOf(['single', 'transaction'], {
    default: 'single',
    description:
      'How a report is stored. `single`: a DiagnosticReport with the PDF in it; `transaction`: the PDF as a Binary of its own, both at once.',
  }),
  identifier_system: string({
    minLength: 1,
    maxLength: 500,
    pattern: '^[A-Za-z][A-Za-z0-9+.-]*:[^\\s|]+$',
    default: 'urn:laudio:record',
    description: 'The system of the identifier by which later versions replace a report.',
  }),
  ...routingSettings,
});
export type FhirOutSettings = TypeOf<typeof fhirOutSettings>;
