import { t } from '../../i18n/index.ts';
import type { OpenReport } from '../../state/report/document.ts';

/** Who made the other change of the report, as the subject of a sentence. */
export function otherName({ otherAuthor: { value: author } }: OpenReport): string {
  if (author === null) return t('exam.held_someone');
  return author === 'self' ? t('document.you_elsewhere') : author.name;
}

/** How far the text on the screen is saved. */
export function savingText(document: OpenReport): string {
  const saving = document.saving.value;
  return saving === 'conflict' ? t('document.conflict', { who: otherName(document) }) : t(`document.${saving}`);
}
