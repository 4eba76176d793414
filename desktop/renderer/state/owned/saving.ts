/** Saves, settles and deletes what somebody keeps. */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { asBridgeError } from '../bridge.ts';
import type { Drafts, Stored, Theirs } from './drafts.ts';
import type { Listable } from './owned-list.ts';

export interface SavingKind<Words, Kept> {
  readonly calls: {
    save(input: { words: Words; of?: { id: string; version: number } }): Promise<{
      outcome: 'saved' | 'queued' | 'conflict' | 'deleted';
      item?: Kept;
      theirs?: Theirs<Kept>;
    }>;
    remove(input: { id: string; version: number }): Promise<{ outcome: string; theirs?: Theirs<Kept> }>;
  };
  /** The words as they are sent. Default: as they are written. */
  readonly tidy?: (words: Words) => Words;
}

export interface OwnedSaving<Kept> {
  /** The draft that is being saved. */
  readonly saving: Signal<string | null>;
  /** What was deleted last, as long as that can be taken back. */
  readonly deleted: Signal<Kept | null>;
  /** The login may not change it. */
  readonly lacksScope: Signal<boolean>;
  noteRefusal(error: BridgeError): void;
  save(): Promise<void>;
  /** After a conflict: `mine` replaces what somebody else made, `theirs` stays. */
  settle(which: 'mine' | 'theirs'): Promise<void>;
  remove(item: Kept): Promise<void>;
  /** Makes again what was deleted last. */
  restore(): Promise<void>;
}

/** `load` reads the list. */
export function createOwnedSaving<Words extends Omit<Listable, 'id'>, Kept extends Words & Stored>(
  { calls, tidy = (words) => words }: SavingKind<Words, Kept>,
  drafts: Drafts<Words, Kept>,
  load: () => Promise<void>,
): OwnedSaving<Kept> {
  const { open, shown, put, isSame, draftOf, wordsOf, start, discard } = drafts;
  const saving = signal<string | null>(null);
  const deleted = signal<Kept | null>(null);
  const lacksScope = signal(false);

  function noteRefusal(error: BridgeError): void {
    if (error.code === 'INSUFFICIENT_SCOPE') lacksScope.value = true;
  }

  async function save(): Promise<void> {
    const [key, draft] = [open.peek(), shown.peek()];
    if (key === null || draft === null || saving.peek() !== null) return;
    const { words, of } = draft;
    saving.value = key;
    try {
      const { outcome, item, theirs } = await calls.save({
        words: tidy(words),
        ...(of && { of: { id: of.id, version: of.version } }),
      });
      const present = drafts.all.peek().get(key) ?? draft;
      if (outcome === 'conflict' || outcome === 'deleted') put(key, { ...present, theirs: theirs ?? 'deleted' });
      else {
        put(key, null);
        // What somebody wrote since is a change of its own.
        if (item && !isSame(present.words, words)) put(item.id, { ...draftOf(item), words: present.words });
        if (open.peek() === key) open.value = item?.id ?? null;
        await load();
      }
    } catch (thrown) {
      const error = asBridgeError(thrown);
      noteRefusal(error);
      put(key, { ...(drafts.all.peek().get(key) ?? draft), error });
      // Somebody else has taken the name: the list tells who.
      if (error.code === 'IDENTIFIER_CONFLICT') await load();
    }
    saving.value = null;
  }

  async function settle(which: 'mine' | 'theirs'): Promise<void> {
    const [key, draft] = [open.peek(), shown.peek()];
    if (key === null || draft === null || draft.theirs === null) return;
    if (which === 'theirs') return discard();
    const { theirs } = draft;
    put(key, { ...draft, of: theirs === 'deleted' ? null : ({ ...theirs, waits: false } as Kept), theirs: null });
    await save();
  }

  async function remove(item: Kept): Promise<void> {
    const { id, version } = item;
    try {
      const { outcome, theirs } = await calls.remove({ id, version });
      if (outcome === 'conflict' && theirs) put(id, { ...draftOf(item), theirs });
      else {
        put(id, null);
        if (open.peek() === id) open.value = null;
        deleted.value = item;
        await load();
      }
    } catch (thrown) {
      const error = asBridgeError(thrown);
      noteRefusal(error);
      put(id, { ...(drafts.all.peek().get(id) ?? draftOf(item)), error });
    }
  }

  async function restore(): Promise<void> {
    const item = deleted.peek();
    if (!item) return;
    deleted.value = null;
    start(wordsOf(item));
    await save();
  }

  return { saving, deleted, lacksScope, noteRefusal, save, settle, remove, restore };
}
