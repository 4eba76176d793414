/** One exam: its history, earlier reports of the patient, and taking, releasing and cancelling it. */
import { signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { HistoryEntry, WorklistItem } from '../../../../src/contract/worklist.ts';
import type { Bridge, BridgeError } from '../../../bridge/bridge.ts';
import { t } from '../../i18n/index.ts';
import { asBridgeError } from '../bridge.ts';
import { createLatestRequest } from '../time/latest-request.ts';
import { notify, notifyError } from '../notices.ts';
import { userName } from '../session.ts';
import { isReportVisible } from '../visible-pane.ts';
import { items, setExamStatus, takeExam } from './worklist.ts';
import {
  hasSignedReport,
  hasWaitingSignature,
  isSigningPreliminary,
  isSigningReport,
  takeSignatureBack,
} from '../report/open-report.ts';
import { startAddendum } from '../report/writing.ts';

/** The exam from this person's point of view. */
export type Holding = 'free' | 'mine' | 'others' | 'completed' | 'cancelled';

export function getHolding(item: Pick<WorklistItem, 'status' | 'assigned_to'>, me: string | null): Holding {
  if (item.status !== 'in_progress') return item.status === 'new' ? 'free' : item.status;
  return item.assigned_to === null || item.assigned_to === me ? 'mine' : 'others';
}

/** The data; `undefined` until read. */
export interface LoadState<T> {
  readonly value?: readonly T[];
  readonly error?: BridgeError;
}

export interface Exam {
  readonly history: ReadonlySignal<LoadState<HistoryEntry>>;
  readHistory(): Promise<void>;
  /** `false`: another person has the exam. */
  take(takeOver?: boolean): Promise<boolean>;
  /** Reopens a completed exam. */
  reopen(): Promise<void>;
  release(): Promise<void>;
  cancel(reason: string): Promise<void>;
  reinstate(): Promise<void>;
}

/** Reads the exam's history and reports again. */
function reader<T>(
  to: Signal<LoadState<T>>,
  ask: () => Promise<{ readonly items: readonly T[] }>,
): () => Promise<void> {
  const last = createLatestRequest();
  const read = (): Promise<LoadState<T>> =>
    ask().then(
      ({ items: value }) => ({ value }),
      (thrown: unknown) => ({ error: asBridgeError(thrown) }),
    );
  return async () => {
    const answer = await last(read());
    if (answer) to.value = answer;
  };
}

/** A signed report changes only by an addendum, whatever key is pressed. */
export const isReported = (itemId: string, holding: Holding | undefined): boolean =>
  holding === 'completed' || hasSignedReport(itemId) || hasWaitingSignature(itemId);

/** Why nothing can be dictated for a reported exam, and the way on. */
export function describeReported(itemId: string): { readonly text: string; readonly hint: string } {
  const isWaiting = hasWaitingSignature(itemId);
  const isSigned = isWaiting || hasSignedReport(itemId);
  const text = isWaiting
    ? 'signing.unsent_stands'
    : isSigningPreliminary(itemId)
      ? 'signing.stands_preliminary'
      : isSigned
        ? 'exam.reported'
        : 'exam.done';
  const hint = isSigningReport(itemId) ? 'signing.stands_hint' : isSigned ? 'exam.reported_hint' : 'exam.done_hint';
  return { text: t(text), hint: t(hint) };
}

/** Offers the way on only if the report, whose pane offers it, is not on the screen. */
function notifyReported(itemId: string): void {
  const takeBack = {
    label: t('signing.take_back'),
    run: () => void takeSignatureBack().catch((thrown: unknown) => notifyError(asBridgeError(thrown))),
    about: itemId,
  };
  const addAddendum = { label: t('document.addendum_add'), run: () => startAddendum(itemId), about: itemId };
  const action = isSigningReport(itemId) ? takeBack : hasSignedReport(itemId) ? addAddendum : undefined;
  notify({ tone: 'info', ...describeReported(itemId), ...(!isReportVisible.peek() && { action }) });
}

/** The exam from this person's point of view, for a new report; shows a notice if the exam is reported already. */
function openHolding(itemId: string): 'mine' | 'free' | undefined {
  const item = items.peek()?.get(itemId);
  const holding = item && getHolding(item, userName.peek());
  if (isReported(itemId, holding)) notifyReported(itemId);
  else if (holding === 'mine' || holding === 'free') return holding;
  return undefined;
}

/** Whether a report can be made for the exam now; shows a notice if there is a signed one. */
export const mayReport = (itemId: string): boolean => openHolding(itemId) !== undefined;

/**
 * Takes the exam for this person if needed. `false`: another person has it, or it is closed or reported, which a notice
 * explains. Rejects with the error of the app.
 */
export function takeForReport(itemId: string): boolean | Promise<boolean> {
  const holding = openHolding(itemId);
  if (holding !== 'free') return holding === 'mine';
  return takeExam(itemId).then(({ outcome }) => outcome === 'taken' || outcome === 'queued');
}

export function createExam(itemId: string, bridge: Bridge): Exam {
  const history = signal<LoadState<HistoryEntry>>({});
  const readHistory = reader(history, () => bridge.call('worklist.history', { id: itemId }));
  /** Runs a change of the exam and shows its result. */
  const change = async (act: () => Promise<unknown>, done: string, undo?: () => void): Promise<void> => {
    try {
      await act();
      notify({
        tone: 'done',
        text: done,
        ...(undo && { action: { label: t('exam.undo'), run: undo, about: itemId } }),
      });
      // Only if it was read before.
      if (history.peek().value) await readHistory();
    } catch (thrown) {
      notifyError(asBridgeError(thrown));
    }
  };
  const to = (status: WorklistItem['status'], reason?: string) =>
    setExamStatus({ id: itemId, status, ...(reason !== undefined && { reason }) });
  const exam: Exam = {
    history,
    readHistory,
    async take(takeOver = false) {
      try {
        const { outcome } = await takeExam(itemId, { take_over: takeOver });
        if (outcome === 'held' || outcome === 'closed') return false;
        notify({ tone: 'done', text: t(outcome === 'taken' ? 'exam.taken' : 'exam.taken_offline') });
        return true;
      } catch (thrown) {
        notifyError(asBridgeError(thrown));
        return false;
      }
    },
    reopen: () => change(() => takeExam(itemId, { reopen: true }), t('exam.reopened')),
    release: () =>
      change(
        () => to('new'),
        t('exam.released'),
        () => void exam.take(),
      ),
    cancel: (reason) =>
      change(
        () => to('cancelled', reason),
        t('exam.cancelled'),
        () => void exam.reinstate(),
      ),
    reinstate: () => change(() => to('new'), t('exam.reinstated')),
  };
  return exam;
}
