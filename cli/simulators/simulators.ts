/** The simulators of `laudio channel simulate`, by the kind of the channel. */
import type { Simulator } from './simulator.ts';

export const simulators: Readonly<Record<string, () => Promise<Simulator>>> = {
  'hl7-in': async () => (await import('./hl7-sender.ts')).hl7Sender,
  'hl7-out': async () => (await import('./hl7-receiver.ts')).hl7Receiver,
  'dicom-worklist': async () => (await import('./worklist-provider.ts')).worklistProvider,
  'dicom-worklist-provider': async () => (await import('./modality.ts')).worklistModality,
  'dicom-mpps': async () => (await import('./modality.ts')).modality,
  'dicom-pacs': async () => (await import('./pacs.ts')).pacs,
  'dicomweb-pacs': async () => (await import('./pacs-service.ts')).pacsService,
  'dicom-out': async () => (await import('./archive.ts')).archive,
  'fhir-in': async () => (await import('./fhir-provider.ts')).fhirProvider,
  'fhir-out': async () => (await import('./fhir-receiver.ts')).fhirReceiver,
  'http-out': async () => (await import('./http-receiver.ts')).httpReceiver,
  webhook: async () => (await import('./webhook-receiver.ts')).webhookReceiver,
  fhircast: async () => (await import('./viewer.ts')).viewer,
  'folder-in': async () => (await import('./folder-writer.ts')).folderWriter,
  'folder-out': async () => (await import('./folder-reader.ts')).folderReader,
};
