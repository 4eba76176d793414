/** Distribution of medical records: the systems that received a record through channels, and when (extension). */
import { ChannelName } from './channel.ts';
import { endpoint, group } from './endpoint.ts';
import { array, integer, meanings, named, object, oneOf, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';
import { RecordId } from './shared.ts';

const states = ['waiting', 'sent', 'refused', 'dropped'] as const;

export const RecordDestination = named(
  'RecordDestination',
  object({
    channel: { ...ChannelName, description: 'Name of the channel that leads to the system.' },
    state: oneOf(states, {
      description: meanings('How far the record is on its way to the system.', {
        waiting: 'it is to be sent, or sent again',
        sent: 'the system has it',
        refused: 'the system refused it, or what was sent of the same exam before; the operator has to look at it',
        dropped: 'an operator decided that it is not sent',
      }),
    }),
    since: timestamp('Since when: of `waiting` when it was written to be sent, of the others when that happened.'),
    version: integer({ minimum: 1, description: 'The newest version of the record that this is about.' }),
  }),
  'Where a medical record goes, and whether it has arrived.',
);
export type RecordDestination = TypeOf<typeof RecordDestination>;

export const distribution = group({
  title: 'Distribution',
  description: 'Which systems have a medical record that goes out by channels.',
  endpoints: {
    ofRecord: endpoint({
      method: 'GET',
      path: '/api/v1/medical-records/{id}/distribution',
      summary: 'Get where a medical record went',
      description:
        'Each system to which the channels of the space send the record, and whether it has arrived. Empty where the record goes nowhere, and once its messages are removed: what is done is kept for 30 days. A `record` event with the change `distributed` tells of a difference.',
      access: 'bearer',
      scope: 'medical_records:read',
      params: object({ id: RecordId }),
      answer: 'envelope',
      responses: {
        200: named(
          'RecordDistribution',
          object({ items: array(RecordDestination, { description: 'The systems, by the names of their channels.' }) }),
          'Where a medical record went.',
        ),
      },
      errors: ['NOT_FOUND'],
      extension: true,
    }),
  },
});
