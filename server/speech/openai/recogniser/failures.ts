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
      'The speech model recognised nothing in a spoken sentence.',
      'Choose a model that knows the language, or see the log of its server.',
    ],
  },
);
