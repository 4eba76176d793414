/** Failures after which the same request may succeed later, unchanged, and those that only a person can end. */
import { noProposals, noRecogniser, notLive } from '../contract/engine.ts';
import { AppError } from '../contract/errors.ts';
import type { ErrorCode } from '../contract/errors.ts';
import { memoryFull } from '../contract/system.ts';

/** Codes that do not depend on the request: no other request would succeed now either. */
const codesOfEveryRequest: ReadonlySet<ErrorCode> = new Set([
  'NETWORK',
  'INTERRUPTED',
  'UNAUTHORIZED',
  'LOGIN_REQUIRED',
  'LOGIN_FAILED',
  'CREDENTIAL_STORE',
]);

/** Other codes after which the service has not judged the request, whatever the status. */
const unjudged: ReadonlySet<ErrorCode> = new Set(['BAD_ANSWER', 'CONFIGURATION', 'REQUEST_IN_PROGRESS']);

/**
 * Whether the failure is that of the connection, the login or the quota. Such a failure may last arbitrarily long: it
 * does not depend on the request, which waits. Any other transient failure that keeps recurring is an answer.
 */
export const concernsEveryRequest = (error: AppError): boolean =>
  codesOfEveryRequest.has(error.code) || error.status === 429;

/** Whether the same request may succeed later: no network, no login, overload, or a failure inside the service. */
export const isTransient = (error: unknown): error is AppError =>
  error instanceof AppError &&
  (concernsEveryRequest(error) || unjudged.has(error.code) || error.status === 408 || (error.status ?? 0) >= 500);

/** Whether only a person can end it, by changing the set-up or freeing space: waiting does not help. */
export const isLasting = ({ details }: Pick<AppError, 'details'>): boolean =>
  lastingReasons.has(details?.['reason']) || details?.['full'] === memoryFull;

const lastingReasons: ReadonlySet<unknown> = new Set([noRecogniser, notLive, noProposals]);
