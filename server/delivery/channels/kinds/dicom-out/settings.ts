/** The settings of dicom-out. */
import { array, meanings, object, oneOf } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { dicomPeerSettings } from '../dicom/settings.ts';
import { routingSettings } from '../../sending/routing.ts';

export const dicomOutSettings = object(dicomPeerSettings.required, {
  ...dicomPeerSettings.optional,
  objects: array(
    oneOf(['dicom-pdf', 'dicom-sr', 'dicom-enhanced-sr', 'dicom-measurements'], { description: 'A kind of object.' }),
    {
      minItems: 1,
      maxItems: 4,
      description:
        'What is stored: the PDF (Encapsulated PDF), the text (Basic Text SR), the text with its measurements as values (Enhanced SR), the measurements alone, if there are any (TID 1500). Default: `dicom-pdf`.',
    },
  ),
  ...routingSettings,
  without_study: oneOf(['wait', 'make'], {
    default: 'wait',
    description: meanings('What happens to the documents of an exam without a study UID.', {
      wait: 'they wait until a message names the study of the images',
      make: 'they are stored in a separate study, apart from any images',
    }),
  }),
});
export type DicomOutSettings = TypeOf<typeof dicomOutSettings>;
