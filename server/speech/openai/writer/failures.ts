/** Failures of chat completion servers. */
import { createFailures } from '../failures.ts';
import type { CommonReason } from '../failures.ts';

const more = {
  truncated: ['The language model stopped before its answer was complete.', 'Allow longer answers on its server.'],
  unfit: [
    'The language model did not answer in the required form.',
    'Choose a model that follows a required JSON form.',
  ],
} as const;
export type Reason = CommonReason | keyof typeof more;

export const { failure, reasonOf } = createFailures(
  {
    model: 'language model',
    api: 'chat completions',
    path: '/v1/chat/completions',
    input: 'text',
    shorten: 'Give the model a larger context on its server.',
    variable: 'LAUDIO_WRITER_KEY',
  },
  more,
);
