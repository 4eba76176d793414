/** The common parts of the autotext and vocabulary views. */
import type { Owner } from '../../../../src/contract/wordbook.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { t } from '../../i18n/index.ts';
import type { WordbookEditor } from '../../state/wordbook/editor.ts';
import { reasonText } from '../recorder/reason.ts';

/** The message group with their words. */
export type WordbookTexts = 'macros' | 'vocabulary';

/** The fields that both kinds share. */
export interface EntryFields {
  readonly owner: Owner;
  readonly language: Language | null;
}
export interface EntryItem extends EntryFields {
  readonly id: string;
  readonly version: number;
  readonly waits: boolean;
}

export interface SheetProps<Words, Kept> {
  readonly state: WordbookEditor<Words, Kept>;
  readonly texts: WordbookTexts;
}

/** The reason for a refusal by the service, and what to do. */
export function refusalText(texts: WordbookTexts, error: BridgeError): string {
  if (error.code === 'PAYLOAD_TOO_LARGE') return t(`${texts}.too_many`);
  // The reason is shown above the list, with a link to log in again.
  if (error.code === 'INSUFFICIENT_SCOPE') return t('document.failed');
  if (error.code === 'VALIDATION_FAILED' && texts === 'vocabulary') return t('vocabulary.not_like_that');
  return reasonText(error);
}
