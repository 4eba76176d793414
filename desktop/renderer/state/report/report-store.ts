/** Holds the state of the open report and detects answers that are outdated on arrival. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { emptyState } from './document-state.ts';
import type { DocumentState } from './document-state.ts';

export type DocumentSignals = { readonly [K in keyof DocumentState]: ReadonlySignal<DocumentState[K]> };

export interface ReportStore {
  peek(): DocumentState;
  /** The same, tracked as a signal dependency. */
  value(): DocumentState;
  apply(next: DocumentState): void;
  /** The fields of the state, one signal each. */
  readonly signals: DocumentSignals;
  /** The report on the screen; throws if there is none. */
  present(): MedicalRecord;
  /** An event reported a change: pending answers may predate it. */
  noteChange(): void;
  /** Repeats the request until no change arrives during it. */
  upToDate<T>(ask: () => Promise<T>): Promise<T>;
}

export function createReportStore(): ReportStore {
  const state = signal(emptyState);
  let changesKnown = 0;
  return {
    peek: () => state.peek(),
    value: () => state.value,
    apply(next) {
      if (next.record !== state.peek().record) changesKnown += 1;
      state.value = next;
    },
    signals: Object.fromEntries(
      (Object.keys(emptyState) as (keyof DocumentState)[]).map((field) => [field, computed(() => state.value[field])]),
    ) as unknown as DocumentSignals,
    present() {
      const { record } = state.peek();
      if (!record) throw new Error('There is no report.');
      return record;
    },
    noteChange: () => void (changesKnown += 1),
    async upToDate(ask) {
      for (;;) {
        const known = changesKnown;
        const answer = await ask();
        if (known === changesKnown) return answer;
      }
    },
  };
}
