/** Dictation microphones and pedals (SpeechMike, PowerMic, foot controls) over WebHID, if the browser supports it. */
import type { ButtonEvent, DictationDevice, DictationDeviceManager } from 'dictation_support';

/** The actions of these devices' keys. */
export type DeviceKey = 'record' | 'stop' | 'play' | 'rewind' | 'place' | 'send';

export interface DeviceListener {
  key(key: DeviceKey): void;
  /** Names of the connected devices. */
  devices(names: readonly string[]): void;
}

export interface DictationDevices {
  /**
   * Lets the person choose devices; must be called from a click or key press. Resolves to the number of chosen devices.
   */
  connect(): Promise<number>;
  /** Lights the devices while the microphone records. */
  light(isRecording: boolean): Promise<void>;
  close(): Promise<void>;
}

export const hasHid = (): boolean => 'hid' in navigator;

/** Bits of the library's `ButtonEvent`: importing the enum would pull the library into the first load. */
const bits = { rewind: 1, play: 2, forward: 4, place: 16, record: 32, stop: 256, send: 16_384 } as const;

/** Actions of the buttons of a hand microphone. */
const handKeys: readonly (readonly [number, DeviceKey])[] = [
  [bits.record, 'record'],
  [bits.stop, 'stop'],
  [bits.play, 'play'],
  [bits.rewind, 'rewind'],
  [bits.place, 'place'],
  [bits.send, 'send'],
];
/** Actions of a foot control, whose large middle pedal records. */
const footKeys: readonly (readonly [number, DeviceKey])[] = [
  [bits.play, 'record'],
  [bits.rewind, 'rewind'],
  [bits.forward, 'play'],
  [bits.send, 'send'],
];
/** `ImplementationType` of the library. */
const kinds = { speechMike: 0, footControl: 2, powerMic: 3 } as const;

/** Buttons pressed between two reports of a device; both reports are bit masks of `ButtonEvent`. */
export const keysPressed = (before: number, now: number, isFootControl: boolean): DeviceKey[] =>
  (isFootControl ? footKeys : handKeys)
    .filter(([bit]) => (now & bit) !== 0 && (before & bit) === 0)
    .map(([, key]) => key);

async function light(device: DictationDevice, isRecording: boolean): Promise<void> {
  // 2: RECORD_OVERWRITE of SimpleLedState, and 1: RED of LedStatePM3; both red. 0: off.
  if (device.implType === kinds.speechMike) await device.setSimpleLedState(isRecording ? 2 : 0);
  else if (device.implType === kinds.powerMic) await device.setLed(isRecording ? 1 : 0);
}

/** Opens the devices that the person allowed before, and follows connections and button presses. */
export async function openDictationDevices(listener: DeviceListener): Promise<DictationDevices> {
  const manager = await newManager();
  const masks = new WeakMap<DictationDevice, number>();
  const reportDevices = (): void =>
    listener.devices(manager.getDevices().map((device) => device.hidDevice.productName));
  manager.addButtonEventListener((device: DictationDevice, mask: ButtonEvent) => {
    for (const key of keysPressed(masks.get(device) ?? 0, mask, device.implType === kinds.footControl))
      listener.key(key);
    masks.set(device, mask);
  });
  manager.addDeviceConnectedEventListener(reportDevices);
  manager.addDeviceDisconnectedEventListener(reportDevices);
  await manager.init();
  reportDevices();
  return {
    async connect() {
      const chosen = await manager.requestDevice();
      reportDevices();
      return chosen.length;
    },
    async light(isRecording) {
      // A failing light must not end a recording.
      await Promise.allSettled(manager.getDevices().map((device) => light(device, isRecording)));
    },
    close: () => manager.shutdown(),
  };
}

/** The library is CommonJS: depending on the bundler, its exports are on the module or on its default. */
async function newManager(): Promise<DictationDeviceManager> {
  const module: typeof import('dictation_support') & { default?: typeof import('dictation_support') } =
    await import('dictation_support');
  const { DictationDeviceManager: Manager } = module.default ?? module;
  return new Manager();
}
