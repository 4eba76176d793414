/** The engines that make text of sound, and documents of text, for the caller (extension). */
import { endpoint, group } from './endpoint.ts';
import { boolean, named, nullable, object, string } from './schema.ts';
import type { TypeOf } from './schema.ts';

/** `details.reason` of an ENGINE_UNAVAILABLE that does not pass by itself. */
export const noRecogniser = 'no_recogniser';

const engineName = (description: string, example: string) => string({ description, examples: [example] });

export const EnginesInUse = named(
  'EnginesInUse',
  object({
    recogniser: nullable(
      object(
        {
          name: engineName('Name of the speech recogniser.', 'simulated'),
          simulated: boolean({
            description:
              'Whether the recogniser does not listen, but returns sample transcripts that say so. Only test clients get such a recogniser.',
          }),
        },
        {},
        {
          description:
            'The speech recogniser. `null`: the server has none, and refuses audio with 503 ENGINE_UNAVAILABLE; text works all the same.',
        },
      ),
    ),
    writer: object(
      { name: engineName('Name of the writer.', 'rules') },
      {},
      { description: 'The writer, which makes a structured document of a text.' },
    ),
  }),
  'The engines that work for the caller.',
);
export type EnginesInUse = TypeOf<typeof EnginesInUse>;

export const engines = group({
  title: 'Engines',
  description: 'The engines recognise speech and write documents.',
  endpoints: {
    get: endpoint({
      method: 'GET',
      path: '/api/v1/engines',
      summary: 'Which engines work for the caller',
      description: 'Call it before somebody dictates: it says whether the server takes audio.',
      access: 'bearer',
      answer: 'envelope',
      responses: { 200: EnginesInUse },
      extension: true,
    }),
  },
});
