/** fhir-in: orders, studies and appointments of a FHIR server, which is polled for changes. */
import { channelKind } from '../../channel.ts';
import { fhirInSettings } from './settings.ts';

export const fhirIn = channelKind({
  direction: 'in',
  takesImport: true,
  title: 'Polls a FHIR server for new and changed orders',
  settings: fhirInSettings,
  open: async (channel, deps) => (await import('./poll.ts')).openFhir(channel, deps),
});
