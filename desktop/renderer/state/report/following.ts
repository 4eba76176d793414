/** Follows changes of an exam's reports that are made elsewhere. */
import { effect } from '@preact/signals';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import type { EventData } from '../../../bridge/events.ts';
import type { Authors } from './authors.ts';
import { clearReport, isChanged, mergeVersion, sameWords, showDecisions, showVersion } from './document-state.ts';
import { createLoading } from './loading.ts';
import type { LoadingDeps, ReportLoading } from './loading.ts';

export interface ReportFollowing extends ReportLoading {
  /** Checks what happened to the open report while this page waited for an answer. */
  catchUp(): void;
  close(): void;
}

export interface FollowingDeps extends LoadingDeps {
  /** Whether changes of the report wait to be sent. */
  readonly isUnsent: (id: string) => boolean;
  readonly authors: Authors;
  /** Called when another person's change is shown; `who`: their name, if known. */
  readonly onChangedElsewhere?: ((record: MedicalRecord, who: string | null) => void) | undefined;
}

export function followReports(deps: FollowingDeps): ReportFollowing {
  const { itemId, bridge, store, saving, authors, isUnsent, onChangedElsewhere } = deps;
  const loading = createLoading(deps);
  const { load } = loading;
  /** The newest version of each report, from events. */
  const newest = new Map<string, number>();
  /** Reports deleted according to events. */
  const deleted = new Set<string>();

  /** This person's own changes, by live edits or in another window, are no news. */
  const notifyChange = async ({ id, version }: MedicalRecord, fresh: MedicalRecord): Promise<void> => {
    const others = await authors.findOthers(id, version);
    if (others?.length !== 0) onChangedElsewhere?.(fresh, others?.[0]?.who ?? null);
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
    if (!isOurs) await notifyChange(state.record, fresh);
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
    ...loading,
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
