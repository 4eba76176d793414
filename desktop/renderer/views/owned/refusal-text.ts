/** Why something was not saved or imported. */
import type { BridgeError } from '../../../bridge/bridge.ts';
import { t } from '../../i18n/index.ts';
import { reasonText } from '../recorder/reason.ts';
import type { OwnedTexts } from './owned-kind.ts';

/** What the service refuses, and what to do about it. */
export function refusalText(texts: OwnedTexts, error: BridgeError): string {
  if (error.code === 'PAYLOAD_TOO_LARGE') return t(`${texts}.too_many`);
  // Why is said above the list, with the way out.
  if (error.code === 'INSUFFICIENT_SCOPE') return t('document.failed');
  if (error.code === 'VALIDATION_FAILED' && texts === 'vocabulary') return t('vocabulary.not_like_that');
  return reasonText(error);
}
