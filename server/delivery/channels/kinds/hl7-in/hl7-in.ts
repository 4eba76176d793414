/** hl7-in: orders and changes of patients by HL7 v2 over MLLP. */
import { channelKind } from '../../channel.ts';
import { hl7InSettings } from './settings.ts';

export const hl7In = channelKind({
  direction: 'in',
  isEverywhere: true,
  title: 'Receives HL7 v2 orders, appointments and changes of patients over MLLP, and acknowledges each',
  settings: hl7InSettings,
  open: async (channel, deps) => (await import('./listener.ts')).openListener(channel, deps),
});
