/** Failures of transcription servers. */
import { createFailures } from '../failures.ts';

export const { failure, reasonOf } = createFailures(
  {
    model: 'speech model',
    api: 'audio transcriptions',
    path: '/v1/audio/transcriptions',
    input: 'sound',
    shorten: 'Send shorter pieces with seconds=SECONDS.',
    variable: 'LAUDIO_RECOGNISER_KEY',
  },
  {
    silent: [
      'The speech model heard nothing in a sentence that was said to it.',
      'Choose a model that knows the language, or look into the log of its server.',
    ],
  },
);
