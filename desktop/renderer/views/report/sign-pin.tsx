/** The signer's PIN: it exists only in the field, and is removed with each attempt. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isPin } from '../../../bridge/pin.ts';
import { t } from '../../i18n/index.ts';
import { Field } from '../../parts/field.tsx';
import { Banner } from '../../parts/states.tsx';
import { asBridgeError } from '../../state/bridge.ts';
import type { OpenReport } from '../../state/report/document.ts';
import type { SigningObstacle } from '../../state/report/signing.ts';
import { isOnline, ownPin } from '../../state/session.ts';
import { reasonText } from '../recorder/reason.ts';

/** `onSigned`: the report is signed, or `unsigned` says why not. */
export function useSignPin(document: OpenReport, open: boolean, onSigned: (unsigned: SigningObstacle | null) => void) {
  const [pin, setPin] = useState('');
  const [problem, setProblem] = useState<string | undefined>(undefined);
  const [isBusy, setBusy] = useState(false);
  const field = useRef<HTMLInputElement>(null);
  // Layout effects: the person can type as soon as the field is visible.
  useLayoutEffect(() => {
    setPin('');
    setProblem(undefined);
  }, [open]);
  useLayoutEffect(() => {
    if (open && !isBusy) field.current?.focus();
  }, [open, isBusy]);
  return {
    field,
    pin,
    problem,
    isBusy,
    type(typed: string): void {
      setPin(typed);
      setProblem(undefined);
    },
    async sign(acknowledged: readonly string[]): Promise<void> {
      if (isBusy) return;
      if (!isPin(pin)) return setProblem(t('pin.form'));
      setPin('');
      setBusy(true);
      try {
        const unsigned = await document.sign(acknowledged, pin);
        onSigned(unsigned);
      } catch (thrown) {
        const error = asBridgeError(thrown);
        setProblem(error.code === 'NETWORK' ? t('pin.offline') : reasonText(error));
      }
      setBusy(false);
    },
  };
}

export type SignPin = ReturnType<typeof useSignPin>;

/** Asks for the PIN, or explains why none can be entered now. */
export function PinField({
  field,
  pin,
  problem,
  isBusy,
  type,
  onEnter,
}: Omit<SignPin, 'sign'> & { readonly onEnter: () => void }) {
  const { locked } = ownPin.value;
  if (locked || !isOnline.value)
    return (
      <Banner tone="warn" icon={locked ? 'lock' : 'offline'}>
        {t(locked ? 'pin.locked' : 'pin.offline')}
      </Banner>
    );
  return (
    <Field label={t('pin.pin')} hint={t('pin.set_hint')} error={problem}>
      {({ id, describedBy, invalid }) => (
        <input
          ref={field}
          id={id}
          class="input pin-field"
          type="password"
          inputMode="numeric"
          // Browsers don't offer to save such a field.
          autocomplete="one-time-code"
          maxLength={12}
          value={pin}
          disabled={isBusy}
          aria-describedby={describedBy}
          aria-invalid={invalid}
          onInput={(event) => type(event.currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && !event.repeat && onEnter()}
        />
      )}
    </Field>
  );
}
