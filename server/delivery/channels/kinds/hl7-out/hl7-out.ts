/** hl7-out: documents as HL7 v2 results, over MLLP. */
import { channelKind } from '../../channel.ts';
import { hl7OutSettings } from './settings.ts';

export const hl7Out = channelKind({
  direction: 'out',
  title: 'Sends each document as an HL7 v2 result (ORU^R01) over MLLP, until it is acknowledged',
  settings: hl7OutSettings,
  open: async (channel, deps) => (await import('./client.ts')).openClient(channel, deps),
});
