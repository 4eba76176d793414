/** The state of a wordbook editor: the stored list, and unsaved edits, which no click discards. */
import { computed, effect, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { maxWordbookFileBytes } from '../../../bridge/wordbook.ts';
import type { WordbookImport } from '../../../bridge/wordbook.ts';
import { asBridgeError, login } from '../bridge.ts';
import { session } from '../session.ts';
import { createLatestRequest } from '../time/latest-request.ts';
import { createDrafts } from './drafts.ts';
import type { Draft, StoredEntry } from './drafts.ts';
import { noFilter } from './entry-list.ts';
import type { Listable, Listing, EntryFilter } from './entry-list.ts';
import { createEntrySaving } from './saving.ts';
import type { EntrySaving, SavingKind } from './saving.ts';

/** The progress of a file import. */
export type Importing =
  | { readonly step: 'running'; readonly name: string }
  | { readonly step: 'done'; readonly result: WordbookImport; readonly file: File }
  | { readonly step: 'failed'; readonly error: BridgeError };

type Defaults = Pick<Listable, 'owner' | 'language'>;

export interface EditorKind<Words extends object, Kept extends Words & StoredEntry> extends SavingKind<Words, Kept> {
  readonly calls: SavingKind<Words, Kept>['calls'] & {
    list(): Promise<{ items: Kept[]; as_of: string | null }>;
    import(input: { defaults: Defaults; replace: boolean }, bytes: ArrayBuffer): Promise<WordbookImport>;
  };
  readonly listing: Listing<Words, Kept>;
  /** The fields of a new entry. */
  readonly blank: Words;
  readonly isEmpty: (words: Words) => boolean;
}

export interface WordbookEditor<Words, Kept> extends Listing<Words, Kept>, Omit<EntrySaving<Kept>, 'noteRefusal'> {
  /** `undefined` until the list is read. */
  readonly items: Signal<readonly Kept[] | undefined>;
  /** When the service returned the list; `null`: never read here. */
  readonly asOf: Signal<string | null>;
  /** Why the list could not be read. */
  readonly error: Signal<BridgeError | null>;
  readonly filter: Signal<EntryFilter>;
  /** Keyed by the id of the entry. A new entry has a name that only this page knows. */
  readonly drafts: Signal<ReadonlyMap<string, Draft<Words, Kept>>>;
  /** The selected entry: its id, or the name of a new draft. */
  readonly open: Signal<string | null>;
  readonly importing: Signal<Importing | null>;
  /** The selected draft, or the selected entry as a draft without changes. */
  readonly shown: ReadonlySignal<Draft<Words, Kept> | null>;
  readonly isShown: ReadonlySignal<boolean>;
  /** Ids with a draft. The set changes only if its members do, so a keystroke does not redraw the list. */
  readonly unsaved: ReadonlySignal<ReadonlySet<string>>;
  /** Reads the list. If that fails, the last list stays. */
  load(): Promise<void>;
  /** Starts a draft of a new entry, or returns to one that is still empty. */
  start(words?: Partial<Words>): void;
  /** Edits the selected entry. */
  edit(change: Partial<Words>): void;
  /** Discards the unsaved edit. */
  discard(): void;
  importFile(file: File, replace: boolean): Promise<void>;
}

export function createWordbookEditor<Words extends Omit<Listable, 'id'>, Kept extends Words & StoredEntry>(
  kind: EditorKind<Words, Kept>,
): WordbookEditor<Words, Kept> {
  const { calls } = kind;
  const items = signal<readonly Kept[] | undefined>(undefined);
  const asOf = signal<string | null>(null);
  const drafts = createDrafts<Words, Kept>(items, kind);
  const { open, shown } = drafts;
  const listError = signal<BridgeError | null>(null);
  const filter = signal<EntryFilter>(noFilter);
  const importing = signal<Importing | null>(null);

  let last = createLatestRequest();
  async function load(): Promise<void> {
    try {
      const read = await last(calls.list());
      if (!read) return;
      items.value = read.items;
      asOf.value = read.as_of;
      listError.value = null;
      drafts.reconcile(read.items);
    } catch (thrown) {
      listError.value = asBridgeError(thrown);
    }
  }

  const { noteRefusal, ...actions } = createEntrySaving(kind, drafts, load);
  const { saving, deleted, lacksScope } = actions;

  async function importFile(file: File, replace: boolean): Promise<void> {
    importing.value = { step: 'running', name: file.name };
    try {
      if (file.size > maxWordbookFileBytes) throw { code: 'PAYLOAD_TOO_LARGE', message: '' } satisfies BridgeError;
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
    last = createLatestRequest();
    items.value = undefined;
    asOf.value = null;
    listError.value = null;
    filter.value = noFilter;
    drafts.all.value = new Map();
    open.value = null;
    deleted.value = null;
    importing.value = null;
  }

  /** The desk of the person who owns this state: after unlocking, the same person finds it unchanged. */
  let desk: string | null = null;
  effect(() => {
    const present = login.value.desk;
    // Answers to calls of the previous login are ignored.
    saving.value = null;
    if (present === null || present === desk) return;
    if (desk !== null) forget();
    desk = present;
  });

  // The person may have logged in again.
  effect(() => {
    if (session.value) lacksScope.value = false;
  });

  /** The page asks before it closes with unsaved edits that only it holds. */
  if ('addEventListener' in globalThis)
    addEventListener('beforeunload', (event) => {
      if (drafts.all.peek().size > 0) event.preventDefault();
    });

  return {
    ...kind.listing,
    ...actions,
    items,
    asOf,
    error: listError,
    filter,
    drafts: drafts.all,
    open,
    importing,
    shown,
    isShown: computed(() => shown.value !== null),
    unsaved: drafts.unsaved,
    load,
    start: drafts.start,
    edit: drafts.edit,
    discard: drafts.discard,
    importFile,
  };
}
