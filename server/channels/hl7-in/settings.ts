/** The settings of hl7-in. */
import { integer, object, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { listeningSettings } from '../listening.ts';
import { readingSettings } from '../reading-settings.ts';

const name = (description: string) => string({ minLength: 1, maxLength: 180, description });

export const hl7InSettings = object(
  { port: integer({ minimum: 0, maximum: 65_535, description: 'The port to listen on; 0: any free one.' }) },
  {
    ...listeningSettings,
    receiving_application: name('What MSH-5 must be. Default: anything.'),
    receiving_facility: name('What MSH-6 must be. Default: anything.'),
    ...readingSettings,
    max_connections: integer({ minimum: 1, maximum: 1000, default: 64, description: 'Connections at a time.' }),
    max_kib: integer({ minimum: 1, maximum: 65_536, default: 1024, description: 'Largest message, in KiB.' }),
    frame_seconds: integer({
      minimum: 1,
      maximum: 600,
      default: 30,
      description: 'How long a message may take from its first byte to its last.',
    }),
    idle_seconds: integer({
      minimum: 1,
      maximum: 86_400,
      default: 3600,
      description: 'How long a connection may stay open without a message.',
    }),
    answer_seconds: integer({
      minimum: 1,
      maximum: 300,
      default: 10,
      description: 'After how long a message that cannot be stored is refused for the sender to repeat.',
    }),
  },
);
export type Hl7InSettings = TypeOf<typeof hl7InSettings>;
