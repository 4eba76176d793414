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
      description: 'The port on which modalities are heard; 0 takes any that is free.',
      examples: [11_104],
    }),
  },
  {
    ...listeningSettings,
    title: title('Our application entity title; a modality that calls another is sent away.', { default: 'LAUDIO' }),
    callers: array(title('A title.'), {
      maxItems: 500,
      description: 'The titles of the modalities that may call. Default: all.',
    }),
    max_connections: integer({
      minimum: 1,
      maximum: 1000,
      default: 50,
      description: 'Most modalities that are connected at a time.',
    }),
    timeout_seconds: integer({
      minimum: 1,
      maximum: 3600,
      default: 60,
      description: 'How long a connected modality may say nothing.',
    }),
  },
);
export type DicomMppsSettings = TypeOf<typeof dicomMppsSettings>;
