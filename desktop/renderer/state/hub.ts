/**
 * The link with the viewer of images: the app learns which exam the person opens, and the page follows what the viewer opens, unless a microphone
 * is live.
 */
import { computed, effect, signal } from '@preact/signals';
import type { Measurement } from '../../../src/contract/measurement.ts';
import type { ExamLink } from '../../../src/domain/exam-link.ts';
import { createListeners } from '../../../src/domain/listeners.ts';
import type { CallInput } from '../../bridge/calls.ts';
import type { CastNews, HubState, Refusal } from '../../bridge/hub.ts';
import { t } from '../i18n/index.ts';
import { asBridgeError, bridge } from './bridge.ts';
import { isRecording } from './jobs.ts';
import { findExams, listExams } from './linked-exam.ts';
import { notify, notifyError } from './notices.ts';
import { liveMicrophone } from './recorder/live-microphone.ts';
import { expectReturn } from './report/place.ts';
import { go, isReportWindow, openItemId, route } from './route.ts';
import type { Pane } from './route.ts';
import { logOut } from './session.ts';
import { settings } from './settings.ts';
import { isWhole } from './worklist/worklist.ts';

/** `undefined` until the app has said. */
export const hub = signal<HubState | undefined>(undefined);

export interface MeasurementNews {
  /** `hub.answer` claims the news under it. */
  readonly id: string;
  readonly itemId: string;
  /** A measurement that was made or changed. */
  readonly measurement?: Measurement;
  /** Id of a measurement that was deleted. */
  readonly deleted?: string;
  /** Ids of measurements that the viewer selected. */
  readonly selected?: readonly string[];
  /** Another page had it, and may have put its words in. */
  readonly again?: boolean;
}
const measurementListeners = createListeners<[news: MeasurementNews]>();
/** Calls the listener with the measurements that belong to this page. The returned function stops that. */
export const onMeasurement = measurementListeners.add;

/** The exam that this page and the hub agree on; `undefined` while they don't follow each other. */
let agreed: string | null | undefined;

/** Follows the link until the login ends. */
export function followHub(ended: AbortSignal): void {
  const app = bridge();
  const isWanted = computed(() => settings.value?.follow_viewer === true && isWhole.value);
  const take = (state: HubState): void => {
    if (state.revision >= (hub.peek()?.revision ?? 0)) hub.value = state;
  };
  const join = (): void => {
    if (isWanted.peek() && !isReportWindow.peek())
      app.call('hub.join', { item_id: openItemId.peek() }).then(take, report);
  };
  /** Only the page in which the person works changes the exam of the viewer. */
  const look = (): void => {
    const itemId = openItemId.value;
    // The window with the list is the one that goes along with the viewer.
    if (isReportWindow.value) return;
    if (!isWanted.value) {
      agreed = undefined;
    } else if (agreed === undefined) {
      agreed = itemId;
      join();
    } else if (itemId !== agreed && document.hasFocus()) {
      agreed = itemId;
      app.call('hub.show', { item_id: itemId }).then(take, report);
    }
  };
  const endings = [
    app.on('hub', take),
    app.on('cast', (news) => void follow(news).catch(report)),
    effect(look),
    app.onGap(join),
  ];
  window.addEventListener('focus', look, { signal: ended });
  ended.addEventListener('abort', () => {
    for (const end of endings) end();
    agreed = undefined;
    hub.value = undefined;
  });
}

const report = (thrown: unknown): unknown => notifyError(asBridgeError(thrown));

/** Has the viewer come to the exam on the screen. */
export function showInViewer(): void {
  agreed = openItemId.peek();
  bridge().call('hub.show', { item_id: agreed, again: true }).catch(report);
}

const answer = async (input: CallInput<'hub.answer'>): Promise<boolean> =>
  (await bridge().call('hub.answer', input)).is_first;

async function follow(news: CastNews): Promise<void> {
  const { id } = news;
  const isOfReport = news.kind === 'measured' || news.kind === 'selected';
  if (isReportWindow.peek() && !isOfReport) return;
  switch (news.kind) {
    case 'opened':
      return (opening = followExam(id, news.exam));
    case 'closed':
      // The exam that is opened next comes in place of the one that is closed.
      await opening?.catch(() => undefined);
      if (openItemId.peek() === news.item_id) {
        if (isLive()) return refuse(id, 'dictating');
        goAlong(null, 'list');
      }
      return void (await answer({ id, item_id: openItemId.peek() }));
    case 'logged_out':
      if (isLive()) return refuse(id, 'dictating');
      await answer({ id, item_id: null });
      if (!isLive()) await logOut();
      return;
    default: {
      const { item_id: itemId } = news;
      if (itemId !== undefined && itemId === openItemId.peek()) measurementListeners.notify({ ...news, itemId });
    }
  }
}

/** The newest opening: an exam that is found late must not replace a newer one. */
let newest = '';
let opening: Promise<void> | undefined;

/** Acts before it answers, so that nothing comes between the look at the microphone and the change of the exam. */
async function followExam(id: string, exam: ExamLink | undefined): Promise<void> {
  newest = id;
  const found = exam ? await findExams(exam) : undefined;
  if (newest !== id) return void (await answer({ id, item_id: openItemId.peek() }));
  if (!exam || !found || found.kind === 'none') return refuse(id, 'not_here');
  if (found.kind === 'other_patient') return refuse(id, 'other_patient');
  const item = found.kind === 'one' ? found.item : undefined;
  const { itemId: left, pane } = route.peek();
  const isHere = item !== undefined && item.id === left;
  if (!isHere && isLive()) return refuse(id, 'dictating');
  if (item && !isHere) {
    expectReturn(item.id);
    goAlong(item.id, pane === 'list' ? 'exam' : pane);
    if (left !== null) notify({ tone: 'info', text: t('app.viewer_opened', { exam: item.exam_description }) });
  } else if (!item) {
    agreed = null;
    listExams(exam);
  }
  await answer({ id, item_id: item?.id ?? null });
}

/** Goes where the viewer is, which need not follow. */
function goAlong(itemId: string | null, pane: Pane): void {
  agreed = itemId;
  go({ itemId, pane });
}

/** Whether a microphone is live, on this page or on another of the person. */
const isLive = (): boolean => liveMicrophone.peek() !== null || isRecording.peek();

async function refuse(id: string, refusal: Refusal): Promise<void> {
  await answer({ id, refusal, reason: t(`app.viewer_reason_${refusal}`) });
}
