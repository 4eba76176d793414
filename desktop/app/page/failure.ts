/** Failures, in the form for a page and in the form for the log. Every carrier of the bridge uses the same messages. */
import { AppError } from '../../../src/contract/errors.ts';
import type { BridgeError } from '../../bridge/bridge.ts';

/** An unforeseen failure is a defect of the app; its message stays here. */
export const failureOf = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('INTERNAL_ERROR', { cause: error });

export const bridgeErrorOf = ({ code, sentences: { message, hint }, details }: AppError): BridgeError => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
  ...(details && { details }),
});

/** HTTP status of a failure. An error without a status occurs only in a client: the app itself got no valid answer. */
export const statusOf = ({ status }: AppError): number => status ?? 502;
