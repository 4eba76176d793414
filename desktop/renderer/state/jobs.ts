/** Dictations that are becoming reports: those under way, those that failed, and the notice when a report is ready. */
import { computed } from '@preact/signals';
import type { Dictation } from '../../bridge/dictation.ts';
import { t } from '../i18n/index.ts';
import { asBridgeError, bridge } from './bridge.ts';
import { dictations, followDictations, putDictation } from './recorder/dictations.ts';
import { notify, notifyError } from './notices.ts';
import { isReportVisible } from './visible-pane.ts';
import { isReportWindow, openItem, route } from './route.ts';

/** Sealed dictations without a report. */
const onTheWay: ReadonlySet<Dictation['state']> = new Set(['queued', 'sending', 'processing']);
export const jobs = computed(() =>
  dictations.value.filter(({ state }) => onTheWay.has(state) || state === 'failed' || state === 'done'),
);
export const runningJobs = computed(() => jobs.value.filter(({ state }) => onTheWay.has(state)));
export const failedJobs = computed(() => jobs.value.filter(({ state }) => state === 'failed'));
export const isRecording = computed(() => dictations.value.some(({ state }) => state === 'recording'));
/** Dictations whose audio is on this device. */
export const localDictations = computed(() => dictations.value.filter(({ state }) => state !== 'done'));

/** Shows a system notification if the person allowed it. Names no patient. */
export type ShowSystemNotification = (text: string, open: () => void) => void;

/** Follows the dictations. The returned function stops following. */
export const followJobs = (ended: AbortSignal, tellOutside?: ShowSystemNotification): Promise<void> =>
  followDictations(ended, (dictation, before) => {
    if (dictation.state === 'done' && before?.state !== 'done') notifyReady(dictation, tellOutside);
  });

function notifyReady(dictation: Dictation, tellOutside: ShowSystemNotification | undefined): void {
  // The window with the list says so.
  if (isReportWindow.peek()) return;
  const open = () => openItem(dictation.item_id, 'document');
  const { itemId, pane } = route.peek();
  const isItsExam = itemId === dictation.item_id;
  // A person at the exam sees the report and needs no notice. A screen with one pane goes to the report.
  if (isItsExam && pane === 'exam' && !isReportVisible.peek()) open();
  else if (!isItsExam || !isReportVisible.peek())
    notify({
      tone: 'done',
      text: t('app.document_ready'),
      action: { label: t('app.open'), run: open, about: dictation.item_id },
    });
  tellOutside?.(t('app.document_ready'), open);
}

export const retryJob = (id: string): Promise<void> => change('dictation.retry', id);
export async function cancelJob(id: string): Promise<void> {
  const { withdrawReport } = await import('./recorder/recorders.ts');
  if (!withdrawReport(id)) await change('dictation.cancel', id);
}

async function change(name: 'dictation.retry' | 'dictation.cancel', id: string): Promise<void> {
  try {
    putDictation(await bridge().call(name, { id }));
  } catch (thrown) {
    notifyError(asBridgeError(thrown));
  }
}
