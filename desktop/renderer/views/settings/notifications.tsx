import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { t } from '../../i18n/index.ts';

const present = (): NotificationPermission | 'missing' =>
  'Notification' in window ? Notification.permission : 'missing';

/** Whether the system tells of a report that is ready while the page is not looked at. */
export function NotificationChoice() {
  const permission = useSignal(present());
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

/** Tells outside the page, when it is not looked at and the person has allowed it. Says nothing about a patient. */
export function tellOutside(text: string, open: () => void): void {
  if (present() !== 'granted' || !document.hidden) return;
  const notification = new Notification('Laudio', { body: text });
  notification.addEventListener('click', () => {
    window.focus();
    open();
    notification.close();
  });
}
