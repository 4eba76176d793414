import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { t } from '../../i18n/index.ts';

const present = (): NotificationPermission | 'missing' =>
  'Notification' in window ? Notification.permission : 'missing';

/** Chooses whether the system notifies of a report while the page is hidden. */
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

/** Shows a notice of the system while the page is hidden, if the person has allowed it. Names no patient. */
export function tellOutside(text: string, open: () => void): void {
  if (present() !== 'granted' || !document.hidden) return;
  const notification = new Notification('Laudio', { body: text });
  notification.addEventListener('click', () => {
    window.focus();
    open();
    notification.close();
  });
}
