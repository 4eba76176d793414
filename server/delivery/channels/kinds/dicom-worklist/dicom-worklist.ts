/** dicom-worklist: orders from a worklist provider, which is polled (C-FIND, PS3.4 K). */
import { channelKind } from '../../channel.ts';
import { dicomWorklistSettings } from './settings.ts';

export const dicomWorklist = channelKind({
  direction: 'in',
  title: 'Polls a DICOM worklist provider for the exams of some days (C-FIND)',
  settings: dicomWorklistSettings,
  open: async (channel, deps) => (await import('./poll.ts')).openWorklist(channel, deps),
});
