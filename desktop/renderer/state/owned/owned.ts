/**
 * What somebody keeps for dictating, while looking after it: the list, and what is written and not saved yet, which no click
 * throws away.
 */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { maxOwnedFileBytes } from '../../../bridge/owned.ts';
import type { OwnedImport } from '../../../bridge/owned.ts';
import { asBridgeError, login } from '../bridge.ts';
import { session } from '../session.ts';
import { createLastAsked } from '../time/last-asked.ts';
import { noFilter } from './owned-list.ts';
import type { Listable, Listing, OwnedFilter } from './owned-list.ts';

interface Stored extends Listable {
  readonly version: number;
  readonly waits: boolean;
}
type Theirs<Kept> = Omit<Kept, 'waits'>;

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

/** How far the import of a file is. */
export type Importing =
  | { readonly step: 'running'; readonly name: string }
  | { readonly step: 'done'; readonly result: OwnedImport; readonly file: File }
  | { readonly step: 'failed'; readonly error: BridgeError };

type Defaults = Pick<Listable, 'owner' | 'language'>;

export interface OwnedStateKind<Words extends object, Kept extends Words & Stored> {
  readonly calls: {
    list(): Promise<{ items: Kept[]; as_of: string | null }>;
    save(input: { words: Words; of?: { id: string; version: number } }): Promise<{
      outcome: 'saved' | 'queued' | 'conflict' | 'deleted';
      item?: Kept;
      theirs?: Theirs<Kept>;
    }>;
    remove(input: { id: string; version: number }): Promise<{ outcome: string; theirs?: Theirs<Kept> }>;
    import(input: { defaults: Defaults; replace: boolean }, bytes: ArrayBuffer): Promise<OwnedImport>;
  };
  readonly listing: Listing<Words, Kept>;
  /** The fields that somebody writes, in a new one. */
  readonly blank: Words;
  readonly isEmpty: (words: Words) => boolean;
  /** The words as they are sent. Default: as they are written. */
  readonly tidy?: (words: Words) => Words;
}

export interface OwnedState<Words, Kept> extends Listing<Words, Kept> {
  /** `undefined` until the list was read. */
  readonly items: Signal<readonly Kept[] | undefined>;
  /** When the service gave the list; `null`: it was never read here. */
  readonly asOf: Signal<string | null>;
  /** Why the list cannot be read. */
  readonly error: Signal<BridgeError | null>;
  readonly filter: Signal<OwnedFilter>;
  /** By the id of what they change; a new one has a name of its own. */
  readonly drafts: Signal<ReadonlyMap<string, Draft<Words, Kept>>>;
  /** What is shown: its id, or the name of a draft. */
  readonly open: Signal<string | null>;
  /** The draft that is being saved. */
  readonly saving: Signal<string | null>;
  /** What was deleted last, as long as that can be taken back. */
  readonly deleted: Signal<Kept | null>;
  /** The login may not change it. */
  readonly lacksScope: Signal<boolean>;
  readonly importing: Signal<Importing | null>;
  /** The draft that is shown, or what is shown as it is. */
  readonly shown: ReadonlySignal<Draft<Words, Kept> | null>;
  readonly isShown: ReadonlySignal<boolean>;
  /** What has a draft; the same set while only words change, so that no key draws the whole list. */
  readonly unsaved: ReadonlySignal<ReadonlySet<string>>;
  /** Reads the list; what cannot be read now is as it was read last. */
  load(): Promise<void>;
  /** Begins one, or goes on with one that is still empty. */
  start(words?: Partial<Words>): void;
  /** Changes what is shown. */
  edit(change: Partial<Words>): void;
  /** Throws away what was not saved. */
  discard(): void;
  save(): Promise<void>;
  /** After a conflict: `mine` replaces what somebody else made, `theirs` stays. */
  settle(which: 'mine' | 'theirs'): Promise<void>;
  remove(item: Kept): Promise<void>;
  /** Makes again what was deleted last. */
  restore(): Promise<void>;
  importFile(file: File, replace: boolean): Promise<void>;
}

export function createOwnedState<Words extends Omit<Listable, 'id'>, Kept extends Words & Stored>(
  kind: OwnedStateKind<Words, Kept>,
): OwnedState<Words, Kept> {
  const { calls, blank, tidy = (words) => words } = kind;
  const items = signal<readonly Kept[] | undefined>(undefined);
  const asOf = signal<string | null>(null);
  const listError = signal<BridgeError | null>(null);
  const filter = signal<OwnedFilter>(noFilter);
  const drafts = signal<ReadonlyMap<string, Draft<Words, Kept>>>(new Map());
  const open = signal<string | null>(null);
  const saving = signal<string | null>(null);
  const deleted = signal<Kept | null>(null);
  const lacksScope = signal(false);
  const importing = signal<Importing | null>(null);

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
  function meetOthers(draft: Draft<Words, Kept>, all: readonly Kept[]): Draft<Words, Kept> {
    if (!draft.of) return draft;
    const present = all.find(({ id }) => id === draft.of?.id);
    if (!present) return { ...draft, theirs: 'deleted' };
    return present.version === draft.of.version || present.waits ? draft : { ...draft, theirs: present };
  }

  let last = createLastAsked();
  async function load(): Promise<void> {
    try {
      const read = await last(calls.list());
      if (!read) return;
      items.value = read.items;
      asOf.value = read.as_of;
      listError.value = null;
      drafts.value = new Map([...drafts.peek()].map(([key, draft]) => [key, meetOthers(draft, read.items)]));
    } catch (thrown) {
      listError.value = asBridgeError(thrown);
    }
  }

  let made = 0;
  function start(words: Partial<Words> = {}): void {
    const empty = [...drafts.peek()].find(([, { of, words: known }]) => !of && kind.isEmpty(known));
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
      const present = drafts.peek().get(key) ?? draft;
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
      put(key, { ...(drafts.peek().get(key) ?? draft), error });
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
      put(id, { ...(drafts.peek().get(id) ?? draftOf(item)), error });
    }
  }

  async function restore(): Promise<void> {
    const item = deleted.peek();
    if (!item) return;
    deleted.value = null;
    start(wordsOf(item));
    await save();
  }

  async function importFile(file: File, replace: boolean): Promise<void> {
    importing.value = { step: 'running', name: file.name };
    try {
      if (file.size > maxOwnedFileBytes) throw { code: 'PAYLOAD_TOO_LARGE', message: '' } satisfies BridgeError;
      const { owner, language } = filter.peek();
      const defaults = { owner: owner ?? 'person', language };
      const result = await calls.import({ defaults, replace }, await file.arrayBuffer());
      importing.value = { step: 'done', result, file };
      await load();
    } catch (thrown) {
      const error = asBridgeError(thrown);
      noteRefusal(error);
      importing.value = { step: 'failed', error };
    }
  }

  function forget(): void {
    last = createLastAsked();
    items.value = undefined;
    asOf.value = null;
    listError.value = null;
    filter.value = noFilter;
    drafts.value = new Map();
    open.value = null;
    deleted.value = null;
    importing.value = null;
  }

  /** The person whose these are: after unlocking, the same person finds them as they were. */
  let desk: string | null = null;
  effect(() => {
    const present = login.value.desk;
    // The answer to what the former login asked reaches nobody.
    saving.value = null;
    if (present === null || present === desk) return;
    if (desk !== null) forget();
    desk = present;
  });

  // Somebody may have logged in again.
  effect(() => {
    if (session.value) lacksScope.value = false;
  });

  /** The page asks before it closes with words that it alone has. */
  if ('addEventListener' in globalThis)
    addEventListener('beforeunload', (event) => {
      if (drafts.peek().size > 0) event.preventDefault();
    });

  return {
    ...kind.listing,
    items,
    asOf,
    error: listError,
    filter,
    drafts,
    open,
    saving,
    deleted,
    lacksScope,
    importing,
    shown,
    isShown: computed(() => shown.value !== null),
    unsaved: computed(() => new Set(JSON.parse(draftKeys.value) as string[])),
    load,
    start,
    edit,
    discard,
    save,
    settle,
    remove,
    restore,
    importFile,
  };
}
