/** Chooses the microphone, tests it, and connects dictation devices. */
import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { t } from '../../i18n/index.ts';
import { Icon } from '../../parts/icon.tsx';
import { Menu } from '../../parts/menu.tsx';
import type { MenuItem } from '../../parts/menu.tsx';
import { canConnectDevice, connectDevice, deviceNames } from '../../state/recorder/dictation-devices.ts';
import type { Recorder } from '../../state/recorder/recorder.ts';
import { openSheet } from '../../state/route.ts';
import { changeSettings, settings } from '../../state/settings.ts';

/** The microphones, with the browser's ids; unnamed until the page has permission. */
function useMicrophones(shown: string | null): readonly MediaDeviceInfo[] {
  const microphones = useSignal<readonly MediaDeviceInfo[]>([]);
  useEffect(() => {
    const media = navigator.mediaDevices as MediaDevices | undefined;
    const read = async (): Promise<void> => {
      const all = (await media?.enumerateDevices().catch(() => [])) ?? [];
      microphones.value = all.filter(
        ({ kind, deviceId }) => kind === 'audioinput' && deviceId !== '' && deviceId !== 'default',
      );
    };
    void read();
    media?.addEventListener('devicechange', read);
    return () => media?.removeEventListener('devicechange', read);
  }, [shown]);
  return microphones.value;
}

/** Removes the vendor and product numbers that browsers append, which mean nothing to a physician. */
const plainName = (label: string): string => label.replace(/(?<!\s)\s*\([0-9a-f]{4}:[0-9a-f]{4}\)$/i, '');

export function MicrophoneMenu({ recorder, device }: { recorder: Recorder; device: string | null }) {
  const microphones = useMicrophones(device);
  const chosen = settings.value?.microphone ?? null;
  const choose = async (id: string | null): Promise<void> => {
    await changeSettings({ microphone: id });
    // If chosen during a recording, the next take uses the new microphone.
    if (recorder.state.peek().phase !== 'recording') return;
    await recorder.pause();
    await recorder.record();
  };
  const choice = (id: string | null, label: string): MenuItem => ({
    label,
    ...(id === chosen && { icon: 'check' as const }),
    run: () => void choose(id),
  });
  const named = microphones.find(({ deviceId }) => deviceId === chosen)?.label;
  const name = deviceNames.value.at(-1) ?? plainName(device ?? named ?? '');
  return (
    <div class="recorder-device">
      <Menu
        label={name === '' ? t('recorder.microphone_menu') : t('recorder.microphone_named', { name })}
        button={
          <span class="chip">
            <Icon name="microphone" size={14} />
            <span class="chip-text">{name === '' ? t('recorder.microphone') : name}</span>
            <Icon name="down" size={14} />
          </span>
        }
        head={t('recorder.microphone')}
        items={[
          choice(null, t('recorder.microphone_system')),
          ...microphones.map(({ deviceId, label }, at) =>
            choice(deviceId, label === '' ? t('recorder.microphone_unnamed', { n: at + 1 }) : plainName(label)),
          ),
          'line',
          { label: t('recorder.microphone_test'), run: () => openSheet('settings') },
          canConnectDevice()
            ? { label: t('recorder.connect_device'), run: () => void connectDevice() }
            : { label: t('recorder.connect_device_not_here'), disabled: true, run: () => undefined },
        ]}
      />
    </div>
  );
}
