/** Who is logged in, where, and whether the service answers. */
import { batch, computed, signal } from '@preact/signals';
import type { CallInput } from '../../bridge/calls.ts';
import type { SessionState } from '../../bridge/session.ts';
import { shownLanguage } from '../i18n/index.ts';
import { appBridge, asBridgeError, login, onOtherPerson, setPerson } from './bridge.ts';
import { forgetNotices, notifyError } from './notices.ts';
import { stopWriting } from './report/writing.ts';

/** `undefined` until the app behind the page has answered once. */
export const session = signal<SessionState | undefined>(undefined);

/** The app behind the page did not answer at startup. */
export const isAppAway = signal(false);

/** The app behind the page does not answer now. */
export const isAppSilent = signal(false);

export const isOnline = computed(() => !isAppSilent.value && (session.value?.online ?? true));
export const isTestMode = computed(() => session.value?.test_mode ?? false);
/** Host of the remote service; `undefined`: the person works at the server of the app. */
export const serviceHost = computed(() => {
  const { place, server } = session.value ?? {};
  if (place !== 'service' || typeof server !== 'string') return undefined;
  return URL.canParse(server) ? new URL(server).host : server;
});

/** The recogniser in use; `null`: unknown. */
export const recogniser = computed(() => session.value?.recogniser ?? null);
/** Host that receives the audio; `null`: none. */
export const soundGoesTo = computed(() => session.value?.sound_goes_to ?? null);
/** Whether the service proposes impressions. */
export const proposesImpressions = computed(() => session.value?.proposes_impressions ?? false);
/** Host that receives the text; `null`: none. */
export const textGoesTo = computed(() => session.value?.text_goes_to ?? null);
/** Changes that wait to be sent. */
export const waitingChanges = computed(() => session.value?.waiting ?? 0);
/** Whether one of them has waited for half a minute. */
export const isOverdue = computed(() => session.value?.overdue ?? false);
const ofSession = (field: 'unsent' | 'unsigned') =>
  computed<ReadonlySet<string>>(() => new Set(session.value?.[field]));
/** Ids of resources with waiting changes. */
export const unsent = ofSession('unsent');
/** Ids of reports whose signature waits: the service does not have it, and they are not signed. */
export const unsigned = ofSession('unsigned');
/** Display name of the person who is logged in. */
export const userName = computed(() => session.value?.user ?? null);

/** The kind of signature that the operator allows this person; `null`: final, without a role. */
export const role = computed(() => session.value?.role ?? null);

/** The person's signing PIN: whether it exists and whether it is locked. */
export const ownPin = computed(() => session.value?.pin ?? { has_pin: false, locked: false });

/** Takes over the state from an answer or event, unless the page knows a newer one. */
function take(state: SessionState): void {
  if (state.revision < known) return;
  known = state.revision;
  const before = session.peek()?.desk ?? null;
  batch(() => {
    setPerson(['ready', 'expired'].includes(state.phase) ? state.desk : null);
    // After unlocking, the same person finds their notices and the field they typed in.
    if (before !== null && before !== state.desk) {
      forgetNotices();
      stopWriting();
    }
    session.value = state;
  });
}
let known = 0;

const ask = async (): Promise<void> => take(await appBridge().call('session.state', {}));

/** Reads and follows the session. The returned function stops following. */
export async function followSession(): Promise<() => void> {
  const stopEvents = appBridge().on('session', take);
  const stopGaps = appBridge().onGap(() => {
    // A restarted app counts from the start.
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

/**
 * Logs in. Resolves to the address that the browser must open; `null`: the login happens in another window, or is done.
 */
export async function logIn(input: CallInput<'session.start'>): Promise<string | null> {
  const { go_to } = await appBridge().call('session.start', { ...input, language: shownLanguage() });
  if (go_to === null) await ask();
  return go_to;
}

/** Logs in again to the same service. */
export async function logInAgain(): Promise<string | null> {
  const { place, server } = session.peek() ?? {};
  return logIn({
    place: place ?? 'this-computer',
    ...(place === 'service' && typeof server === 'string' && { server }),
  });
}

/** Creates the first user of this computer and logs them in. */
export async function createFirstUser(input: CallInput<'session.first_user'>): Promise<void> {
  try {
    await appBridge().call('session.first_user', input);
  } catch (error) {
    // Whether a user exists now decides about the next attempt.
    await ask().catch(() => undefined);
    throw error;
  }
  await ask();
}

/** Logs out; the app keeps the waiting changes. */
export async function logOut(): Promise<void> {
  await appBridge().call('session.end', {});
  await refreshSession();
}

export async function lock(): Promise<void> {
  await appBridge().call('session.lock', {});
  await refreshSession();
}
