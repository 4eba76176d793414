import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { Banner } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { asBridgeError } from '../../state/bridge.ts';
import { isTestMode, logInAgain, logOut, session, userName, waitingChanges } from '../../state/session.ts';
import { waitingSound } from '../../state/recorder/waiting-sound.ts';
import { leaveFor } from '../app/kept-address.ts';
import { Mark } from '../app/top-bar.tsx';
import { errorText, problemOfReturn } from '../login/login-errors.ts';

/** Hides everything until the person has logged in again. */
export function Lock() {
  const busy = useSignal(false);
  const error = useSignal<string | undefined>(undefined);
  useEffect(() => {
    error.value = problemOfReturn();
  }, []);
  const unlockArea = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => unlockArea.current?.querySelector('button')?.focus(), []);
  const attempt = async (action: () => Promise<string | null | void>): Promise<void> => {
    busy.value = true;
    error.value = undefined;
    try {
      const address = await action();
      if (typeof address === 'string') leaveFor(address);
    } catch (thrown) {
      error.value = errorText(asBridgeError(thrown), session.peek()?.place ?? null);
    }
    busy.value = false;
  };
  const waiting = waitingChanges.value;
  return (
    <main class="gate gate-lock">
      <div class="gate-card">
        <Mark />
        <span class="gate-icon">
          <Icon name="lock" size={26} />
        </span>
        <h1>{t('login.locked')}</h1>
        <p class="gate-lead">{t('login.locked_for', { name: userName.value ?? '' })}</p>
        <p class="gate-note">{waiting > 0 ? t('login.locked_waiting', { n: waiting }) : t('login.locked_safe')}</p>
        {waitingSound.value.length > 0 && (
          <Banner tone="warn" icon="warn">
            {t('app.rest_of_others')}
          </Banner>
        )}
        {error.value !== undefined && (
          <Banner tone="warn" icon="warn" alert>
            {error.value}
          </Banner>
        )}
        <div class="gate-actions" ref={unlockArea}>
          <Button kind="primary" large wide busy={busy.value} onClick={() => void attempt(logInAgain)}>
            {t('login.unlock')}
          </Button>
          <Button kind="bare" onClick={() => void attempt(logOut)}>
            {t('login.other_person')}
          </Button>
        </div>
        {isTestMode.value && <p class="gate-note">{t('app.test_mode_title')}</p>}
      </div>
    </main>
  );
}
