/** New versions of the app, in a window of the desktop app only. */
import { signal } from '@preact/signals';
import type { UpdateChannel, UpdateState } from '../../bridge/updates.ts';
import { t } from '../i18n/index.ts';
import { appBridge, asBridgeError, bridge } from './bridge.ts';
import { notify, notifyError } from './notices.ts';

/** `undefined` unless this page is in a window of the desktop app. */
export const updates = signal<UpdateState | undefined>(undefined);

function take(state: UpdateState): void {
  const before = updates.peek()?.phase;
  updates.value = state.phase === 'elsewhere' ? undefined : state;
  if (state.phase !== 'ready' || before === 'ready') return;
  notify({
    tone: 'info',
    text: t('app.update_ready', { version: state.version ?? '' }),
    action: { label: t('app.update_restart'), run: () => void restartToUpdate(), about: null },
  });
}

/** Number of events received. */
let events = 0;

/** Events arrive in order: an event since the request is newer than the answer. */
const ask = async (call: Promise<UpdateState>): Promise<void> => {
  const before = events;
  try {
    const state = await call;
    if (before === events) take(state);
  } catch (thrown) {
    notifyError(asBridgeError(thrown));
  }
};

export async function followUpdates(): Promise<void> {
  appBridge().on('updates', (state) => {
    events += 1;
    take(state);
  });
  await ask(appBridge().call('updates.state', {}));
}

export const chooseUpdates = (channel: UpdateChannel): Promise<void> =>
  ask(bridge().call('updates.choose', { channel }));

/** Quits the app once every dictation is sealed, and starts the new version. */
export const restartToUpdate = (): Promise<void> => ask(bridge().call('updates.restart', {}));
