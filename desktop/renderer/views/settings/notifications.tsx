import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { t } from '../../i18n/index.ts';
import { noticePermission } from '../../state/system-notification.ts';

/** Chooses whether system notifications announce a report while the page is hidden. */
export function NotificationChoice() {
  const permission = useSignal(noticePermission());
  const ask = async (): Promise<void> => {
    permission.value = await Notification.requestPermission();
  };
  if (permission.value === 'missing') return null;
  return (
    <div class="field">
      <span class="field-label">{t('settings.notifications')}</span>
      {permission.value === 'default' ? (
        <div>
          <Button onClick={() => void ask()}>{t('settings.notifications_ask')}</Button>
        </div>
      ) : (
        <p>{t(permission.value === 'granted' ? 'settings.notifications_on' : 'settings.notifications_denied')}</p>
      )}
      <p class="field-note">{t('settings.notifications_hint')}</p>
    </div>
  );
}
