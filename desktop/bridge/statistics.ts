/** A person's statistics: stored by the app, shared with nobody. */
import { array, integer, named, nullable, number, object, string, timestamp } from '../../src/contract/schema.ts';
import { call } from './call.ts';
import { nothing } from './shapes.ts';

const OwnReport = named(
  'OwnReport',
  object({
    signed_at: timestamp('When the person signed it.'),
    exam_at: nullable(string({ description: 'When the exam took place.' })),
    modality: nullable(string()),
    spoken_seconds: number({ minimum: 0, description: 'Seconds of speech; 0: it was written.' }),
    words: integer({ minimum: 0, description: 'Words that came of the speech.' }),
    corrections: integer({ minimum: 0, description: 'How often its words were changed until it was signed.' }),
  }),
);

export const statisticsCalls = {
  'statistics.read': call({
    summary: 'What is kept of the reports that the person signed here, oldest first',
    input: nothing,
    output: object({ reports: array(OwnReport) }),
  }),
  'statistics.clear': call({ summary: 'Forget all of it', input: nothing, output: nothing }),
} as const;
