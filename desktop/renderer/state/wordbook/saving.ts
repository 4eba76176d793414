/** Saves, merges and deletes wordbook entries. */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { asBridgeError } from '../bridge.ts';
import type { Drafts, StoredEntry, Theirs } from './drafts.ts';
import type { Listable } from './entry-list.ts';

export interface SavingKind<Words, Kept> {
  readonly calls: {
    save(input: { words: Words; of?: { id: string; version: number } }): Promise<{
      outcome: 'saved' | 'queued' | 'conflict' | 'deleted';
      item?: Kept;
      theirs?: Theirs<Kept>;
    }>;
    remove(input: { id: string; version: number }): Promise<{ outcome: string; theirs?: Theirs<Kept> }>;
  };
  /** The entry as it is sent. Default: as written. */
  readonly tidy?: (words: Words) => Words;
}

export interface EntrySaving<Kept> {
  /** The draft being saved. */
  readonly saving: Signal<string | null>;
  /** The entry deleted last, as long as it can be restored. */
  readonly deleted: Signal<Kept | null>;
  /** The login lacks the scope to change the list. */
  readonly lacksScope: Signal<boolean>;
  noteRefusal(error: BridgeError): void;
  save(): Promise<void>;
  /** Ends a conflict: `mine` replaces the other person's version, `theirs` keeps it. */
  settle(which: 'mine' | 'theirs'): Promise<void>;
  remove(item: Kept): Promise<void>;
  /** Creates the entry deleted last again. */
  restore(): Promise<void>;
}

/** `load` reads the list. */
export function createEntrySaving<Words extends Omit<Listable, 'id'>, Kept extends Words & StoredEntry>(
  { calls, tidy = (words) => words }: SavingKind<Words, Kept>,
  drafts: Drafts<Words, Kept>,
  load: () => Promise<void>,
): EntrySaving<Kept> {
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
        // Edits made during the save become another change.
        if (item && !isSame(present.words, words)) put(item.id, { ...draftOf(item), words: present.words });
        if (open.peek() === key) open.value = item?.id ?? null;
        await load();
      }
    } catch (thrown) {
      const error = asBridgeError(thrown);
      noteRefusal(error);
      put(key, { ...(drafts.all.peek().get(key) ?? draft), error });
      // Another person took the name: the list shows who.
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
