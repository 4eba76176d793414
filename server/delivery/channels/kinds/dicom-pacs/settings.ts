/** The settings of dicom-pacs. */
import { array, integer, meanings, object, oneOf, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { dicomPeerSettings } from '../dicom/settings.ts';
import { pacsSettings } from '../pacs/settings.ts';

export const dicomPacsSettings = object(dicomPeerSettings.required, {
  ...dicomPeerSettings.optional,
  ...pacsSettings,
  retrieve: oneOf(['get', 'move'], {
    default: 'get',
    description: meanings('How reports are fetched.', {
      get: 'over the connection on which they are asked for (C-GET)',
      move: 'the PACS connects to `receive_port` (C-MOVE), and knows `calling_title` with this address as a destination',
    }),
  }),
  receive_port: integer({
    minimum: 0,
    maximum: 65_535,
    description: 'The port on which reports of a C-MOVE arrive; 0: any free one.',
    examples: [11_106],
  }),
  receive_host: string({
    minLength: 1,
    maxLength: 253,
    default: '127.0.0.1',
    description: 'The address of this computer for that; one that other computers reach needs `peers` or TLS.',
  }),
  peers: array(
    string({ minLength: 1, maxLength: 64, description: 'An address, or a network such as `10.1.0.0/16`.' }),
    { maxItems: 100, description: 'Who may connect there. Default: anyone who can reach the address.' },
  ),
});
export type DicomPacsSettings = TypeOf<typeof dicomPacsSettings>;
