/** The settings of dicom-mpps. */
import { array, integer, object, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { title } from '../dicom/settings.ts';

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
    host: string({
      minLength: 1,
      maxLength: 255,
      default: '127.0.0.1',
      description: 'The address of this computer on which modalities are heard; `0.0.0.0` is all of them.',
    }),
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
