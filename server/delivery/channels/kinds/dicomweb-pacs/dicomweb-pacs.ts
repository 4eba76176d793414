/** dicomweb-pacs: studies of exams and former reports from a PACS, which is asked by DICOMweb (QIDO-RS, WADO-RS, PS3.18 10). */
import { channelKind } from '../../channel.ts';
import { dicomWebPacsSettings } from './settings.ts';

export const dicomWebPacs = channelKind({
  direction: 'in',
  title: 'Asks a PACS for the study of each exam and for former reports (QIDO-RS, WADO-RS)',
  settings: dicomWebPacsSettings,
  open: async (channel, deps) => (await import('./service.ts')).openService(channel, deps),
});
