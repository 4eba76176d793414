/** The settings of fhir-out. */
import { meanings, object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { orderStatusChoices } from './order-status.ts';
import { webServiceSettings } from '../web/settings.ts';
import { routingSettings } from '../../sending/routing.ts';

export const fhirOutSettings = object(webServiceSettings.required, {
  ...webServiceSettings.optional,
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
  order_status: oneOf(orderStatusChoices, {
    default: 'keep',
    description: meanings(
      'What is written back to the orders of an exam that came from this server, after the report. Needs the scope to read and write them.',
      {
        keep: 'nothing',
        task: 'open Tasks whose focus is the order: `in-progress` with a preliminary report, `completed` with a final one, which becomes their output',
        request: 'an active ServiceRequest: `completed` with a final report',
        both: 'both',
      },
    ),
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
