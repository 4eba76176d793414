/** The connected dictation devices and the actions of their keys. */
import { effect, signal } from '@preact/signals';
import { hasHid, openDictationDevices } from '../../audio/dictation-device.ts';
import type { DeviceKey, DictationDevices } from '../../audio/dictation-device.ts';
import { insertModes } from '../../../bridge/dictation.ts';
import { t } from '../../i18n/index.ts';
import { notify } from '../notices.ts';
import { liveRecorder, makeReport, openRecorder, toggleRecording } from './recorders.ts';
import { openItemId } from '../route.ts';

/** Names of the connected devices. */
export const deviceNames = signal<readonly string[]>([]);
/** `false`: this browser has no WebHID. */
export const canConnectDevice = hasHid;

/** Seconds that the rewind key jumps back. */
export const backSeconds = 3;

let opened: Promise<DictationDevices> | undefined;

const press: Readonly<Record<DeviceKey, (itemId: string) => unknown>> = {
  record: (itemId) => toggleRecording(itemId),
  stop: (itemId) => (liveRecorder.peek() ? liveRecorder.peek()?.pause() : openRecorder(itemId).stopPlaying()),
  play(itemId) {
    const recorder = openRecorder(itemId);
    return recorder.state.peek().isPlaying ? recorder.stopPlaying() : recorder.play();
  },
  rewind: (itemId) => openRecorder(itemId).back(backSeconds),
  place(itemId) {
    const recorder = openRecorder(itemId);
    const at = insertModes.indexOf(recorder.state.peek().mode);
    recorder.setMode(insertModes[(at + 1) % insertModes.length] ?? 'insert');
  },
  send: (itemId) => makeReport(itemId),
};

const open = (): Promise<DictationDevices> =>
  (opened ??= openDictationDevices({
    key(key) {
      const itemId = openItemId.peek() ?? liveRecorder.peek()?.itemId;
      if (itemId !== undefined && itemId !== null) void press[key](itemId);
    },
    devices: (names) => (deviceNames.value = names),
  }));

/**
 * Opens the devices that the person allowed before, without asking, and lights them while the microphone is live. The
 * returned function closes them.
 */
export function followDevices(): () => void {
  if (!hasHid()) return () => undefined;
  let isEnded = false;
  void navigator.hid.getDevices().then((known) => {
    // Loads the library only if a device is present.
    if (!isEnded && known.length > 0) return open();
    return undefined;
  });
  const stop = effect(() => {
    const isRecording = liveRecorder.value !== null;
    void opened?.then((devices) => devices.light(isRecording));
  });
  return () => {
    isEnded = true;
    stop();
    void opened?.then((devices) => devices.close());
    opened = undefined;
  };
}

/** Lets the person choose a device. */
export async function connectDevice(): Promise<void> {
  try {
    const count = await (await open()).connect();
    const name = deviceNames.peek().at(-1);
    if (count === 0 || name === undefined) notify({ tone: 'info', text: t('recorder.device_none') });
    else notify({ tone: 'done', text: t('recorder.device_connected', { name }) });
  } catch {
    notify({ tone: 'error', text: t('recorder.device_failed') });
  }
}
