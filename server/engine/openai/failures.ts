/** How an endpoint of chat completions can fail, said to an operator. Nothing of what was sent or answered is repeated. */
import { AppError } from '../../../src/contract/errors.ts';

const failures = {
  unreachable: [
    'The server of the language model cannot be reached.',
    'Check the url, and that the server is running.',
  ],
  slow: ['The language model did not answer in time.', 'Give it longer with timeout=SECONDS, or take a smaller model.'],
  key: ['The server of the language model refused the key.', 'Give one that it takes in LAUDIO_WRITER_KEY.'],
  model: [
    'The server does not have this language model.',
    'Choose a model of that server with model=NAME, or load the model there.',
  ],
  address: ['There are no chat completions at this url.', 'Give the url up to and with /v1, as a rule.'],
  busy: ['The server of the language model has too much to do.', 'Wait, or ask for a higher limit there.'],
  failed: ['The server of the language model failed.', 'Look into its own log.'],
  refused: [
    'The server of the language model does not take such requests.',
    'See whether it speaks /v1/chat/completions.',
  ],
  too_long: ['The text is too long for the language model.', 'Give the model a larger context on its server.'],
  truncated: ['The language model stopped before its answer was complete.', 'Allow longer answers on its server.'],
  declined: [
    'The language model declined to answer.',
    'Take a model, or a policy of its service, that answers medical text.',
  ],
  unreadable: ['The answer is not what chat completions are.', 'Check the url: something else may answer there.'],
  unfit: [
    'The language model did not answer in the required form.',
    'Choose a model that follows a required JSON form.',
  ],
} as const;
export type Reason = keyof typeof failures;

/** ENGINE_UNAVAILABLE with the reason in its details. `retryAfter` is in seconds. */
export function failure(reason: Reason, { retryAfter }: { readonly retryAfter?: number | undefined } = {}): AppError {
  const [message, hint] = failures[reason];
  return new AppError('ENGINE_UNAVAILABLE', {
    message,
    hint,
    details: { reason },
    ...(retryAfter !== undefined && { retryAfter }),
  });
}

/** The reason of such a failure; `undefined` for any other error. */
export function reasonOf(error: unknown): Reason | undefined {
  const reason =
    error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE' ? error.details?.['reason'] : undefined;
  return typeof reason === 'string' && Object.hasOwn(failures, reason) ? (reason as Reason) : undefined;
}
