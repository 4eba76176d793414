/** What turns sound into text, and text into documents, for who asks (extension). */
import { endpoint, group } from './endpoint.ts';
import { boolean, named, nullable, object, string } from './schema.ts';
import type { TypeOf } from './schema.ts';

/** `details.reason` of an ENGINE_UNAVAILABLE that does not pass by itself. */
export const noRecogniser = 'no_recogniser';

export const EnginesInUse = named(
  'EnginesInUse',
  object({
    recogniser: nullable(
      object(
        {
          name: string({ examples: ['simulated'] }),
          simulated: boolean({
            description: 'It does not listen: its transcripts are samples that say so. For test clients alone.',
          }),
        },
        {},
        { description: '`null`: sound is refused with 503 ENGINE_UNAVAILABLE. Text works all the same.' },
      ),
    ),
    writer: object({ name: string({ examples: ['rules'] }) }),
  }),
);
export type EnginesInUse = TypeOf<typeof EnginesInUse>;

export const engines = group({
  title: 'Engines',
  description: 'What recognises speech and writes documents. Ask before somebody dictates.',
  endpoints: {
    get: endpoint({
      method: 'GET',
      path: '/api/v1/engines',
      summary: 'What hears and writes for the caller',
      access: 'bearer',
      answer: 'envelope',
      responses: { 200: EnginesInUse },
      extension: true,
    }),
  },
});
