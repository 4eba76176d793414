/** The person's signing PIN: set, changed and removed with their login password. */
import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { isPin } from '../../../bridge/pin.ts';
import { Button } from '../../parts/button.tsx';
import { TextField } from '../../parts/field.tsx';
import { Banner } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { asBridgeError, bridge } from '../../state/bridge.ts';
import { notify } from '../../state/notices.ts';
import { isOnline, ownPin } from '../../state/session.ts';
import { reasonText } from '../recorder/reason.ts';

type Step = 'set' | 'remove';

export function OwnPin() {
  const step = useSignal<Step | null>(null);
  const { has_pin: hasPin, locked } = ownPin.value;
  return (
    <section class="own-pin" aria-label={t('pin.title')}>
      <h4>{t('pin.title')}</h4>
      {locked ? (
        <Banner tone="warn" icon="lock">
          {t('pin.locked')}
        </Banner>
      ) : (
        <p class="field-note">{t(hasPin ? 'pin.set_hint' : 'pin.none')}</p>
      )}
      {!isOnline.value && <p class="field-note">{t('pin.set_offline')}</p>}
      {step.value === null ? (
        <div class="own-pin-ways">
          <Button icon="lock" disabled={!isOnline.value} onClick={() => (step.value = 'set')}>
            {t(hasPin ? 'pin.change' : 'pin.set')}
          </Button>
          {hasPin && (
            <Button kind="bare" disabled={!isOnline.value} onClick={() => (step.value = 'remove')}>
              {t('pin.remove')}
            </Button>
          )}
        </div>
      ) : (
        <PinForm step={step.value} onDone={() => (step.value = null)} />
      )}
    </section>
  );
}

/** Neither password nor PIN is stored here or in the app behind the page. */
function PinForm({ step, onDone }: { step: Step; onDone: () => void }) {
  const form = useRef<HTMLFormElement>(null);
  useLayoutEffect(() => form.current?.querySelector('input')?.focus(), []);
  const password = useSignal('');
  const pin = useSignal('');
  const again = useSignal('');
  const tried = useSignal(false);
  const busy = useSignal(false);
  const problem = useSignal<string | undefined>(undefined);
  const isComplete = step === 'remove' || (isPin(pin.value) && pin.value === again.value);
  const submit = async (): Promise<void> => {
    tried.value = true;
    if (busy.value || password.value === '' || !isComplete) return;
    busy.value = true;
    problem.value = undefined;
    try {
      await bridge().call('pin.set', { password: password.value, pin: step === 'set' ? pin.value : null });
      notify({ tone: 'done', text: t(step === 'set' ? 'pin.done_set' : 'pin.done_removed') });
      onDone();
    } catch (thrown) {
      const error = asBridgeError(thrown);
      problem.value = error.code === 'NETWORK' ? t('pin.set_offline') : reasonText(error);
      password.value = '';
    }
    busy.value = false;
  };
  const digits = { kind: 'password', autocomplete: 'one-time-code', verbatim: true, maxLength: 12 } as const;
  return (
    <form
      ref={form}
      class="own-pin-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      <TextField
        label={t('pin.password')}
        hint={t('pin.password_hint')}
        kind="password"
        autocomplete="current-password"
        maxLength={200}
        value={password.value}
        error={problem.value ?? (tried.value && password.value === '' ? t('login.needed') : undefined)}
        onValue={(value) => {
          password.value = value;
          problem.value = undefined;
        }}
      />
      {step === 'set' && (
        <>
          <TextField
            {...digits}
            label={t('pin.new_pin')}
            hint={t('pin.form')}
            value={pin.value}
            error={tried.value && !isPin(pin.value) ? t('pin.form') : undefined}
            onValue={(value) => (pin.value = value)}
          />
          <TextField
            {...digits}
            label={t('pin.again')}
            value={again.value}
            error={tried.value && pin.value !== again.value ? t('pin.differs') : undefined}
            onValue={(value) => (again.value = value)}
          />
        </>
      )}
      <div class="own-pin-ways">
        <Button kind="primary" type="submit" busy={busy.value}>
          {t(step === 'set' ? 'pin.save' : 'pin.remove')}
        </Button>
        <Button kind="bare" onClick={onDone}>
          {t('app.cancel')}
        </Button>
      </div>
    </form>
  );
}
