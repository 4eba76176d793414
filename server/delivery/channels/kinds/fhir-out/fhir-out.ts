/** fhir-out: documents as FHIR DiagnosticReports. */
import { channelKind } from '../../channel.ts';
import { fhirOutSettings } from './settings.ts';

export const fhirOut = channelKind({
  direction: 'out',
  title: 'Stores each document as a DiagnosticReport on a FHIR server; a later version replaces it',
  settings: fhirOutSettings,
  open: async (channel, deps) => (await import('./reports.ts')).openReports(channel, deps),
});
