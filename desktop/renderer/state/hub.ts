/**
 * The link with the viewer of images: the app learns which exam is on the screen, and the page follows what the viewer opens, unless a microphone
 * is live.
 */
import { effect, signal } from '@preact/signals';
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
import { go, openItem, openItemId, route } from './route.ts';
import { logOut } from './session.ts';
import { settings } from './settings.ts';
import { isWhole } from './worklist/worklist.ts';

/** `undefined` until the app has said. */
export const hub = signal<HubState | undefined>(undefined);

export interface MeasurementNews {
  readonly itemId: string;
  /** A measurement that was made or changed. */
  readonly measurement?: Measurement;
  /** Ids of measurements that the viewer selected. */
  readonly selected?: readonly string[];
}
const measurementListeners = createListeners<[news: MeasurementNews]>();
/** Calls the listener with the measurements that belong to this page. The returned function stops that. */
export const onMeasurement = measurementListeners.add;

/** Follows the link until the login ends. */
export function followHub(ended: AbortSignal): void {
  const app = bridge();
  const take = (state: HubState): void => {
    if (state.revision >= (hub.peek()?.revision ?? 0)) hub.value = state;
  };
  const show = (): void => {
    const isWanted = settings.value?.follow_viewer === true && isWhole.value;
    if (isWanted) app.call('hub.show', { item_id: openItemId.value }).then(take, report);
  };
  const endings = [
    app.on('hub', take),
    app.on('cast', (news) => void follow(news).catch(report)),
    effect(show),
    app.onGap(show),
  ];
  ended.addEventListener('abort', () => {
    for (const end of endings) end();
    hub.value = undefined;
  });
}

const report = (thrown: unknown): unknown => notifyError(asBridgeError(thrown));

/** Has the viewer come to the exam on the screen. */
export const showInViewer = (): void =>
  void bridge().call('hub.show', { item_id: openItemId.peek(), again: true }).catch(report);

const answer = async (input: CallInput<'hub.answer'>): Promise<boolean> =>
  (await bridge().call('hub.answer', input)).is_first;

async function follow(news: CastNews): Promise<void> {
  const { id } = news;
  switch (news.kind) {
    case 'opened':
      return followExam(id, news.exam);
    case 'closed':
    case 'logged_out':
      if (isLive()) return refuse(id, 'dictating');
      await answer({ id, item_id: null });
      if (news.kind === 'logged_out') return logOut();
      return go({ itemId: null, pane: 'list' });
    default: {
      const { item_id: itemId, measurement, selected } = news;
      if (itemId === undefined || itemId !== openItemId.peek() || !(await answer({ id }))) return;
      measurementListeners.notify({ itemId, ...(measurement && { measurement }), ...(selected && { selected }) });
    }
  }
}

/** The newest opening: an exam that is found late must not replace a newer one. */
let newest = '';

async function followExam(id: string, exam: ExamLink | undefined): Promise<void> {
  newest = id;
  const found = exam ? await findExams(exam) : undefined;
  if (newest !== id) return void (await answer({ id, item_id: openItemId.peek() }));
  if (!exam || !found || found.kind === 'none') return refuse(id, 'not_here');
  if (found.kind === 'other_patient') return refuse(id, 'other_patient');
  const item = found.kind === 'one' ? found.item : undefined;
  if (item && item.id === openItemId.peek()) return void (await answer({ id, item_id: item.id }));
  if (isLive()) return refuse(id, 'dictating');
  await answer({ id, item_id: item?.id ?? null });
  if (!item) return listExams(exam);
  const { itemId: left, pane } = route.peek();
  expectReturn(item.id);
  openItem(item.id, pane === 'list' ? 'exam' : pane);
  if (left !== null) notify({ tone: 'info', text: t('app.viewer_opened', { exam: item.exam_description }) });
}

/** Whether a microphone is live, on this page or on another of the person. */
const isLive = (): boolean => liveMicrophone.peek() !== null || isRecording.peek();

async function refuse(id: string, refusal: Refusal): Promise<void> {
  await answer({ id, refusal, reason: t(`app.viewer_reason_${refusal}`) });
}
