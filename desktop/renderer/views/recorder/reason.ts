/** Why the app or the service refused something, in the reader's language for the usual reasons. */
import { noRecogniser } from '../../../../src/contract/engine.ts';
import { changedElsewhere, reported } from '../../../bridge/dictation.ts';
import type { PinProblem } from '../../../bridge/pin.ts';
import { otherPerson } from '../../../bridge/session.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { Dictation } from '../../../bridge/dictation.ts';
import { t } from '../../i18n/index.ts';
import { explainError } from '../../state/explain.ts';
import type { MessageKey } from '../../i18n/index.ts';

const known = {
  ENGINE_UNAVAILABLE: 'recorder.reason_engine',
  JOB_FAILED: 'recorder.reason_job',
  NETWORK: 'recorder.reason_network',
  OPEN_FINDINGS: 'document.sign_changed',
  SERVER_BUSY: 'recorder.reason_network',
  STORAGE_UNAVAILABLE: 'recorder.reason_storage',
  OUTCOME_UNKNOWN: 'recorder.reason_storage',
  PAYLOAD_TOO_LARGE: 'recorder.reason_large',
  INSUFFICIENT_SCOPE: 'recorder.reason_forbidden',
  FORBIDDEN: 'recorder.reason_forbidden',
} as const satisfies Readonly<Record<string, MessageKey>>;

const knownReasons = {
  [otherPerson]: 'recorder.reason_other_person',
  [changedElsewhere]: 'recorder.reason_changed',
  [reported]: 'recorder.reason_reported',
  [noRecogniser]: 'recorder.reason_unheard',
  pin_missing: 'pin.missing',
  pin_wrong: 'pin.wrong',
  pin_locked: 'pin.locked',
  password_wrong: 'pin.password_wrong',
} as const satisfies Readonly<Record<string, MessageKey>> & Readonly<Record<PinProblem, MessageKey>>;

/** One sentence. */
export function reasonText({ code, message, details }: Pick<BridgeError, 'code' | 'message' | 'details'>): string {
  const reason = String(details?.['reason']);
  if (Object.hasOwn(knownReasons, reason)) return t(knownReasons[reason as keyof typeof knownReasons]);
  return Object.hasOwn(known, code) ? t(known[code as keyof typeof known]) : explainError({ code, message }).text;
}

/** Why no report was made of a dictation. */
export const dictationReason = ({ reason, ...error }: NonNullable<Dictation['error']>): string =>
  reasonText({ ...error, ...(reason !== undefined && { details: { reason } }) });
