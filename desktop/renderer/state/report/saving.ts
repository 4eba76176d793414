/**
 * Saves the open report: automatically after the last key, one request at a time, never over another person's words.
 */
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { BroughtText } from '../../../../src/contract/inserted-text.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { createOrder } from '../../../../src/domain/in-order.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { CallOutput } from '../../../bridge/calls.ts';
import { asBridgeError } from '../bridge.ts';
import { decideClash, editWords, isChanged, settleSave, noteMergedSince, wordsOf } from './document-state.ts';
import type { Choice, ReportWords } from './document-state.ts';
import type { ReportStore } from './report-store.ts';
import { createKeeper, nextStroke } from './typed.ts';
import type { Keeper } from './typed.ts';

/** Milliseconds after the last key until a change is saved. */
export const autosaveMs = 800;

export interface ReportSaving {
  /** The person types or inserts words from a prior or a form. */
  edit(words: Partial<ReportWords>, brought?: BroughtText): void;
  /** Saves a change now; a refusal shows in the state. */
  save(): Promise<void>;
  /** Replaces all words and saves them. */
  replace(words: ReportWords): Promise<void>;
  /** Decides which text of a section is kept; without `key`, of all conflicting sections. The last decision saves. */
  resolve(choice: Choice, key?: string): Promise<void>;
  /** Runs `work` after everything requested before. Rejects with the error of the app. */
  inTurn(work: () => Promise<void>): Promise<void>;
  /** Takes over the answer to a save of `sent`. */
  settle(answer: CallOutput<'record.save'>, sent: ReportWords): void;
  /** Has the app store the words on the screen until they are saved. */
  keepWords(): void;
  saveSoon(): void;
  cancelSoon(): void;
  /** Whether a change of this page is unanswered: an event may report that change. */
  isBusy(): boolean;
  close(): Promise<void>;
}

export interface SavingDeps {
  readonly bridge: Bridge;
  readonly clock: Clock;
  readonly store: ReportStore;
  /** Called when a change of this page was answered. */
  readonly onAnswer: () => void;
}

export function createSaving({ bridge, clock, store, onAnswer }: SavingDeps): ReportSaving {
  /** Saves run in order: the second starts from the version that the first made. */
  const inOrder = createOrder();
  let unanswered = 0;
  let cancelSoon = (): void => {};
  let present: { readonly id: string; readonly keeper: Keeper } | undefined;
  /** Words from priors and forms since the last save. */
  let taken: readonly BroughtText[] = [];

  const openKeeper = (id: string): Keeper => {
    if (present?.id !== id) {
      present?.keeper.close();
      present = { id, keeper: createKeeper(bridge, { kind: 'report', subject: id }) };
    }
    return present.keeper;
  };
  const keepWords = (): void => {
    const state = store.peek();
    if (!state.record) return;
    const { id, version } = state.record;
    const words = { version, title: state.title, sections: [...state.sections] };
    openKeeper(id).keep(isChanged(state) ? words : null);
  };
  const saveSoon = (): void => {
    cancelSoon();
    cancelSoon = clock.schedule(clock.now() + autosaveMs, () => void save());
  };
  const inTurn = (work: () => Promise<void>): Promise<void> => {
    unanswered += 1;
    return inOrder(work).finally(() => {
      unanswered -= 1;
      onAnswer();
    });
  };
  const attempt = (work: () => Promise<void>): Promise<void> =>
    inTurn(work).catch((thrown: unknown) =>
      store.apply({ ...store.peek(), error: asBridgeError(thrown), saving: 'failed' }),
    );
  const settle = (answer: CallOutput<'record.save'>, sent: ReportWords): void => {
    const next = settleSave(store.peek(), answer, sent);
    store.apply(next);
    if (next.saving !== 'changed') return;
    keepWords();
    saveSoon();
  };
  const saveOver = async ({ id, version, title, sections }: MedicalRecord): Promise<void> => {
    store.apply({ ...store.peek(), saving: 'saving' });
    const sent = wordsOf(store.peek());
    const base = { title, sections };
    const brought = taken;
    const words = {
      base,
      title: sent.title,
      sections: [...sent.sections],
      ...(brought.length > 0 && { brought: [...brought] }),
    };
    const answer = await bridge.call('record.save', { id, version, ...words, stroke: nextStroke() });
    if (answer.outcome !== 'conflict') taken = taken.filter((each) => !brought.includes(each));
    settle(answer, sent);
    // There is another version between the one that was edited and the answer.
    const isMerged = answer.outcome === 'saved' && answer.record.version > version + 1;
    if (isMerged) store.apply(noteMergedSince(store.peek(), sent, answer.record));
  };
  const save = (): Promise<void> => {
    cancelSoon();
    return attempt(async () => {
      const state = store.peek();
      if (state.record && isChanged(state) && state.saving !== 'conflict') await saveOver(state.record);
    });
  };

  return {
    edit(words, brought) {
      if (brought) taken = [...taken, brought];
      store.apply(editWords(store.peek(), words));
      keepWords();
      if (store.peek().saving !== 'conflict') saveSoon();
    },
    save,
    replace(words) {
      store.apply({ ...store.peek(), ...wordsOf(words) });
      keepWords();
      return save();
    },
    resolve: (choice, key) =>
      attempt(async () => {
        store.apply(decideClash(store.peek(), choice, key));
        keepWords();
        const { record, saving } = store.peek();
        if (record && saving === 'changed') await saveOver(record);
      }),
    inTurn,
    settle,
    keepWords,
    saveSoon,
    cancelSoon: () => cancelSoon(),
    isBusy: () => unanswered > 0,
    async close() {
      await save();
      present?.keeper.close();
    },
  };
}
