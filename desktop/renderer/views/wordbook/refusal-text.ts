/** Why an entry was not saved or imported. */
import type { BridgeError } from '../../../bridge/bridge.ts';
import { t } from '../../i18n/index.ts';
import { reasonText } from '../recorder/reason.ts';
import type { WordbookTexts } from './entry-kind.ts';

/** The reason for a refusal by the service, and what to do. */
export function refusalText(texts: WordbookTexts, error: BridgeError): string {
  if (error.code === 'PAYLOAD_TOO_LARGE') return t(`${texts}.too_many`);
  // The reason is shown above the list, with a link to log in again.
  if (error.code === 'INSUFFICIENT_SCOPE') return t('document.failed');
  if (error.code === 'VALIDATION_FAILED' && texts === 'vocabulary') return t('vocabulary.not_like_that');
  return reasonText(error);
}
