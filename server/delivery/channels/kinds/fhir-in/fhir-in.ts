/** fhir-in: orders, studies and appointments of a FHIR server, which is asked for what is new. */
import { channelKind } from '../../channel.ts';
import { fhirInSettings } from './settings.ts';

export const fhirIn = channelKind({
  direction: 'in',
  title: 'Asks a FHIR server again and again for the orders that are new or have changed',
  settings: fhirInSettings,
  open: async (channel, deps) => (await import('./poll.ts')).openFhir(channel, deps),
});
