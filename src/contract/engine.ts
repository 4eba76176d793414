/** The engines of the caller: speech recognition and report writing (extension). */
import { endpoint, group } from './endpoint.ts';
import { boolean, integer, named, nullable, object, string, timestamp } from './schema.ts';
import type { TypeOf } from './schema.ts';

/** `details.reason` of an ENGINE_UNAVAILABLE that does not end without a person. */
export const noRecogniser = 'no_recogniser';
/** The same, if the recogniser hears whole dictations but no live speech. */
export const notLive = 'not_live';
/** The same, if the writer cannot propose an impression. */
export const noProposals = 'no_proposals';

const engineName = (description: string, example: string) => string({ description, examples: [example] });

/** The queue of dictations at the recogniser for real patients. */
export const HearingQueue = named(
  'HearingQueue',
  object(
    {
      available: boolean({
        description: 'Whether the recogniser serves, as far as the service knows. Jobs wait while it does not.',
      }),
      at_once: integer({ minimum: 1, description: 'How many queued dictations are heard at the same time.' }),
      in_progress: integer({ minimum: 0, description: 'Queued dictations that are being heard.' }),
      waiting: integer({ minimum: 0, description: 'Queued dictations that wait to be heard.' }),
    },
    { until: timestamp('When the service tries the recogniser again, after it did not serve.') },
  ),
  'The dictations that wait for the speech recogniser (extension); absent for test clients, whose sound never waits.',
);
export type HearingQueue = TypeOf<typeof HearingQueue>;

export const EnginesInUse = named(
  'EnginesInUse',
  object(
    {
      recogniser: nullable(
        object(
          {
            name: engineName('Name of the speech recogniser.', 'simulated'),
            simulated: boolean({
              description:
                'Whether the recogniser does not listen, but returns sample transcripts that say so. Only test clients get such a recogniser.',
            }),
          },
          {
            live: boolean({
              description: 'Whether there are words while somebody still speaks: `POST /api/v1/transcriptions`.',
            }),
            sends_to: string({
              description:
                'Host to which the server sends the sound. Absent: the sound stays on the computer of the server.',
              examples: ['api.groq.com'],
            }),
          },
          {
            description:
              'The speech recogniser. `null`: the server has none. It then refuses audio with 503 ENGINE_UNAVAILABLE, or, with `mode: async`, makes a job that waits for a recogniser; text works all the same.',
          },
        ),
      ),
      writer: object(
        { name: engineName('Name of the writer.', 'rules') },
        {
          proposes_impressions: boolean({
            description:
              'Whether it proposes sentences for the impression: `POST /api/v1/medical-records/{id}/impression-proposals`.',
          }),
          sends_to: string({
            description:
              'Host to which the server sends the text. Absent: the text stays on the computer of the server.',
            examples: ['llm.example.org'],
          }),
        },
        { description: 'The writer, which makes a structured document of a text.' },
      ),
    },
    { queue: HearingQueue },
  ),
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
      description:
        'Call it before somebody dictates: it says whether the server turns audio into text, and how many dictations wait.',
      access: 'bearer',
      answer: 'envelope',
      responses: { 200: EnginesInUse },
      extension: true,
    }),
  },
});
