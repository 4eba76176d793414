/** Newer versions of the app: only in its own window. */
import { signal } from '@preact/signals';
import type { UpdateChannel, UpdateState } from '../../bridge.ts';
import { t } from '../i18n/index.ts';
import { asBridgeError, bridge } from './bridge.ts';
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

const ask = async (call: Promise<UpdateState>): Promise<void> => {
  try {
    take(await call);
  } catch (thrown) {
    notifyError(asBridgeError(thrown));
  }
};

export async function followUpdates(): Promise<void> {
  bridge().on('updates', take);
  await ask(bridge().call('updates.state', {}));
}

export const chooseUpdates = (channel: UpdateChannel): Promise<void> =>
  ask(bridge().call('updates.choose', { channel }));

/** The app ends once every dictation is sealed, and comes back as the newer one. */
export const restartToUpdate = (): Promise<void> => ask(bridge().call('updates.restart', {}));
