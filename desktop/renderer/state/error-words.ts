/**
 * What an error says to a person, in the language of the page. The app and the service speak English: their own sentences
 * stand on an English page; elsewhere a sentence that is known is said in that language, and any other by its code.
 */
import type { ErrorCode } from '../../../src/contract/errors.ts';
import { errors as english } from '../i18n/en/errors.ts';
import type { BridgeError } from '../../bridge/bridge.ts';
import { shownLanguage, t } from '../i18n/index.ts';
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

/** The sentences of the app that say more than their code: those of the English page. */
const sentences: ReadonlyMap<string, ErrorKey> = new Map(
  Object.entries(english).map(([key, sentence]) => [sentence, `errors.${key}` as ErrorKey]),
);

const kindOf = (code: string): ErrorKey =>
  Object.hasOwn(kinds, code) ? kinds[code as keyof typeof kinds] : 'errors.failed';

type Told = Pick<BridgeError, 'message' | 'hint'> & { readonly code: string };

export interface ErrorWords {
  readonly text: string;
  readonly hint: string | undefined;
}

export function errorWords({ code, message, hint }: Told): ErrorWords {
  // The message of a defect is for its developers.
  if (code === 'INTERNAL_ERROR') return { text: t('errors.ours'), hint: undefined };
  const key = sentences.get(message);
  const hintKey = hint === undefined ? undefined : sentences.get(hint);
  if (shownLanguage() === 'en-US') return { text: message === '' ? t(kindOf(code)) : message, hint };
  return { text: t(key ?? kindOf(code)), hint: hintKey && t(hintKey) };
}

/** Both in one paragraph. */
export const errorSentences = (error: Told): string => {
  const { text, hint } = errorWords(error);
  return hint === undefined ? text : `${text} ${hint}`;
};
