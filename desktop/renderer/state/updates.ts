/** Newer versions of the app: only in its own window. */
import { signal } from '@preact/signals';
import type { UpdateChannel, UpdateState } from '../../bridge/updates.ts';
import { t } from '../i18n/index.ts';
import { appBridge, asBridgeError, bridge } from './bridge.ts';
import { notify, notifyError } from './notices.ts';

/** `undefined` where this page is not in a window of the app's own. */
export const updates = signal<UpdateState | undefined>(undefined);

function take(state: UpdateState): void {
  const before = updates.peek()?.phase;
  updates.value = state.phase === 'elsewhere' ? undefined : state;
  if (state.phase !== 'ready' || before === 'ready') return;
  notify({
    tone: 'info',
    text: t('settings.update_ready', { version: state.version ?? '' }),
    action: { label: t('settings.update_restart'), run: () => void restartToUpdate() },
  });
}

/** How often it was told of itself. */
let told = 0;

/** Each change is told, in order: what was told since the question is newer than its answer. */
const ask = async (call: Promise<UpdateState>): Promise<void> => {
  const before = told;
  try {
    const state = await call;
    if (before === told) take(state);
  } catch (thrown) {
    notifyError(asBridgeError(thrown));
  }
};

export async function followUpdates(): Promise<void> {
  appBridge().on('updates', (state) => {
    told += 1;
    take(state);
  });
  await ask(appBridge().call('updates.state', {}));
}

export const chooseUpdates = (channel: UpdateChannel): Promise<void> =>
  ask(bridge().call('updates.choose', { channel }));

/** The app ends once every dictation is sealed, and comes back as the newer one. */
export const restartToUpdate = (): Promise<void> => ask(bridge().call('updates.restart', {}));
