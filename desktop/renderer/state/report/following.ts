/** Loads the reports of an exam and follows changes made elsewhere. */
import { batch, effect } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { EventData } from '../../../bridge/events.ts';
import { asBridgeError } from '../bridge.ts';
import {
  clearReport,
  isChanged,
  mergeVersion,
  withReport,
  sameWords,
  showDecisions,
  showVersion,
} from './document-state.ts';
import type { ReportStore } from './report-store.ts';
import type { ReportSaving } from './saving.ts';
import { readTyped } from './shelved-words.ts';
import { leftOver } from './typed.ts';
import type { LeftOver } from './typed.ts';

export interface ReportFollowing {
  load(): Promise<void>;
  /** Opens another report of the exam. */
  show(id: string): Promise<void>;
  /** Checks what happened to the open report while this page waited for an answer. */
  catchUp(): void;
  close(): void;
}

export interface FollowingDeps {
  readonly itemId: string;
  readonly bridge: Bridge;
  readonly store: ReportStore;
  readonly saving: ReportSaving;
  /** Whether changes of the report wait to be sent. */
  readonly isUnsent: (id: string) => boolean;
  /** Called when the text on the screen changes without typing here. */
  readonly onChangedElsewhere?: ((record: MedicalRecord) => void) | undefined;
}

export function followReports(deps: FollowingDeps): ReportFollowing {
  const { itemId, bridge, store, saving, isUnsent, onChangedElsewhere } = deps;
  /** Reports with changes that wait to be sent. */
  let queued: ReadonlySet<string> = new Set();
  /** The newest version of each report, from events. */
  const newest = new Map<string, number>();
  /** Reports deleted according to events. */
  const deleted = new Set<string>();

  const open = (fresh: MedicalRecord, left: LeftOver | undefined): void => {
    store.apply(withReport(store.peek(), fresh, left, queued.has(fresh.id)));
    if (!left) return;
    // This page now stores the words that an earlier page left.
    saving.keepWords();
    if (store.peek().saving === 'changed') saving.saveSoon();
  };
  const load = async (): Promise<void> => {
    try {
      const { items, left, waiting, written } = await store.upToDate(async () => {
        const typed = await readTyped(bridge);
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
  };
  /** A new version was saved, perhaps by this page. */
  const look = async (id: string, version: number): Promise<void> => {
    const { record } = store.peek();
    if (record?.id !== id || record.version >= version || saving.isBusy()) return;
    const fresh = await bridge.call('record.get', { id });
    const state = store.peek();
    if (state.record?.id !== id || fresh.version <= state.record.version) return;
    const isOurs = sameWords(fresh, state);
    if (isChanged(state) && !isOurs) {
      saving.cancelSoon();
      store.apply(mergeVersion(state, fresh));
      saving.keepWords();
      if (store.peek().saving === 'changed') saving.saveSoon();
      return;
    }
    store.apply({ ...showVersion(state, fresh), saving: isUnsent(id) ? 'queued' : 'saved' });
    if (!isOurs) onChangedElsewhere?.(fresh);
  };
  /** A decision on a finding: version and text stay the same. */
  const lookAtDecisions = async (id: string): Promise<void> => {
    if (store.peek().record?.id !== id || saving.isBusy()) return;
    const fresh = await bridge.call('record.get', { id });
    const { record } = store.peek();
    if (record?.id === id && record.version === fresh.version) store.apply(showDecisions(store.peek(), fresh));
  };
  /** The open report was deleted. Unsaved words stay; saving them reports the deletion. */
  const leave = async (): Promise<void> => {
    if (isChanged(store.peek()) || saving.isBusy()) return;
    store.apply(clearReport(store.peek(), 'loading'));
    await load();
  };
  const list = async (): Promise<readonly MedicalRecord[]> =>
    (await store.upToDate(() => bridge.call('record.for_item', { id: itemId }))).items;
  const onRecord = async (event: EventData<'record'>): Promise<void> => {
    const { id, item_id, version, deleted: isDeleted } = event;
    if (event.reviewed) return lookAtDecisions(id);
    const { all, record } = store.peek();
    const isListed = all.some((each) => each.id === id);
    if (!isListed && item_id !== itemId) return;
    store.noteChange();
    newest.set(id, Math.max(version, newest.get(id) ?? 0));
    if (isDeleted) {
      deleted.add(id);
      await (id === record?.id ? leave() : load());
    } else if (isListed) await look(id, version);
    // The open report stays in front of another person's newer report.
    else if (record === null) await load();
    else {
      const items = await list();
      store.apply({ ...store.peek(), all: items });
    }
  };
  let waited = false;
  /** The app sent waiting changes, or sets a change of another page aside. */
  const followWaiting = (): void => {
    const id = store.signals.record.value?.id;
    const waits = id !== undefined && isUnsent(id);
    if (waits === waited) return;
    waited = waits;
    const state = store.peek();
    if (state.saving === (waits ? 'saved' : 'queued')) store.apply({ ...state, saving: waits ? 'queued' : 'saved' });
  };
  const endings = [
    effect(followWaiting),
    bridge.on('record', (event) => void onRecord(event).catch(() => undefined)),
    bridge.on('dictation', (dictation) => {
      if (dictation.item_id === itemId && dictation.state === 'done') void saving.save().then(load);
    }),
    bridge.on('refused', ({ subject }) => {
      if (subject === itemId || subject === store.peek().record?.id) void load();
    }),
    bridge.onGap(() => void load().then(() => (store.peek().saving === 'failed' ? saving.save() : undefined))),
  ];

  return {
    load,
    async show(id) {
      await saving.save();
      const { fresh, left } = await store.upToDate(async () => {
        const typed = await readTyped(bridge);
        const record = await bridge.call('record.get', { id });
        return { fresh: record, left: await leftOver(bridge, typed, record) };
      });
      batch(() => open(fresh, left));
    },
    catchUp() {
      const id = store.peek().record?.id;
      if (id === undefined) return;
      if (deleted.has(id)) void leave();
      else void look(id, newest.get(id) ?? 0).catch(() => undefined);
    },
    close() {
      for (const end of endings) end();
    },
  };
}
