/** What a failure on the way to another system means for the message, in words without address or content: they are stored. */
import { isSystemError } from '../../src/node/system-error.ts';
import type { Delivered } from './channel.ts';

type Again = Extract<Delivered, { state: 'again' }>;
type Refused = Extract<Delivered, { state: 'refused' }>;

export const again = (code: string, message: string, retryAfterMs?: number): Again => ({
  state: 'again',
  error: { code, message },
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

export const refused = (code: string, message: string, hint?: string): Refused => ({
  state: 'refused',
  error: { code, message, ...(hint !== undefined && { hint }) },
});

const noAnswer = ['TIMEOUT', 'There was no answer in time.'] as const;
const broken = ['CONNECTION_BROKEN', 'The connection broke.'] as const;
const unknownHost = ['UNKNOWN_HOST', 'No computer of that name is known.'] as const;

/** By the code or the name of the error. */
const reasons: Readonly<Record<string, readonly [code: string, message: string]>> = {
  TimeoutError: noAnswer,
  ETIMEDOUT: noAnswer,
  UND_ERR_CONNECT_TIMEOUT: noAnswer,
  UND_ERR_HEADERS_TIMEOUT: noAnswer,
  UND_ERR_BODY_TIMEOUT: noAnswer,
  AbortError: ['ABORTED', 'The attempt was broken off.'],
  UND_ERR_SOCKET: broken,
  ECONNRESET: broken,
  EPIPE: broken,
  ECONNREFUSED: ['CONNECTION_REFUSED', 'The connection was refused.'],
  EHOSTUNREACH: ['UNREACHABLE', 'The other computer cannot be reached.'],
  ENETUNREACH: ['UNREACHABLE', 'The other computer cannot be reached.'],
  ENOTFOUND: unknownHost,
  EAI_AGAIN: unknownHost,
};

/** The connection failed, or was lost: it is tried again. */
export function lost(error: unknown): Again {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  for (const key of [code, name]) {
    if (typeof key === 'string' && Object.hasOwn(reasons, key)) return again(...reasons[key]!);
  }
  const said = typeof code === 'string' && /^[A-Z0-9_]{1,60}$/.test(code) ? ` (${code})` : '';
  if (/CERT|TLS|SSL|SIGNATURE/.test(said)) {
    return again('TLS_FAILED', `No safe connection came about${said}. Check the certificates of both sides.`);
  }
  return isSystemError(error)
    ? again('SYSTEM_ERROR', `The system refused it${said}.`)
    : again('CONNECTION_FAILED', `The connection failed${said}.`);
}
