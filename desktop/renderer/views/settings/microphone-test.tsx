/** Chooses a microphone and shows whether it receives sound. */
import { useSignal, useSignalEffect } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { freshListening, hearing, listen, meterPosition } from '../../../../src/domain/dictation/level.ts';
import { captureBlockMs, isMicrophoneFailure } from '../../audio/microphone.ts';
import type { Microphone, MicrophoneProblem } from '../../audio/microphone.ts';
import { Button } from '../../parts/button.tsx';
import { Select } from '../../parts/field.tsx';
import { Banner } from '../../parts/states.tsx';
import { t } from '../../i18n/index.ts';
import { isRecording } from '../../state/jobs.ts';
import { showMicrophone } from '../../state/recorder/live-microphone.ts';
import { openPageMicrophone } from '../../state/recorder/page-microphone.ts';
import { changeSettings } from '../../state/settings.ts';

type Result = 'idle' | 'opening' | 'listening' | 'heard' | 'dead' | 'noise' | 'faint' | MicrophoneProblem;
const calm: ReadonlySet<Result> = new Set(['idle', 'opening', 'listening', 'heard']);

/** Listens to the microphone, as long as no dictation does. `onOpen`: it opened, so that devices have names. */
function useTrial(device: string | null, onOpen: () => void) {
  const result = useSignal<Result>('idle');
  const level = useSignal(0);
  const open = useRef<Microphone | undefined>(undefined);
  const hide = useRef<() => void>(() => undefined);
  /** Changes when the test ends: a microphone that opens later is released. */
  const turn = useRef(0);
  const stop = async (): Promise<void> => {
    const microphone = open.current;
    turn.current += 1;
    open.current = undefined;
    level.value = 0;
    hide.current();
    await microphone?.close();
  };
  const start = async (): Promise<void> => {
    await stop();
    const mine = turn.current;
    result.value = 'opening';
    try {
      const microphone = await openPageMicrophone({ device, sampleRate: null });
      if (turn.current !== mine) return void microphone.close();
      open.current = microphone;
      let heard = freshListening;
      await microphone.start({
        block({ peak, speech }) {
          heard = listen(heard, { peak, speech, ms: captureBlockMs });
          level.value = meterPosition(peak);
          const now = hearing(heard);
          result.value = heard.hasVoice ? 'heard' : now === 'good' || now === 'quiet' ? 'listening' : now;
        },
        ended() {
          result.value = 'missing';
          void stop();
        },
        muted: (isMuted) => isMuted && (result.value = 'dead'),
      });
      if (turn.current !== mine) return;
      hide.current = showMicrophone();
      onOpen();
    } catch (thrown) {
      if (turn.current !== mine) return;
      result.value = isMicrophoneFailure(thrown) ? thrown.microphone : 'busy';
      void stop();
    }
  };
  const end = (): void => {
    result.value = 'idle';
    void stop();
  };
  useSignalEffect(() => {
    if (isRecording.value) end();
  });
  useEffect(() => () => void stop(), []);
  return { result, level, start, end };
}

export function MicrophoneTest({ device }: { device: string | null }) {
  const devices = useSignal<readonly MediaDeviceInfo[]>([]);
  const readDevices = async (): Promise<void> => {
    const all = (await navigator.mediaDevices?.enumerateDevices()) ?? [];
    devices.value = all.filter(
      ({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '' && deviceId !== 'default',
    );
  };
  // Browsers reveal device names only after the person has allowed the microphone.
  const { result, level, start, end } = useTrial(device, () => void readDevices());
  useEffect(() => {
    void readDevices();
    navigator.mediaDevices?.addEventListener('devicechange', readDevices);
    return () => navigator.mediaDevices?.removeEventListener('devicechange', readDevices);
  }, []);

  const isListening = ['listening', 'heard', 'dead', 'noise', 'faint'].includes(result.value);
  const isKnown = device === null || devices.value.some(({ deviceId }) => deviceId === device);
  return (
    <>
      <Select
        label={t('settings.microphone')}
        hint={isKnown ? t('settings.microphone_hint') : t('settings.microphone_away')}
        value={device ?? ''}
        choices={[
          { value: '', label: t('settings.microphone_system') },
          ...devices.value.map(({ deviceId, label }, at) => ({
            value: deviceId,
            label: label === '' ? t('settings.microphone_unnamed', { n: at + 1 }) : label,
          })),
          ...(isKnown ? [] : [{ value: device ?? '', label: t('settings.microphone_gone') }]),
        ]}
        onValue={(value) => {
          end();
          void changeSettings({ microphone: value === '' ? null : value });
        }}
      />
      <div class="microphone-test">
        {isListening ? (
          <Button icon="stop" onClick={end}>
            {t('settings.test_stop')}
          </Button>
        ) : (
          <Button
            icon="microphone"
            busy={result.value === 'opening'}
            disabled={isRecording.value}
            onClick={() => void start()}
          >
            {t('settings.test_start')}
          </Button>
        )}
        <div
          class="level"
          role="meter"
          aria-label={t('settings.level')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={Math.round(level.value * 100)}
        >
          <i style={{ transform: `scaleX(${level.value})` }} />
        </div>
      </div>
      {!calm.has(result.value) ? (
        <Banner tone="warn" icon="warn" alert>
          {t(`settings.test_${result.value}`)}
        </Banner>
      ) : (
        <p class="field-note" role="status">
          {isRecording.value ? t('settings.test_recording') : t(`settings.test_${result.value}`)}
        </p>
      )}
    </>
  );
}
