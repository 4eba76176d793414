/** Every kind of channel, by its name. What a kind works with loads when a channel of it opens. */
import type { AnyKind } from './channel.ts';
import { dicomMpps } from './dicom-mpps/dicom-mpps.ts';
import { dicomOut } from './dicom-out/dicom-out.ts';
import { dicomWorklist } from './dicom-worklist/dicom-worklist.ts';
import { fhirIn } from './fhir-in/fhir-in.ts';
import { fhirOut } from './fhir-out/fhir-out.ts';
import { folderIn } from './folder-in/folder-in.ts';
import { folderOut } from './folder-out/folder-out.ts';
import { hl7In } from './hl7-in/hl7-in.ts';
import { hl7Out } from './hl7-out/hl7-out.ts';
import { httpOut } from './http-out/http-out.ts';

export const channelKinds: Readonly<Record<string, AnyKind>> = {
  'hl7-in': hl7In,
  'dicom-worklist': dicomWorklist,
  'dicom-mpps': dicomMpps,
  'fhir-in': fhirIn,
  'folder-in': folderIn,
  'hl7-out': hl7Out,
  'fhir-out': fhirOut,
  'folder-out': folderOut,
  'http-out': httpOut,
  'dicom-out': dicomOut,
};
