/** All kinds of channel by name. A kind's large modules load when a channel of it opens. */
import type { AnyKind } from './channel.ts';
import { dicomMpps } from './kinds/dicom-mpps/dicom-mpps.ts';
import { dicomOut } from './kinds/dicom-out/dicom-out.ts';
import { dicomPacs } from './kinds/dicom-pacs/dicom-pacs.ts';
import { dicomWebPacs } from './kinds/dicomweb-pacs/dicomweb-pacs.ts';
import { dicomWorklist } from './kinds/dicom-worklist/dicom-worklist.ts';
import { dicomWorklistProvider } from './kinds/dicom-worklist-provider/dicom-worklist-provider.ts';
import { fhirIn } from './kinds/fhir-in/fhir-in.ts';
import { fhirOut } from './kinds/fhir-out/fhir-out.ts';
import { folderIn } from './kinds/folder-in/folder-in.ts';
import { folderOut } from './kinds/folder-out/folder-out.ts';
import { hl7In } from './kinds/hl7-in/hl7-in.ts';
import { hl7Out } from './kinds/hl7-out/hl7-out.ts';
import { httpOut } from './kinds/http-out/http-out.ts';

export const channelKinds: Readonly<Record<string, AnyKind>> = {
  'hl7-in': hl7In,
  'dicom-worklist': dicomWorklist,
  'dicom-worklist-provider': dicomWorklistProvider,
  'dicom-mpps': dicomMpps,
  'dicom-pacs': dicomPacs,
  'dicomweb-pacs': dicomWebPacs,
  'fhir-in': fhirIn,
  'folder-in': folderIn,
  'hl7-out': hl7Out,
  'fhir-out': fhirOut,
  'folder-out': folderOut,
  'http-out': httpOut,
  'dicom-out': dicomOut,
};
