/** The settings of hl7-in. */
import { array, integer, object, string } from '../../../../../src/contract/schema.ts';
import type { TypeOf } from '../../../../../src/contract/schema.ts';
import { listeningSettings } from '../../listening.ts';
import { readingSettings } from '../../receiving/reading-settings.ts';

const name = (description: string) => string({ minLength: 1, maxLength: 180, description });

export const hl7InSettings = object(
  { port: integer({ minimum: 0, maximum: 65_535, description: 'The port to listen on; 0: any free one.' }) },
  {
    ...listeningSettings,
    receiving_application: name('Required value of MSH-5. Default: anything.'),
    receiving_facility: name('Required value of MSH-6. Default: anything.'),
    ...readingSettings,
    ignored_events: array(
      string({
        pattern: '^[A-Z]{3}(?:\\^[A-Z][A-Z0-9]{2})?$',
        'x-error-message': 'an event is a type, such as ADT, or a type with its event, such as ADT^A01',
        description: 'A type of message, or a type and its event.',
        examples: ['ADT^A01'],
      }),
      {
        maxItems: 100,
        description:
          'Messages to ignore, such as `ADT^A01`: they are acknowledged (AA) and counted, but not read. Default: none; unsupported messages are rejected (AR).',
      },
    ),
    max_connections: integer({
      minimum: 1,
      maximum: 1000,
      default: 64,
      description: 'Maximum of connections at a time.',
    }),
    max_kib: integer({ minimum: 1, maximum: 65_536, default: 1024, description: 'Maximum size of a message, in KiB.' }),
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
      description: 'How long storing a message may take before it is rejected, so that the sender repeats it.',
    }),
  },
);
export type Hl7InSettings = TypeOf<typeof hl7InSettings>;
