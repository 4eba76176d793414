import { t } from '../../i18n/index.ts';
import { notify } from '../../state/notices.ts';

/** Copies text to the clipboard, and shows whether that worked: a page without HTTPS has no clipboard. */
export async function copyText(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    notify({ tone: 'done', text: t('app.copied') });
  } catch {
    notify({ tone: 'error', text: t('app.not_copied'), hint: t('app.not_copied_hint') });
  }
}
