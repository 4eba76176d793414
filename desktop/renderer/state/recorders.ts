/** The recorders of this page: one an exam, and one microphone for all of them. */
import { computed, effect, signal } from '@preact/signals';
import { openMicrophone } from '../audio/microphone.ts';
import { createPlayer } from '../audio/player.ts';
import { createBrowserBacklog } from '../backlog/browser-backlog.ts';
import type { AppSettings } from '../../bridge.ts';
import { shownLanguage, t } from '../i18n/index.ts';
import { bridge } from './bridge.ts';
import { mayReport, takeForReport } from './exam.ts';
import { notify, notifyError } from './notices.ts';
import { pageClock } from './page-clock.ts';
import { pageName } from './page-name.ts';
import { createRecorder } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import { isLive, unkept } from './recorder-state.ts';
import { recogniser, session } from './session.ts';
import { settings } from './settings.ts';
import { createWaitingReports } from './waiting-reports.ts';
import type { WaitingReports } from './waiting-reports.ts';
import { firstLook, followWaitingSound } from './waiting-sound.ts';
import { keepWarm } from './warm-microphone.ts';
import { within } from './within.ts';
import { startWriting } from './writing.ts';

const recorders = signal<ReadonlyMap<string, Recorder>>(new Map());
const microphone = keepWarm(openMicrophone, pageClock);
const backlog = createBrowserBacklog();
const reports = (): WaitingReports =>
  (waitingReports ??= createWaitingReports({
    bridge: bridge(),
    clock: pageClock,
    backlog,
    sent: (dictation, { format }) => void (format === 'opus' && recorderOf(dictation.item_id).compress(dictation)),
    refused: notifyError,
  }));
let waitingReports: WaitingReports | undefined;
let player: ReturnType<typeof createPlayer> | undefined;

const isIn = computed(() => ['ready', 'expired'].includes(session.value?.phase ?? 'ready'));
/** Stands for whoever is logged in; `null`: nobody is, or the screen is locked. */
const desk = computed(() => (isIn.value ? (session.value?.desk ?? null) : null));

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
    takeExam: async () => !isOtherLive(itemId) && takeForReport(itemId),
    backlog,
    reports: reports(),
    page: pageName,
    desk: () => desk.peek(),
    moved: () => notify({ tone: 'error', text: t('recorder.moved'), hint: t('recorder.moved_hint') }),
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

/** Watches over the recorders and sends what waits; resolves when it is known what does. */
export const startRecorders = (): Promise<void> => (started ??= start());
let started: Promise<void> | undefined;

async function start(): Promise<void> {
  guardRecording();
  sendWaiting();
  await within(pageClock, patienceMs, () => firstLook).catch(() => undefined);
}
/** In ms, for a browser whose storage does not answer. */
const patienceMs = 1000;

/** Has the report made; where nobody would hear the sound it is kept, and the report can be written. */
export async function makeReport(itemId: string): Promise<void> {
  const recorder = recorderOf(itemId);
  if (recogniser.peek() !== 'none') return recorder.send();
  await recorder.pause();
  if (!mayReport(itemId)) return;
  if (recorder.state.peek().dictation !== null)
    notify({ tone: 'info', text: t('recorder.unheard_kept'), hint: t('recorder.unheard_write') });
  startWriting(itemId);
}

/** Takes back that a report was asked for; `false`: the app knows of it already. */
export const withdrawReport = (dictation: string): boolean => reports().withdraw(dictation);

/** Sends the sound that waits in this browser, and asks for the reports, as long as the same person is logged in. */
function sendWaiting(): void {
  let end = (): void => undefined;
  effect(() => {
    end();
    reports().follow(desk.value);
    end = followWaitingSound({ bridge: bridge(), clock: pageClock, backlog, page: pageName, desk: desk.value });
  });
}

/**
 * Ends a recording when the page is locked or nobody is logged in; asks before the page is left while it records, or with
 * sound that is kept nowhere else.
 */
function guardRecording(): void {
  effect(() => {
    if (!isIn.value) void liveRecorder.peek()?.pause();
  });
  const ask = (event: BeforeUnloadEvent): void => {
    const live = liveRecorder.peek()?.state.peek();
    if (live && (live.phase !== 'pausing' || unkept(live) > 0)) event.preventDefault();
  };
  addEventListener('beforeunload', ask);
}
