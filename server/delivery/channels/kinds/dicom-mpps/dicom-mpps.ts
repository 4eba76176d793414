/** dicom-mpps: progress of exams, reported by modalities (Modality Performed Procedure Step, PS3.4 F). */
import { channelKind } from '../../channel.ts';
import { dicomMppsSettings } from './settings.ts';

export const dicomMpps = channelKind({
  direction: 'in',
  isEverywhere: true,
  title: 'Learns from modalities which exams were started, completed and discontinued (DICOM MPPS)',
  settings: dicomMppsSettings,
  open: async (channel, deps) => (await import('./provider.ts')).openProvider(channel, deps),
});
