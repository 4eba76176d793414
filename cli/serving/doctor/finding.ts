/** The result of a check of `laudio doctor`. */
import { AppError, errors } from '../../../src/contract/errors.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';

/** `note`: nothing is wrong, but it may be surprising. */
export type State = 'ok' | 'note' | 'bad';

export interface Finding {
  readonly state: State;
  readonly message: string;
  /** The next step, if there is one. */
  readonly hint?: string | undefined;
  /** Only a failed check has one. */
  readonly code?: ErrorCode;
}

export interface CheckResult {
  readonly check: string;
  readonly state: State;
  readonly message: string;
  readonly hint: string | null;
  /** With which `laudio doctor` ends if only checks with this code fail; 0 if this check doesn't fail. */
  readonly exit_code: number;
}

export const ok = (message: string): Finding => ({ state: 'ok', message });
export const note = (message: string, hint?: string): Finding => ({ state: 'note', message, hint });
export const bad = (code: ErrorCode, message: string, hint?: string): Finding => ({
  state: 'bad',
  message,
  hint,
  code,
});

/** Rejects again with anything but an error that a check may end with. */
export function toFinding(error: unknown): Finding {
  if (!(error instanceof AppError) || error.code === 'INTERRUPTED') throw error;
  return bad(error.code, error.message, error.hint);
}

export const toResult = (check: string, { state, message, hint, code }: Finding): CheckResult => ({
  check,
  state,
  message,
  hint: hint ?? null,
  exit_code: code === undefined ? 0 : errors[code].exit,
});
