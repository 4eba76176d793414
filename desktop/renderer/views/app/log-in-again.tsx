/** A link to log in again when the login has expired or lacks permissions; the page stays as it is. */
import { useSignal } from '@preact/signals';
import { Button } from '../../parts/button.tsx';
import { t } from '../../i18n/index.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { notify, notifyError } from '../../state/notices.ts';
import { logInAgain } from '../../state/session.ts';
import { leaveFor } from './kept-address.ts';

export function LogInAgain() {
  const busy = useSignal(false);
  const again = async (): Promise<void> => {
    busy.value = true;
    try {
      const address = await logInAgain();
      // Opens in another tab, so that a running dictation continues here.
      if (address !== null && window.open(address, '_blank') === null) leaveFor(address);
      else if (address !== null) notify({ tone: 'info', text: t('app.finish_in_tab') });
    } catch (thrown) {
      notifyError(asBridgeError(thrown));
    }
    busy.value = false;
  };
  return (
    <Button busy={busy.value} onClick={() => void again()}>
      {t('app.log_in_again')}
    </Button>
  );
}
