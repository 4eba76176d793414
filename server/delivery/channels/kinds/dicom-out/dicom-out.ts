/** dicom-out: documents as DICOM objects to an archive. */
import { channelKind } from '../../channel.ts';
import { dicomOutSettings } from './settings.ts';

export const dicomOut = channelKind({
  direction: 'out',
  title: 'Stores each document in an archive, as DICOM objects (C-STORE)',
  settings: dicomOutSettings,
  open: async (channel) => (await import('./archive.ts')).openArchive(channel),
});
