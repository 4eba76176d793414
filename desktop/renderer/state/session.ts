/** Who is logged in, where, and whether the service answers. */
import { batch, computed, signal } from '@preact/signals';
import type { CallInput } from '../../bridge/calls.ts';
import type { SessionState } from '../../bridge/session.ts';
import { shownLanguage } from '../i18n/index.ts';
import { appBridge, asBridgeError, login, onOtherPerson, setPerson } from './bridge.ts';
import { forgetNotices, notifyError } from './notices.ts';
import { stopWriting } from './report/writing.ts';

/** `undefined` until the app behind the page has said it once. */
export const session = signal<SessionState | undefined>(undefined);

/** The app behind the page did not answer at the start. */
export const isAppAway = signal(false);

/** The app behind the page does not answer now. */
export const isAppSilent = signal(false);

export const isOnline = computed(() => !isAppSilent.value && (session.value?.online ?? true));
export const isTestMode = computed(() => session.value?.test_mode ?? false);
/** Who turns speech into text where the work is kept; `null`: not known. */
export const recogniser = computed(() => session.value?.recogniser ?? null);
/** Changes that wait to be sent. */
export const waitingChanges = computed(() => session.value?.waiting ?? 0);
/** The display name of who is logged in. */
export const userName = computed(() => session.value?.user ?? null);

/** Takes what was answered or told, unless something newer is known. */
function take(state: SessionState): void {
  if (state.revision < known) return;
  known = state.revision;
  const before = session.peek()?.desk ?? null;
  batch(() => {
    setPerson(['ready', 'expired'].includes(state.phase) ? state.desk : null);
    // Whoever unlocks the screen finds what was said to them, and the field in which they wrote.
    if (before !== null && before !== state.desk) {
      forgetNotices();
      stopWriting();
    }
    session.value = state;
  });
}
let known = 0;

const ask = async (): Promise<void> => take(await appBridge().call('session.state', {}));

/** Asks once and follows from then on. The function returned ends it. */
export async function followSession(): Promise<() => void> {
  const stopEvents = appBridge().on('session', take);
  const stopGaps = appBridge().onGap(() => {
    // The app may have been started again, and counts anew.
    known = 0;
    void refreshSession();
  });
  onOtherPerson(refreshSession);
  const stopSilence = appBridge().onSilence?.((isSilent) => (isAppSilent.value = isSilent));
  await ask();
  return () => {
    stopEvents();
    stopGaps();
    stopSilence?.();
  };
}

async function refreshSession(): Promise<void> {
  const { ended } = login.peek();
  try {
    await ask();
  } catch (thrown) {
    if (!ended.aborted) notifyError(asBridgeError(thrown));
  }
}

/** Logs in. A browser is sent on to `go_to`; `null`: the login happens elsewhere or has happened. */
export async function logIn(input: CallInput<'session.start'>): Promise<string | null> {
  const { go_to } = await appBridge().call('session.start', { ...input, language: shownLanguage() });
  if (go_to === null) await ask();
  return go_to;
}

/** Logs in again where the person was logged in before. */
export async function logInAgain(): Promise<string | null> {
  const { place, server } = session.peek() ?? {};
  return logIn({
    place: place ?? 'this-computer',
    ...(place === 'service' && typeof server === 'string' && { server }),
  });
}

export const createFirstUser = (input: CallInput<'session.first_user'>) =>
  appBridge().call('session.first_user', input);

/** Logs out; what waits to be sent is kept. */
export async function logOut(): Promise<void> {
  await appBridge().call('session.end', {});
  await refreshSession();
}

export async function lock(): Promise<void> {
  await appBridge().call('session.lock', {});
  await refreshSession();
}
