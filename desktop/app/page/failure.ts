/** What went wrong, as a page is told of it and as the log has it. Every carrier of the bridge says it in the same words. */
import { AppError } from '../../../src/contract/errors.ts';
import type { BridgeError } from '../../bridge/bridge.ts';

/** What nobody foresaw is a defect of ours: its own words stay here. */
export const failureOf = (error: unknown): AppError =>
  error instanceof AppError ? error : new AppError('INTERNAL_ERROR', { cause: error });

export const bridgeErrorOf = ({ code, message, hint, details }: AppError): BridgeError => ({
  code,
  message,
  ...(hint !== undefined && { hint }),
  ...(details && { details }),
});

/** As HTTP says it. What only a client meets was met by the app: it got no good answer itself. */
export const statusOf = ({ status }: AppError): number => status ?? 502;

/** Where it arose: frames without the message, which may quote what it choked on. */
export function anatomyOf(error: unknown): Record<string, unknown> {
  if (!(error instanceof Error)) return { name: typeof error };
  const frames = (error.stack ?? '').split('\n').filter((line) => /^\s+at /.test(line));
  return { name: error.name, frames: frames.slice(0, 8).map((line) => line.trim()) };
}
