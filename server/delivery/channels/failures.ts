/** Turns failures to reach another system into outcomes of a message. Their texts are stored: they hold no address or content. */
import { AppError } from '../../../src/contract/errors.ts';
import { explain, isSystemError } from '../../../src/node/system-error.ts';
import { describeFailure, tlsFailure } from '../../../src/node/tls/failures.ts';
import type { SendResult } from './channel.ts';
import { findEntry } from '../../../src/domain/find-entry.ts';
import { joinSentences } from '../../../src/domain/join-sentences.ts';

type RetryResult = Extract<SendResult, { state: 'again' }>;
type Refusal = Extract<SendResult, { state: 'refused' }>;

export const retryLater = (code: string, message: string, retryAfterMs?: number): RetryResult => ({
  state: 'again',
  error: { code, message },
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

export const refuse = (code: string, message: string, hint?: string): Refusal => ({
  state: 'refused',
  error: { code, message, ...(hint !== undefined && { hint }) },
});

const noAnswer = ['TIMEOUT', 'There was no answer in time.'] as const;
const broken = ['CONNECTION_BROKEN', 'The connection broke.'] as const;
const unknownHost = ['UNKNOWN_HOST', 'The host name is unknown.'] as const;

/** Keys are codes or names of errors. */
const reasons: Readonly<Record<string, readonly [code: string, message: string]>> = {
  TimeoutError: noAnswer,
  ETIMEDOUT: noAnswer,
  UND_ERR_CONNECT_TIMEOUT: noAnswer,
  UND_ERR_HEADERS_TIMEOUT: noAnswer,
  UND_ERR_BODY_TIMEOUT: noAnswer,
  AbortError: ['ABORTED', 'The attempt was aborted.'],
  UND_ERR_SOCKET: broken,
  ECONNRESET: broken,
  EPIPE: broken,
  ECONNREFUSED: [
    'CONNECTION_REFUSED',
    'The connection was refused: does the other program run, and listen on that port?',
  ],
  EHOSTUNREACH: ['UNREACHABLE', 'The other computer cannot be reached.'],
  ENETUNREACH: ['UNREACHABLE', 'The other computer cannot be reached.'],
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
};

/** The outcome of a failed or lost connection, which is retried. */
export function retryAfterFailure(error: unknown): RetryResult {
  const failure = tlsFailure(error);
  if (failure) return retryLater('TLS_FAILED', describeFailure(failure));
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  for (const key of [code, name]) {
    const reason = typeof key === 'string' ? findEntry(reasons, key) : undefined;
    if (reason) return retryLater(...reason);
  }
  const said = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
  return isSystemError(error)
    ? retryLater('SYSTEM_ERROR', `The system refused it${said}.`)
    : retryLater('CONNECTION_FAILED', `The connection failed${said}.`);
}

/** A server that requires a client certificate often just closes the connection. */
export const clientCertificateHint = 'Does it want to see our certificate (tls_certificate, tls_key), or another one?';

/** Like `lost`, for an HTTP request to that address. */
export function retryAfterRequestFailure(error: unknown, url: string): RetryResult {
  const { error: said, ...outcome } = retryAfterFailure(error);
  if (said.code !== broken[0] || !/^https:/i.test(url)) return { ...outcome, error: said };
  return retryLater(said.code, `${said.message} ${clientCertificateHint}`);
}

/** Why a channel cannot be opened or tested, for the operator. */
export function explainFailure(error: unknown): string {
  if (error instanceof AppError) return joinSentences([error.message, error.hint]);
  if (isSystemError(error)) return explain(error).message;
  const { code, syscall } = (error ?? {}) as NodeJS.ErrnoException;
  if (code === 'EADDRINUSE') return 'Another program is using that port.';
  if (code === 'EADDRNOTAVAIL') return 'This computer does not have that address.';
  if (code === 'EACCES' && syscall === 'listen') return 'This user may not listen on that port.';
  return code === undefined ? 'Something failed on our side.' : `The system says ${code}.`;
}
