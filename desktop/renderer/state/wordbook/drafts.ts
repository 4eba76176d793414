/** Unsaved edits of wordbook entries, kept next to the stored list. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { Listable } from './entry-list.ts';

export interface StoredEntry extends Listable {
  readonly version: number;
  readonly waits: boolean;
}
export type Theirs<Kept> = Omit<Kept, 'waits'>;

/** An unsaved edit. */
export interface Draft<Words, Kept> {
  readonly words: Words;
  /** The entry that it changes; `null`: a new entry. */
  readonly of: Kept | null;
  /** The version that another person saved since; `deleted`: another person deleted the entry. */
  readonly theirs: Theirs<Kept> | 'deleted' | null;
  /** Why saving failed. */
  readonly error: BridgeError | null;
}

export interface Drafts<Words, Kept> {
  /** Keyed by the id of the entry. A new entry has a name that only this page knows. */
  readonly all: Signal<ReadonlyMap<string, Draft<Words, Kept>>>;
  /** The selected entry: its id, or the name of a new draft. */
  readonly open: Signal<string | null>;
  /** The selected draft, or the selected entry as a draft without changes. */
  readonly shown: ReadonlySignal<Draft<Words, Kept> | null>;
  /** Ids with a draft. The set changes only if its members do, so a keystroke does not redraw the list. */
  readonly unsaved: ReadonlySignal<ReadonlySet<string>>;
  wordsOf(from: Words): Words;
  isSame(one: Words, other: Words): boolean;
  draftOf(item: Kept): Draft<Words, Kept>;
  /** Stores a draft; `null` removes it. */
  put(key: string, draft: Draft<Words, Kept> | null): void;
  /** Called after the list was read: another person may have changed or deleted entries with drafts. */
  reconcile(present: readonly Kept[]): void;
  /** Starts a draft of a new entry, or returns to one that is still empty. */
  start(words?: Partial<Words>): void;
  /** Edits the selected entry. */
  edit(change: Partial<Words>): void;
  /** Discards the unsaved edit. */
  discard(): void;
}

/** `blank`: the fields of a new entry. */
export function createDrafts<Words extends Omit<Listable, 'id'>, Kept extends Words & StoredEntry>(
  items: ReadonlySignal<readonly Kept[] | undefined>,
  { blank, isEmpty }: { readonly blank: Words; readonly isEmpty: (words: Words) => boolean },
): Drafts<Words, Kept> {
  const drafts = signal<ReadonlyMap<string, Draft<Words, Kept>>>(new Map());
  const open = signal<string | null>(null);

  const fields = Object.keys(blank) as (keyof Words)[];
  const wordsOf = (from: Words): Words =>
    Object.fromEntries(fields.map((field) => [field, from[field]])) as unknown as Words;
  const isSame = (one: Words, other: Words): boolean =>
    fields.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]));
  const draftOf = (item: Kept): Draft<Words, Kept> => ({ words: wordsOf(item), of: item, theirs: null, error: null });

  const shown = computed((): Draft<Words, Kept> | null => {
    const key = open.value;
    if (key === null) return null;
    const draft = drafts.value.get(key);
    const item = items.value?.find(({ id }) => id === key);
    return draft ?? (item ? draftOf(item) : null);
  });
  const draftKeys = computed(() => JSON.stringify([...drafts.value.keys()]));

  function put(key: string, draft: Draft<Words, Kept> | null): void {
    const next = new Map(drafts.peek());
    if (draft) next.set(key, draft);
    else next.delete(key);
    drafts.value = next;
  }

  /** Compares a draft with the list: another person may have changed or deleted its entry. */
  function withOthers(draft: Draft<Words, Kept>, all: readonly Kept[]): Draft<Words, Kept> {
    if (!draft.of) return draft;
    const present = all.find(({ id }) => id === draft.of?.id);
    if (!present) return { ...draft, theirs: 'deleted' };
    return present.version === draft.of.version || present.waits ? draft : { ...draft, theirs: present };
  }

  let made = 0;
  function start(words: Partial<Words> = {}): void {
    const empty = [...drafts.peek()].find(([, { of, words: known }]) => !of && isEmpty(known));
    const key = empty?.[0] ?? `new-${++made}`;
    put(key, { words: { ...blank, ...words }, of: null, theirs: null, error: null });
    open.value = key;
  }

  function edit(change: Partial<Words>): void {
    const [key, draft] = [open.peek(), shown.peek()];
    if (key === null || !draft) return;
    const words = { ...draft.words, ...change };
    const isAsBefore = draft.of !== null && draft.theirs === null && isSame(words, draft.of);
    put(key, isAsBefore ? null : { ...draft, words, error: null });
  }

  function discard(): void {
    const key = open.peek();
    if (key === null) return;
    put(key, null);
    if (!items.peek()?.some(({ id }) => id === key)) open.value = null;
  }

  return {
    all: drafts,
    open,
    shown,
    unsaved: computed(() => new Set(JSON.parse(draftKeys.value) as string[])),
    wordsOf,
    isSame,
    draftOf,
    put,
    reconcile(present) {
      drafts.value = new Map([...drafts.peek()].map(([key, draft]) => [key, withOthers(draft, present)]));
    },
    start,
    edit,
    discard,
  };
}
