/** The settings of dicom-out. */
import { array, object, oneOf } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { dicomPeerSettings } from '../dicom/settings.ts';
import { routingSettings } from '../routing.ts';

export const dicomOutSettings = object(dicomPeerSettings.required, {
  ...dicomPeerSettings.optional,
  objects: array(oneOf(['dicom-pdf', 'dicom-sr'], { description: 'A kind of object.' }), {
    minItems: 1,
    maxItems: 2,
    description: 'What is stored: the PDF (Encapsulated PDF), the text (Basic Text SR), or both. Default: `dicom-pdf`.',
  }),
  ...routingSettings,
});
export type DicomOutSettings = TypeOf<typeof dicomOutSettings>;
