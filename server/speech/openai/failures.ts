/**
 * Failures of a server that speaks OpenAI's API, worded for operators. Nothing of a request or response is repeated.
 */
import { AppError } from '../../../src/contract/errors.ts';

/** Terms for the messages of one API. */
export interface ApiTerms {
  /** Such as `language model`. */
  readonly model: string;
  /** Results of the API in the plural: `chat completions`. */
  readonly api: string;
  readonly path: string;
  /** The model's input: `text`. */
  readonly input: string;
  /** The remedy if the input is too long. */
  readonly shorten: string;
  /** The environment variable of the key. */
  readonly variable: string;
}

type Words = readonly [message: string, hint: string];

const commonWords = ({ model, api, path, input, shorten, variable }: ApiTerms) =>
  ({
    unreachable: [`The server of the ${model} cannot be reached.`, 'Check the url, and that the server is running.'],
    slow: [`The ${model} did not answer in time.`, 'Allow more time with timeout=SECONDS, or choose a smaller model.'],
    key: [`The server of the ${model} refused the key.`, `Set a valid key in ${variable}.`],
    model: [
      `The server does not have this ${model}.`,
      'Choose a model of that server with model=NAME, or load the model there.',
    ],
    address: [`There are no ${api} at this url.`, 'The url usually ends with /v1.'],
    busy: [`The server of the ${model} is overloaded.`, 'Wait, or request a higher limit.'],
    failed: [`The server of the ${model} failed.`, 'See its log.'],
    refused: [`The server of the ${model} does not accept such requests.`, `Check that it supports ${path}.`],
    too_long: [`The ${input} is too long for the ${model}.`, shorten],
    declined: [`The ${model} declined to answer.`, 'Choose a model or a service policy that allows medical text.'],
    unreadable: [`The server did not answer with ${api}.`, 'Check the url: something else may answer there.'],
  }) satisfies Readonly<Record<string, Words>>;

/** Failures of every server. */
export type CommonReason = keyof ReturnType<typeof commonWords>;

export interface FailureOptions {
  /** Seconds after which the server may have capacity. */
  readonly retryAfter?: number | undefined;
}

export interface Failures<Reason extends string> {
  /** ENGINE_UNAVAILABLE with the reason in its details. */
  failure(reason: Reason | CommonReason, options?: FailureOptions): AppError;
  /** The reason of such a failure; `undefined` for other errors. */
  reasonOf(error: unknown): Reason | CommonReason | undefined;
}

/** `more` are the failures that only this API has. */
export function createFailures<Reason extends string = never>(
  asked: ApiTerms,
  more: Readonly<Record<Reason, Words>> = {} as never,
): Failures<Reason> {
  const words: Readonly<Record<Reason | CommonReason, Words>> = { ...commonWords(asked), ...more };
  return {
    failure(reason, { retryAfter } = {}) {
      const [message, hint] = words[reason];
      return new AppError('ENGINE_UNAVAILABLE', {
        message,
        hint,
        details: { reason },
        ...(retryAfter !== undefined && { retryAfter }),
      });
    },
    reasonOf(error) {
      const reason =
        error instanceof AppError && error.code === 'ENGINE_UNAVAILABLE' ? error.details?.['reason'] : undefined;
      return typeof reason === 'string' && Object.hasOwn(words, reason) ? (reason as Reason) : undefined;
    },
  };
}
