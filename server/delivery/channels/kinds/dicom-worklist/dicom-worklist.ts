/** dicom-worklist: orders from a worklist provider, which is asked again and again (C-FIND, PS3.4 K). */
import { channelKind } from '../../channel.ts';
import { dicomWorklistSettings } from './settings.ts';

export const dicomWorklist = channelKind({
  direction: 'in',
  title: 'Asks a DICOM worklist provider for the exams of some days, again and again (C-FIND)',
  settings: dicomWorklistSettings,
  open: async (channel, deps) => (await import('./poll.ts')).openWorklist(channel, deps),
});
