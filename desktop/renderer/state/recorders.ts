/** The recorders of this page: one an exam, and one microphone for all of them. */
import { computed, effect, signal } from '@preact/signals';
import { openMicrophone } from '../audio/microphone.ts';
import { createPlayer } from '../audio/player.ts';
import type { AppSettings } from '../../bridge.ts';
import { shownLanguage, t } from '../i18n/index.ts';
import { bridge } from './bridge.ts';
import { takeForDictation } from './exam.ts';
import { notify } from './notices.ts';
import { pageClock } from './page-clock.ts';
import { createRecorder } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import { isLive } from './recorder-state.ts';
import { session } from './session.ts';
import { settings } from './settings.ts';
import { keepWarm } from './warm-microphone.ts';

/** Random enough to tell a person's windows apart; a page without https has no `randomUUID`. */
const page = Math.random().toString(36).slice(2);
const recorders = signal<ReadonlyMap<string, Recorder>>(new Map());
const microphone = keepWarm(openMicrophone, pageClock);
let player: ReturnType<typeof createPlayer> | undefined;

/** The one for which the microphone is live. */
export const liveRecorder = computed(
  () => [...recorders.value.values()].find((recorder) => isLive(recorder.state.value)) ?? null,
);

/** Until the settings are read. */
const usual = (): Pick<AppSettings, 'microphone' | 'document_language' | 'template_id' | 'upload_format'> => ({
  microphone: null,
  document_language: shownLanguage(),
  template_id: null,
  upload_format: 'wav',
});

/** The recorder of an exam. */
export function recorderOf(itemId: string): Recorder {
  const known = recorders.peek().get(itemId);
  if (known) return known;
  const recorder = createRecorder(itemId, {
    bridge: bridge(),
    clock: pageClock,
    microphone,
    player: (player ??= createPlayer()),
    settings: () => settings.value ?? usual(),
    // One microphone: what is said for one patient must not get into the report of another.
    takeExam: async () => !isOtherLive(itemId) && takeForDictation(itemId),
    page,
    elsewhere: (takeOver) =>
      notify({
        tone: 'error',
        text: t(takeOver ? 'recorder.elsewhere_found' : 'recorder.elsewhere_taken'),
        hint: t('recorder.elsewhere_hint'),
        ...(takeOver && { action: { label: t('recorder.take_over'), run: takeOver } }),
      }),
    littleRoom: (minutes) =>
      notify({ tone: 'error', text: t('recorder.little_room', { n: minutes }), hint: t('recorder.little_room_hint') }),
    encoder: {
      can: async () => (await import('../audio/encode.ts')).canEncodeOpus(),
      encode: async (address) => (await import('../audio/encode.ts')).encodeOpus(address),
    },
  });
  recorders.value = new Map(recorders.peek()).set(itemId, recorder);
  return recorder;
}

const isOtherLive = (itemId: string): boolean =>
  [...recorders.peek().values()].some((other) => other.itemId !== itemId && isLive(other.state.peek()));

/** Records or pauses: what is live first, whatever exam is on the screen. */
export const toggleRecording = (itemId: string): Promise<void> => (liveRecorder.peek() ?? recorderOf(itemId)).toggle();

/** Ends a recording when the page is locked or nobody is logged in; asks before the page is left with sound that is not on disk. */
export function guardRecording(): () => void {
  const isIn = computed(() => ['ready', 'expired'].includes(session.value?.phase ?? 'ready'));
  const stop = effect(() => {
    if (!isIn.value) void liveRecorder.peek()?.pause();
  });
  const ask = (event: BeforeUnloadEvent): void => {
    if (liveRecorder.peek()) event.preventDefault();
  };
  addEventListener('beforeunload', ask);
  return () => {
    stop();
    removeEventListener('beforeunload', ask);
  };
}
