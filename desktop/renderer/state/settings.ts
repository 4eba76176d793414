/** The settings of the person. A change shows at once; the app behind the page stores it. */
import { signal } from '@preact/signals';
import { createOrder } from '../../../src/domain/in-order.ts';
import { defaultKeys } from '../../bridge/keys.ts';
import type { AppSettings } from '../../bridge/settings.ts';
import { asBridgeError, bridge } from './bridge.ts';
import { keys } from './keys.ts';
import { notifyError } from './notices.ts';

/** `undefined` until the settings have been read. */
export const settings = signal<AppSettings | undefined>(undefined);

function show(): void {
  settings.value = stored && waiting.reduce<AppSettings>((shown, change) => ({ ...shown, ...change(shown) }), stored);
  keys.value = settings.value?.keys ?? defaultKeys;
}

/** Reads the settings. They are forgotten when the login ends, since the next person has others. */
export async function followSettings(ended: AbortSignal): Promise<void> {
  ended.addEventListener('abort', () => {
    stored = undefined;
    waiting = [];
    inOrder = createOrder();
    show();
  });
  stored = await bridge().call('settings.get', {});
  show();
}

/** The settings as the app has them. */
let stored: AppSettings | undefined;
/** Changes that the app has not answered, oldest first. */
let waiting: readonly SettingsChange[] = [];
/** Sends changes in order, so that an earlier one never overrides a later one. */
let inOrder = createOrder();

/** A change computed from the current settings, which another window may have changed. */
export type SettingsChange = (now: AppSettings) => Partial<AppSettings>;

/** Changes settings. If the app refuses, the page shows the app's settings again. */
export async function changeSettings(wanted: Partial<AppSettings> | SettingsChange): Promise<void> {
  if (stored === undefined) return;
  const change: SettingsChange = typeof wanted === 'function' ? wanted : () => wanted;
  waiting = [...waiting, change];
  show();
  await inOrder(async () => {
    // The person at the page may have changed.
    if (stored === undefined || !waiting.includes(change)) return;
    const app = bridge();
    try {
      const now = await app.call('settings.get', {});
      const next = { ...now, ...change(now) };
      await app.call('settings.set', next);
      stored &&= next;
    } catch (thrown) {
      notifyError(asBridgeError(thrown));
    }
    waiting = waiting.filter((other) => other !== change);
    show();
  });
}
