/** What the person chose. A choice shows at once and is kept by the app behind the page. */
import { signal } from '@preact/signals';
import { defaultKeys } from '../../bridge.ts';
import type { AppSettings } from '../../bridge.ts';
import { asBridgeError, bridge } from './bridge.ts';
import { keys } from './keys.ts';
import { notifyError } from './notices.ts';

/** `undefined` until it has been read. */
export const settings = signal<AppSettings | undefined>(undefined);

function take(value: AppSettings): void {
  settings.value = value;
  keys.value = value.keys;
}

/** Reads them; the function returned forgets them: the next person has others. */
export async function followSettings(): Promise<() => void> {
  take(await bridge().call('settings.get', {}));
  return () => {
    settings.value = undefined;
    keys.value = defaultKeys;
  };
}

/** Changes some of it; where the app refuses, the old choice is shown again. */
export async function changeSettings(change: Partial<AppSettings>): Promise<void> {
  const before = settings.peek();
  if (before === undefined) return;
  take({ ...before, ...change });
  try {
    await bridge().call('settings.set', { ...before, ...change });
  } catch (thrown) {
    take(before);
    notifyError(asBridgeError(thrown));
  }
}
