/** dicom-pacs: studies of exams and former reports from a PACS, which is asked by DICOM (C-FIND, C-GET, C-MOVE, PS3.4 C). */
import { channelKind } from '../../channel.ts';
import { dicomPacsSettings } from './settings.ts';

export const dicomPacs = channelKind({
  direction: 'in',
  title: 'Asks a PACS for the study of each exam and for former reports (C-FIND; C-GET or C-MOVE)',
  settings: dicomPacsSettings,
  open: async (channel, deps) => (await import('./archive.ts')).openArchive(channel, deps),
});
