/** dicom-mpps: how far exams are, told by the modalities (Modality Performed Procedure Step, PS3.4 F). */
import { channelKind } from '../../channel.ts';
import { dicomMppsSettings } from './settings.ts';

export const dicomMpps = channelKind({
  direction: 'in',
  title: 'Hears from modalities which exams were begun, done and broken off (DICOM MPPS)',
  settings: dicomMppsSettings,
  open: async (channel, deps) => (await import('./provider.ts')).openProvider(channel, deps),
});
