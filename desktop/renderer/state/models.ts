/** The speech models of this computer, while a view shows them. */
import { signal } from '@preact/signals';
import type { ModelsState } from '../../bridge/models.ts';
import { setupCodeNeeded } from '../../bridge/session.ts';
import { asBridgeError, bridge } from './bridge.ts';
import { explainError } from './explain.ts';
import { notifyError } from './notices.ts';
import { session } from './session.ts';

/** `undefined`: not read yet. */
export const models = signal<ModelsState | undefined>(undefined);
/** Why the list could not be read. */
export const modelsProblem = signal<string | undefined>(undefined);
/** The setup code as typed, and whether the app rejected it; kept until the page closes. */
export const setupCode = signal({ text: '', isWrong: false });

const take = (state: ModelsState): void => {
  if (state.revision >= (models.peek()?.revision ?? 0)) models.value = state;
};

/** Follows the models until the returned function is called. */
export function followModels(): () => void {
  const end = bridge().on('models', take);
  bridge()
    .call('models.state', {})
    .then(take, (thrown: unknown) => (modelsProblem.value = explainError(asBridgeError(thrown)).text));
  return end;
}

/** Whether changes still require the setup code. */
export const needsSetupCode = (): boolean => session.value?.asks_code === true;

export async function changeModel(what: 'install' | 'cancel' | 'remove' | 'use', id: string): Promise<void> {
  const { text } = setupCode.peek();
  try {
    await bridge().call(`models.${what}`, { id, ...(needsSetupCode() && text !== '' && { code: text.trim() }) });
  } catch (thrown) {
    const refusal = asBridgeError(thrown);
    if (refusal.details?.['reason'] === setupCodeNeeded) setupCode.value = { text, isWrong: true };
    else notifyError(refusal);
  }
}
