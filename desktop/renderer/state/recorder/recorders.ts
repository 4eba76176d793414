/** The recorders of this page: one per exam and person, with one microphone for all of them. */
import { computed, effect, signal, untracked } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { soundAlarm } from '../../audio/microphone.ts';
import { pagePlayer } from '../../audio/player.ts';
import { createBrowserBacklog } from '../../backlog/browser-backlog.ts';
import { createBrowserWordShelf } from '../../backlog/browser-word-shelf.ts';
import type { AppSettings } from '../../../bridge/settings.ts';
import { shownLanguage, t } from '../../i18n/index.ts';
import { bridge, login } from '../bridge.ts';
import { mayReport, takeForReport } from '../worklist/exam.ts';
import { dismiss, notify, notifyError } from '../notices.ts';
import { pageClock } from '../time/page-clock.ts';
import { pageName } from '../page-name.ts';
import { followCompressing } from './compressing.ts';
import { createRecorder } from './recorder.ts';
import type { Recorder } from './recorder.ts';
import { dictatedExam } from './live-microphone.ts';
import { alarmOf, diskAlarms, isLive, isRecordedElsewhere, savedLength, unkept } from './recorder-state.ts';
import { openPageMicrophone } from './page-microphone.ts';
import { recogniser } from '../session.ts';
import { settings } from '../settings.ts';
import { createWaitingReports } from './waiting-reports.ts';
import type { WaitingReports } from './waiting-reports.ts';
import { firstLook, followWaitingSound } from './waiting-sound.ts';
import { keepWarm } from './warm-microphone.ts';
import { withTimeout } from '../time/with-timeout.ts';
import { setWordShelf } from '../report/shelved-words.ts';
import { startWriting } from '../report/writing.ts';

const microphone = keepWarm(openPageMicrophone, pageClock, soundAlarm);
const backlog = createBrowserBacklog();
// Runs before any view reads typed words.
setWordShelf(createBrowserWordShelf());

/**
 * The recorders of one person at this page. They outlive the login: audio that is not on disk yet waits for the
 * person's next login.
 */
interface Speaker {
  readonly desk: string | null;
  /** Keyed by exam. */
  readonly recorders: Signal<ReadonlyMap<string, Recorder>>;
  readonly reports: WaitingReports;
}
const speakers = new Map<string | null, Speaker>();

/** The speaker of the current login. */
function getSpeaker({ desk } = login.peek()): Speaker {
  const known = speakers.get(desk);
  if (known) return known;
  const reports = createWaitingReports({
    bridge: bridge(),
    clock: pageClock,
    backlog,
    refused: notifyError,
  });
  const made: Speaker = { desk, recorders: signal(new Map()), reports };
  speakers.set(desk, made);
  return made;
}

const liveOf = ({ recorders }: Speaker): Recorder | null =>
  [...recorders.value.values()].find((recorder) => isLive(recorder.state.value)) ?? null;
/** The recorder that uses the microphone. */
export const liveRecorder = computed(() => liveOf(getSpeaker(login.value)));

/** Used until the settings are read. */
const getDefaultSettings = (): Pick<
  AppSettings,
  'microphone' | 'document_language' | 'template_id' | 'upload_format'
> => ({
  microphone: null,
  document_language: shownLanguage(),
  template_id: null,
  upload_format: 'wav',
});

/** The recorder of an exam. */
export function openRecorder(itemId: string): Recorder {
  const { desk, recorders, reports } = getSpeaker();
  const known = recorders.peek().get(itemId);
  if (known) return known;
  const recorder = createRecorder(itemId, {
    bridge: bridge(),
    clock: pageClock,
    microphone,
    player: pagePlayer(),
    settings: () => settings.value ?? getDefaultSettings(),
    // There is only one microphone: words about one patient must never reach another patient's report.
    mayTake: () => !isOtherLive(itemId) && mayReport(itemId),
    takeExam: () => takeForReport(itemId),
    backlog,
    reports,
    page: pageName,
    desk: () => (login.peek().desk === desk ? desk : null),
    moved: () => notify({ tone: 'error', text: t('recorder.moved'), hint: t('recorder.moved_hint') }),
    elsewhere(takeOver) {
      const notice = notify({
        tone: 'error',
        text: t(takeOver ? 'recorder.elsewhere_found' : 'recorder.elsewhere_taken'),
        hint: t('recorder.elsewhere_hint'),
        ...(takeOver && { action: { label: t('recorder.take_over'), run: takeOver, about: itemId } }),
      });
      runWhenReleased(recorder, () => dismiss(notice));
    },
    littleRoom: (minutes) =>
      notify({ tone: 'error', text: t('recorder.little_room', { n: minutes }), hint: t('recorder.little_room_hint') }),
    encoder: {
      can: async () => (await import('../../audio/encode.ts')).canEncodeOpus(),
      encode: async (address) => (await import('../../audio/encode.ts')).encodeOpus(address),
    },
  });
  recorders.value = new Map(recorders.peek()).set(itemId, recorder);
  return recorder;
}

/** Runs `act` once no other window records the dictation, or this one does. */
function runWhenReleased(recorder: Recorder, act: () => void): void {
  let wasElsewhere = false;
  const stop = effect(() => {
    const isElsewhere = isRecordedElsewhere(recorder.state.value);
    wasElsewhere ||= isElsewhere;
    if (!wasElsewhere || isElsewhere) return;
    // Must not run inside the effect, which may still be in its first run.
    queueMicrotask(() => {
      stop();
      act();
    });
  });
}

const isOtherLive = (itemId: string): boolean =>
  [...getSpeaker().recorders.peek().values()].some((other) => other.itemId !== itemId && isLive(other.state.peek()));

/** Records or pauses. A live recorder has precedence, whatever exam is on the screen. */
export const toggleRecording = (itemId: string): Promise<void> =>
  (liveRecorder.peek() ?? openRecorder(itemId)).toggle();

/** Watches the recorders and sends waiting audio and reports. Resolves when the page knows what waits. */
export const startRecorders = (): Promise<void> => (started ??= start());
let started: Promise<void> | undefined;

/** Sets the page's microphone indicators. */
function updateIndicators(): void {
  const shown = computed(() => {
    const live = liveRecorder.value;
    if (!live) return null;
    const alarm = alarmOf(live.state.value);
    // The indicators show a recording only once audio is stored, or an alarm if none is.
    if (live.state.value.phase !== 'recording' && alarm === null) return null;
    if (alarm === null || alarm === 'quiet') return { itemId: live.itemId, fault: null };
    return { itemId: live.itemId, fault: diskAlarms.has(alarm) ? 'disk' : 'microphone' } as const;
  });
  // Audio arrives many times a second; the indicators change only if their content does.
  effect(() => {
    const [before, now] = [dictatedExam.peek(), shown.value];
    if (before?.itemId !== now?.itemId || before?.fault !== now?.fault) dictatedExam.value = now;
  });
}

async function start(): Promise<void> {
  guardRecording();
  updateIndicators();
  sendWaiting();
  followCompressing((dictation) => untracked(() => void openRecorder(dictation.item_id).compress(dictation)));
  await withTimeout(pageClock, patienceMs, () => firstLook).catch(() => undefined);
}
/** Timeout for a browser whose storage does not answer, in ms. */
const patienceMs = 1000;

/** Requests the report. Without a recogniser, the audio stays here and the report can be typed. */
export async function makeReport(itemId: string): Promise<void> {
  const recorder = openRecorder(itemId);
  if (recogniser.peek() !== 'none') return recorder.send();
  await recorder.pause();
  if (!mayReport(itemId)) return;
  if (recorder.state.peek().dictation !== null)
    notify({ tone: 'info', text: t('recorder.unheard_kept'), hint: t('recorder.unheard_write') });
  startWriting(itemId);
}

/** Withdraws the request for a report; `false`: the app already has it. */
export const withdrawReport = (dictation: string): boolean => getSpeaker().reports.withdraw(dictation);

/** Sends the audio and report requests that wait in this browser, as long as the same person is logged in. */
function sendWaiting(): void {
  effect(() => {
    const { desk } = login.value;
    const { reports } = getSpeaker();
    reports.follow(desk);
    const end = followWaitingSound({ bridge: bridge(), clock: pageClock, backlog, page: pageName, desk });
    return () => {
      reports.follow(null);
      end();
    };
  });
}

/**
 * Ends a recording when the person locks the page or logs out. Asks before the page closes during a recording or with
 * audio that exists nowhere else.
 */
function guardRecording(): void {
  effect(() => {
    const { desk } = login.value;
    for (const other of speakers.values()) if (other.desk !== desk) void untracked(() => liveOf(other))?.pause();
  });
  const ask = (event: BeforeUnloadEvent): void => {
    for (const each of speakers.values()) {
      const live = liveOf(each)?.state.peek();
      if (live && (live.phase !== 'pausing' || unkept(live) > 0)) event.preventDefault();
    }
  };
  addEventListener('beforeunload', ask);
  // Other windows must know at once that this one no longer records.
  addEventListener('pagehide', () => {
    const { take, dictation } = liveOf(getSpeaker())?.state.peek() ?? {};
    if (!take || !dictation) return;
    const input = { id: dictation.id, take: take.id, interrupted: savedLength({ take, dictation }) > 0 };
    void bridge()
      .call('dictation.pause', input)
      .catch(() => undefined);
  });
}
