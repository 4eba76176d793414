import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { Banner } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { notify, notifyError } from '../../state/notices.ts';
import { logInAgain, session } from '../../state/session.ts';

/** Banners at the top, about the whole page. */
export function Banners() {
  const busy = useSignal(false);
  if (session.value?.phase !== 'expired') return null;
  const again = async (): Promise<void> => {
    busy.value = true;
    try {
      const address = await logInAgain();
      // Opens in another tab, so that a running dictation goes on here.
      if (address !== null && window.open(address, '_blank') === null) location.assign(address);
      else if (address !== null) notify({ tone: 'info', text: t('app.finish_in_tab') });
    } catch (thrown) {
      notifyError(asBridgeError(thrown));
    }
    busy.value = false;
  };
  return (
    <Banner
      tone="warn"
      icon="lock"
      alert
      action={
        <Button busy={busy.value} onClick={() => void again()}>
          {t('app.log_in_again')}
        </Button>
      }
    >
      {t('app.expired')}
    </Banner>
  );
}
