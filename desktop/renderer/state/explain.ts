/**
 * Explains errors in the language of the page. A message is translated by its code. The English sentence of a
 * service stays on an English page; elsewhere its error code says what it means.
 */
import type { ErrorCode } from '../../../src/contract/errors.ts';
import type { Sentence } from '../../../src/contract/messages/message.ts';
import type { BridgeError } from '../../bridge/bridge.ts';
import { shownLanguage, t, translated } from '../i18n/index.ts';
import type { MessageKey } from '../i18n/index.ts';

type ErrorKey = Extract<MessageKey, `errors.${string}`>;

/** Every error code, by what it means to a person. */
const kinds = {
  VALIDATION_FAILED: 'errors.invalid',
  INVALID_JSON: 'errors.invalid',
  METHOD_NOT_ALLOWED: 'errors.invalid',
  UNSUPPORTED_MEDIA_TYPE: 'errors.invalid',
  HEADERS_TOO_LARGE: 'errors.invalid',
  OFFSET_CONFLICT: 'errors.invalid',
  USAGE: 'errors.invalid',
  UNAUTHORIZED: 'errors.login',
  LOGIN_REQUIRED: 'errors.login',
  LOGIN_FAILED: 'errors.login',
  INSUFFICIENT_SCOPE: 'errors.forbidden',
  FORBIDDEN: 'errors.forbidden',
  NOT_FOUND: 'errors.gone',
  JOB_RESULT_GONE: 'errors.gone',
  NOT_RECORDED: 'errors.gone',
  INVALID_TRANSITION: 'errors.changed',
  JOB_NOT_CANCELLABLE: 'errors.changed',
  JOB_NOT_FINISHED: 'errors.changed',
  VERSION_CONFLICT: 'errors.changed',
  IDENTIFIER_CONFLICT: 'errors.changed',
  IDEMPOTENCY_KEY_REUSED: 'errors.changed',
  REQUEST_IN_PROGRESS: 'errors.busy',
  RATE_LIMIT_EXCEEDED: 'errors.busy',
  SERVER_BUSY: 'errors.busy',
  STILL_PENDING: 'errors.busy',
  PAYLOAD_TOO_LARGE: 'errors.large',
  OPEN_FINDINGS: 'errors.findings',
  STORAGE_UNAVAILABLE: 'errors.storage',
  OUTCOME_UNKNOWN: 'errors.unknown',
  ENGINE_UNAVAILABLE: 'errors.engine',
  NETWORK: 'errors.network',
  UPSTREAM_UNAVAILABLE: 'errors.network',
  BAD_ANSWER: 'errors.answer',
  JOB_FAILED: 'errors.failed',
  PARTIAL: 'errors.failed',
  CONFIGURATION: 'errors.set_up',
  DATA_DAMAGED: 'errors.set_up',
  CREDENTIAL_STORE: 'errors.set_up',
  INTERNAL_ERROR: 'errors.ours',
  INTERRUPTED: 'errors.ours',
} as const satisfies Readonly<Record<ErrorCode, ErrorKey>>;

const kindOf = (code: string): ErrorKey =>
  Object.hasOwn(kinds, code) ? kinds[code as keyof typeof kinds] : 'errors.failed';

/** `undefined`: the page has no words for it in its language. */
export function translateSentence(sentence: Sentence | undefined): string | undefined {
  if (sentence === undefined || sentence === '') return undefined;
  if (typeof sentence === 'object') return translated(sentence);
  return shownLanguage() === 'en-US' ? sentence : undefined;
}

interface Explanation {
  readonly text: string;
  readonly hint: string | undefined;
}

export function explainError({ code, message, hint }: Pick<BridgeError, 'code' | 'message' | 'hint'>): Explanation {
  // The message of a defect is for its developers.
  if (code === 'INTERNAL_ERROR') return { text: t('errors.ours'), hint: undefined };
  return { text: translateSentence(message) ?? t(kindOf(code)), hint: translateSentence(hint) };
}

export const inParagraph = (...sentences: readonly (string | undefined)[]): string =>
  sentences.filter(Boolean).join(' ');

/** The message and the hint in one paragraph. */
export function errorParagraph(error: Pick<BridgeError, 'code' | 'message' | 'hint'>): string {
  const { text, hint } = explainError(error);
  return inParagraph(text, hint);
}
