/** What somebody writes and has not saved, beside the list as it is. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { Listable } from './owned-list.ts';

export interface Stored extends Listable {
  readonly version: number;
  readonly waits: boolean;
}
export type Theirs<Kept> = Omit<Kept, 'waits'>;

/** What somebody writes and has not saved. */
export interface Draft<Words, Kept> {
  readonly words: Words;
  /** What it changes; `null`: it is new. */
  readonly of: Kept | null;
  /** What somebody else made of it meanwhile; `deleted`: it is no more. */
  readonly theirs: Theirs<Kept> | 'deleted' | null;
  /** Why it was not saved. */
  readonly error: BridgeError | null;
}

export interface Drafts<Words, Kept> {
  /** By the id of what they change; a new one has a name of its own. */
  readonly all: Signal<ReadonlyMap<string, Draft<Words, Kept>>>;
  /** What is shown: its id, or the name of a draft. */
  readonly open: Signal<string | null>;
  /** The draft that is shown, or what is shown as it is. */
  readonly shown: ReadonlySignal<Draft<Words, Kept> | null>;
  /** What has a draft; the same set while only words change, so that no key draws the whole list. */
  readonly unsaved: ReadonlySignal<ReadonlySet<string>>;
  wordsOf(from: Words): Words;
  isSame(one: Words, other: Words): boolean;
  draftOf(item: Kept): Draft<Words, Kept>;
  /** `null`: there is none any more. */
  put(key: string, draft: Draft<Words, Kept> | null): void;
  /** The list was read: somebody else may have changed or deleted what a draft changes. */
  meetOthers(present: readonly Kept[]): void;
  /** Begins one, or goes on with one that is still empty. */
  start(words?: Partial<Words>): void;
  /** Changes what is shown. */
  edit(change: Partial<Words>): void;
  /** Throws away what was not saved. */
  discard(): void;
}

/** `blank`: the fields that somebody writes, in a new one. */
export function createDrafts<Words extends Omit<Listable, 'id'>, Kept extends Words & Stored>(
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

  /** A draft beside the list as it is now: somebody else may have changed or deleted what it changes. */
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
    meetOthers(present) {
      drafts.value = new Map([...drafts.peek()].map(([key, draft]) => [key, withOthers(draft, present)]));
    },
    start,
    edit,
    discard,
  };
}
