/** Explains remarks about the entries of a file in the language of the page; its words come with the views that show them. */
import { detailCodes } from '../../../src/contract/errors.ts';
import type { DetailCode } from '../../../src/contract/errors.ts';
import type { Sentence } from '../../../src/contract/messages/message.ts';
import { t } from '../i18n/index.ts';
import { inParagraph, translateSentence } from './explain.ts';

interface Remark {
  readonly message: Sentence;
  readonly hint?: Sentence | undefined;
  readonly code?: string | undefined;
}

/** In one paragraph. */
export const remarkParagraph = ({ message, hint, code }: Remark): string =>
  inParagraph(translateSentence(message) ?? explainCode(message, code), translateSentence(hint));

const isDetail = (code: string | undefined): code is DetailCode =>
  (detailCodes as readonly (string | undefined)[]).includes(code);

/** A service names the field in its English sentence, and the fault by a code. */
function explainCode(message: Sentence, code: string | undefined): string {
  if (typeof message === 'object' || !isDetail(code)) return t('fileCodes.unread');
  const [field = t('fileCodes.value')] = /^[a-z]\w*(?:\.\w+)*/.exec(message.replace(/^items\.\d+\.?/, '')) ?? [];
  return t(`fileCodes.${code}`, { field });
}
