import { t } from '../../i18n/index.ts';
import { notify } from '../../state/notices.ts';

export async function copyText(text: string): Promise<void> {
  await navigator.clipboard.writeText(text);
  notify({ tone: 'done', text: t('document.copied') });
}
