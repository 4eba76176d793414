/** What the person chose. A choice shows at once and is kept by the app behind the page. */
import { signal } from '@preact/signals';
import { createOrder } from '../../../src/domain/in-order.ts';
import { defaultKeys } from '../../bridge/keys.ts';
import type { AppSettings } from '../../bridge/settings.ts';
import { asBridgeError, bridge } from './bridge.ts';
import { keys } from './keys.ts';
import { notifyError } from './notices.ts';

/** `undefined` until it has been read. */
export const settings = signal<AppSettings | undefined>(undefined);

function show(): void {
  settings.value = kept && waiting.reduce<AppSettings>((shown, change) => ({ ...shown, ...change }), kept);
  keys.value = settings.value?.keys ?? defaultKeys;
}

/** Reads them; forgets them when that has ended: the next person has others. */
export async function followSettings(ended: AbortSignal): Promise<void> {
  ended.addEventListener('abort', () => {
    kept = undefined;
    waiting = [];
    inOrder = createOrder();
    show();
  });
  kept = await bridge().call('settings.get', {});
  show();
}

/** As the app has them. */
let kept: AppSettings | undefined;
/** Changes that the app has not answered, the oldest first. */
let waiting: readonly Partial<AppSettings>[] = [];
/** One after the other, so that an earlier one never arrives over a later one. */
let inOrder = createOrder();

/** Changes some of it; where the app refuses, what it has is shown again. */
export async function changeSettings(change: Partial<AppSettings>): Promise<void> {
  if (kept === undefined) return;
  waiting = [...waiting, change];
  show();
  await inOrder(async () => {
    // Somebody else may have come to the page meanwhile.
    if (kept === undefined || !waiting.includes(change)) return;
    const wished = { ...kept, ...change };
    try {
      await bridge().call('settings.set', wished);
      kept &&= wished;
    } catch (thrown) {
      notifyError(asBridgeError(thrown));
    }
    waiting = waiting.filter((other) => other !== change);
    show();
  });
}
