import { AppError } from '../../src/contract/errors.ts';

/** The same error with another hint, and with further details. */
export function restate(error: AppError, hint: string | undefined, details?: Record<string, unknown>): AppError {
  const { code, message, status, requestId, retryAfter, cause = error } = error;
  return new AppError(code, {
    message,
    cause,
    ...(hint !== undefined && { hint }),
    ...((error.details ?? details) && { details: { ...error.details, ...details } }),
    ...(status !== null && { status }),
    ...(requestId !== undefined && { requestId }),
    ...(retryAfter !== undefined && { retryAfter }),
  });
}
