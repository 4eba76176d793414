/** Decides on what the service found in the open report: findings, critical results, and conversions of spoken text. */
import type { CriticalDecision, CriticalMark } from '../../../../src/contract/critical.ts';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import { showDecisions, wordsOf } from './document-state.ts';
import type { ReportStore } from './report-store.ts';
import type { ReportSaving } from './saving.ts';

/** All reject with the error of the app. */
export interface ReportReviewing {
  /** Dismisses or reopens a finding. */
  decide(finding: string, status: 'dismissed' | 'open'): Promise<void>;
  /** Records what was done about a critical result. */
  decideCritical(result: string, decision: CriticalDecision): Promise<void>;
  /** Marks words as a critical result. */
  markCritical(mark: CriticalMark): Promise<void>;
  /** Undoes one conversion, by its id. */
  undo(operation: string): Promise<void>;
}

export function createReviewing(bridge: Bridge, store: ReportStore, saving: ReportSaving): ReportReviewing {
  /** Runs the work once the service has all typed words: it knows only the saved version. */
  const afterSaving = async (work: (saved: MedicalRecord) => Promise<void>): Promise<void> => {
    await saving.save();
    await saving.inTurn(() => work(store.present()));
  };
  const change = (call: (saved: MedicalRecord) => Promise<MedicalRecord>): Promise<void> =>
    afterSaving(async (saved) => {
      const sent = wordsOf(store.peek());
      saving.settle({ outcome: 'saved', record: await call(saved) }, sent);
    });
  return {
    decide: (finding, status) =>
      afterSaving(async ({ id }) => {
        const record = await bridge.call('record.decide', { id, finding, status });
        store.apply(showDecisions(store.peek(), record));
      }),
    decideCritical: (result, decision) => change(({ id }) => bridge.call('critical.decide', { id, result, decision })),
    markCritical: (mark) => change(({ id }) => bridge.call('critical.mark', { id, mark })),
    undo: (operation) => change(({ id, version }) => bridge.call('record.undo', { id, version, operation })),
  };
}
