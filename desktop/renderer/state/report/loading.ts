/** Loads the reports of an exam, and opens one of them with the words that an earlier page left. */
import { batch } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import { asBridgeError } from '../bridge.ts';
import { clearReport, isChanged, withReport } from './document-state.ts';
import type { ReportStore } from './report-store.ts';
import type { ReportSaving } from './saving.ts';
import { readTyped } from './shelved-words.ts';
import { leftOver } from './typed.ts';
import type { LeftOver } from './typed.ts';

export interface ReportLoading {
  load(): Promise<void>;
  /** Opens another report of the exam. */
  show(id: string): Promise<void>;
}

export interface LoadingDeps {
  readonly itemId: string;
  readonly bridge: Bridge;
  readonly store: ReportStore;
  readonly saving: ReportSaving;
  /** Whether another window edits the report: words that are not saved yet are that window's. */
  readonly isFollowed?: boolean | undefined;
}

export function createLoading({ itemId, bridge, store, saving, isFollowed = false }: LoadingDeps): ReportLoading {
  /** Reports with changes that wait to be sent. */
  let queued: ReadonlySet<string> = new Set();

  const readLeft = async (): Promise<Awaited<ReturnType<typeof readTyped>>> => (isFollowed ? [] : readTyped(bridge));
  const open = (fresh: MedicalRecord, left: LeftOver | undefined): void => {
    store.apply(withReport(store.peek(), fresh, left, queued.has(fresh.id)));
    if (!left) return;
    // This page now stores the words that an earlier page left.
    saving.keepWords();
    if (store.peek().saving === 'changed') saving.saveSoon();
  };
  return {
    async load() {
      try {
        const { items, left, waiting, written } = await store.upToDate(async () => {
          const typed = await readLeft();
          const listed = await bridge.call('record.for_item', { id: itemId });
          return { ...listed, left: await leftOver(bridge, typed, listed.items[0]) };
        });
        queued = new Set(waiting);
        batch(() => {
          const state = { ...store.peek(), all: items, written, error: null };
          store.apply(state);
          // Unsaved words stay.
          if (isChanged(state)) return;
          if (items[0]) open(items[0], left);
          else store.apply(clearReport(state, 'none'));
        });
      } catch (thrown) {
        const state = store.peek();
        const error = asBridgeError(thrown);
        store.apply(state.phase === 'ready' ? { ...state, error } : { ...state, phase: 'failed', error });
      }
    },
    async show(id) {
      await saving.save();
      const { fresh, left } = await store.upToDate(async () => {
        const typed = await readLeft();
        const record = await bridge.call('record.get', { id });
        return { fresh: record, left: await leftOver(bridge, typed, record) };
      });
      batch(() => open(fresh, left));
    },
  };
}
