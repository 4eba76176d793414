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

/** The origin of an error: its stack frames without its message, which may quote patient data. */
export function describeError(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: error.name, frames: frames.slice(0, 8).map((line) => line.trim()) };
}
