/** Failures after which the same request may succeed later, unchanged: no network, no login, too much to do. */
import { AppError } from '../contract/errors.ts';
import type { ErrorCode } from '../contract/errors.ts';

/** Codes after which the service has not judged the request, whatever the status. */
const transientCodes = new Set<ErrorCode>([
  'NETWORK',
  'BAD_ANSWER',
  'INTERRUPTED',
  'UNAUTHORIZED',
  'LOGIN_REQUIRED',
  'LOGIN_FAILED',
  'CREDENTIAL_STORE',
  'CONFIGURATION',
  'REQUEST_IN_PROGRESS',
]);

export const isTransient = (error: unknown): error is AppError =>
  error instanceof AppError &&
  (transientCodes.has(error.code) || error.status === 408 || error.status === 429 || (error.status ?? 0) >= 500);
