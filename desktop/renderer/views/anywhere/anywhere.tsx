/** The small window of a dictation into another program: level, words and state. It names no patient. */
import { useSignalEffect } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';
import { meterPosition } from '../../../../src/domain/dictation/level.ts';
import { t } from '../../i18n/index.ts';
import { Button } from '../../parts/button.tsx';
import { Icon } from '../../parts/icon.tsx';
import { createAnywhereDictation } from '../../state/anywhere.ts';
import type { AnywhereStep } from '../../state/anywhere.ts';
import { bridge } from '../../state/bridge.ts';
import { isRecording } from '../../state/jobs.ts';
import { keys, onKey } from '../../state/keys.ts';
import { openPageMicrophone } from '../../state/recorder/page-microphone.ts';
import { settings } from '../../state/settings.ts';
import { pageClock } from '../../state/time/page-clock.ts';
import { keyName } from '../app/key-name.ts';
import { reasonText } from '../recorder/reason.ts';

export function Anywhere() {
  const dictation = useMemo(
    () =>
      createAnywhereDictation({
        bridge,
        open: openPageMicrophone,
        clock: pageClock,
        device: () => settings.peek()?.microphone ?? null,
        language: () => settings.peek()?.anywhere ?? settings.peek()?.document_language ?? 'en-US',
        isTaken: () => isRecording.peek(),
      }),
    [],
  );
  const isReady = settings.value !== undefined;
  useEffect(() => {
    if (!isReady) return undefined;
    // The key opened this window.
    dictation.press();
    return onKey('anywhere', dictation.press);
  }, [isReady]);
  useSignalEffect(() => {
    if (isRecording.value) dictation.giveWay();
  });
  const step = dictation.step.value;
  const text = dictation.text.value;
  const error = dictation.error.value;
  return (
    <main class="anywhere" data-step={step}>
      <h1 class="sr-only">{t('anywhere.title')}</h1>
      <p class="anywhere-step" role="status">
        {step === 'recording' && <span class="dot dot-live" aria-hidden="true" />}
        {step === 'inserted' && <Icon name="check" />}
        <strong>{error === null ? stepText(step) : reasonText(error)}</strong>
      </p>
      {text === '' ? (
        <div class="meter" aria-hidden="true">
          <i style={{ clipPath: `inset(0 ${100 - meterPosition(dictation.level.value) * 100}% 0 0)` }} />
        </div>
      ) : (
        <p class="anywhere-text">{text}</p>
      )}
      <div class="anywhere-foot">
        <span>{keyHint(step)}</span>
        {step === 'failed' && text === '' && <Button onClick={dictation.retry}>{t('app.try_again')}</Button>}
        <Button kind="bare" onClick={dictation.close}>
          {t(step === 'recording' ? 'anywhere.discard' : 'app.close')}
        </Button>
        {step === 'recording' && (
          <Button kind="primary" onClick={dictation.press}>
            {t('document.correct_stop')}
          </Button>
        )}
      </div>
    </main>
  );
}

function stepText(step: AnywhereStep): string {
  if (step === 'copied') return t('anywhere.copied', { key: keyName('Mod+v') });
  return step === 'failed' ? '' : t(`anywhere.${step}`);
}

/** Says the present use of the key. */
function keyHint(step: AnywhereStep): string {
  const key = keyName(keys.value.anywhere);
  if (step === 'opening' || step === 'working') return '';
  return t(step === 'recording' ? 'anywhere.key_ends' : 'anywhere.key_begins', { key });
}
