/** The text of `laudio help CODE`: the meaning of an error, and the guide about it. */
import { detailCodeMeanings, errors, exitCodes } from '../../src/contract/errors.ts';
import type { DetailCode, ErrorCode } from '../../src/contract/errors.ts';

/** Guides by code; the reference has all codes. */
const guideOf: Readonly<Partial<Record<ErrorCode | DetailCode, string>>> = {
  TEST_DATA_REQUIRED: 'qa',
  NOT_RECORDED: 'qa',
  UPSTREAM_UNAVAILABLE: 'qa',
  ENGINE_UNAVAILABLE: 'engines',
  STORAGE_UNAVAILABLE: 'operator',
  OUTCOME_UNKNOWN: 'operator',
  DATA_DAMAGED: 'operator',
  CREDENTIAL_STORE: 'operator',
  OPEN_FINDINGS: 'reports',
  JOB_FAILED: 'reports',
  UNAUTHORIZED: 'developer',
  INSUFFICIENT_SCOPE: 'developer',
  LOGIN_REQUIRED: 'developer',
  LOGIN_FAILED: 'developer',
  NETWORK: 'developer',
  BAD_ANSWER: 'developer',
  PATIENT_MISMATCH: 'send',
  IDENTIFIER_CONFLICT: 'send',
  INVALID_MODALITY: 'mapping',
};

/** Every code of an error, of a field and of a refused item. */
export const errorCodes: readonly string[] = [...new Set([...Object.keys(errors), ...Object.keys(detailCodeMeanings)])];

/** The command that explains the code. */
export const helpFor = (code: string): string => `laudio help ${code}`;

export interface ExplainedCode {
  readonly code: string;
  readonly meaning: string;
  /** `null`: no answer has it. */
  readonly http_status: number | null;
  readonly exit_code: number | null;
  readonly guide: string;
}

/** Takes `job-failed` too. */
export function explainCode(word: string): ExplainedCode | undefined {
  const code = word.toUpperCase().replaceAll('-', '_');
  const guide = guideOf[code as ErrorCode] ?? 'reference';
  if (Object.hasOwn(errors, code)) {
    const { title, status, exit } = errors[code as ErrorCode];
    return { code, meaning: title, http_status: status, exit_code: exit, guide };
  }
  if (!Object.hasOwn(detailCodeMeanings, code)) return undefined;
  const meaning = detailCodeMeanings[code as DetailCode];
  const sentence = `${meaning.charAt(0).toUpperCase()}${meaning.slice(1)}.`;
  return { code, meaning: sentence, http_status: 400, exit_code: exitCodes.invalid, guide };
}
