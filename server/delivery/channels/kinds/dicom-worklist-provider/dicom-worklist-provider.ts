/** dicom-worklist-provider: gives modalities their worklist (C-FIND, PS3.4 K), and takes their performed steps (MPPS). */
import { channelKind } from '../../channel.ts';
import { dicomWorklistProviderSettings } from './settings.ts';

export const dicomWorklistProvider = channelKind({
  direction: 'in',
  isEverywhere: true,
  title: 'Gives modalities their worklist, and learns from them how far exams are (C-FIND, MPPS)',
  settings: dicomWorklistProviderSettings,
  open: async (channel, deps) => (await import('./provider.ts')).openWorklistProvider(channel, deps),
});
