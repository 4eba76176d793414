/** The settings of dicom-mpps. */
import { array, integer, object } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { title } from '../dicom/settings.ts';
import { listeningSettings } from '../../listening.ts';

export const dicomMppsSettings = object(
  {
    port: integer({
      minimum: 0,
      maximum: 65_535,
      description: 'The port to listen on; 0: any free one.',
      examples: [11_104],
    }),
  },
  {
    ...listeningSettings,
    title: title('Application entity title of this server; a modality that calls another one is rejected.', {
      default: 'LAUDIO',
    }),
    callers: array(title('A title.'), {
      maxItems: 500,
      description: 'Titles of the modalities that may connect. Default: all.',
    }),
    max_connections: integer({
      minimum: 1,
      maximum: 1000,
      default: 50,
      description: 'Maximum of modalities connected at a time.',
    }),
    timeout_seconds: integer({
      minimum: 1,
      maximum: 3600,
      default: 60,
      description: 'How long a connected modality may stay silent.',
    }),
  },
);
export type DicomMppsSettings = TypeOf<typeof dicomMppsSettings>;
