/** Autotexts while somebody looks after them: the list, and what is written and not saved yet, which no click throws away. */
import { computed, effect, signal } from '@preact/signals';
import type { Macro } from '../../../../src/contract/macro.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import { wordsOf } from '../../../bridge/macros.ts';
import type { KeptMacro, MacroWords } from '../../../bridge/macros.ts';
import { asBridgeError, bridge, login } from '../bridge.ts';
import { session } from '../session.ts';
import { createLastAsked } from '../time/last-asked.ts';
import { noFilter } from './macro-list.ts';
import type { MacroFilter } from './macro-list.ts';

/** What somebody writes and has not saved. */
export interface Draft {
  readonly words: MacroWords;
  /** The autotext that it changes; `null`: it is new. */
  readonly of: KeptMacro | null;
  /** What somebody else made of it meanwhile; `deleted`: it is no more. */
  readonly theirs: Macro | 'deleted' | null;
  /** Why it was not saved. */
  readonly error: BridgeError | null;
}

/** `undefined` until the list was read. */
export const macros = signal<readonly KeptMacro[] | undefined>(undefined);
/** When the service gave the list; `null`: it was never read here. */
export const macrosAsOf = signal<string | null>(null);
/** Why the list cannot be read. */
export const macrosError = signal<BridgeError | null>(null);
export const macroFilter = signal<MacroFilter>(noFilter);
/** By the id of the autotext; a new one has a name of its own. */
export const drafts = signal<ReadonlyMap<string, Draft>>(new Map());
/** The autotext or draft that is shown. */
export const openMacro = signal<string | null>(null);
/** The draft that is being saved. */
export const savedNow = signal<string | null>(null);
/** The autotext that was deleted last, as long as that can be taken back. */
export const deletedMacro = signal<KeptMacro | null>(null);
/** The login is older than autotexts are, and may not change them. */
export const lacksScope = signal(false);

const isSame = (one: MacroWords, other: MacroWords): boolean =>
  (['name', 'text', 'section', 'language', 'owner'] as const).every((field) => one[field] === other[field]);
const draftOf = (macro: KeptMacro): Draft => ({ words: wordsOf(macro), of: macro, theirs: null, error: null });

/** What is shown: the draft, or the autotext as it is. */
export const shownDraft = computed((): Draft | null => {
  const key = openMacro.value;
  if (key === null) return null;
  const draft = drafts.value.get(key);
  const macro = macros.value?.find(({ id }) => id === key);
  return draft ?? (macro ? draftOf(macro) : null);
});

export const isMacroShown = computed(() => shownDraft.value !== null);

const draftKeys = computed(() => JSON.stringify([...drafts.value.keys()]));
/** What has a draft; the same set while only words change, so that no key draws the whole list. */
export const unsavedMacros = computed((): ReadonlySet<string> => new Set(JSON.parse(draftKeys.value) as string[]));

function put(key: string, draft: Draft | null): void {
  const next = new Map(drafts.peek());
  if (draft) next.set(key, draft);
  else next.delete(key);
  drafts.value = next;
}

/** A draft beside the list as it is now: somebody else may have changed or deleted its autotext. */
function meetOthers(draft: Draft, items: readonly KeptMacro[]): Draft {
  if (!draft.of) return draft;
  const present = items.find(({ id }) => id === draft.of?.id);
  if (!present) return { ...draft, theirs: 'deleted' };
  return present.version === draft.of.version || present.waits ? draft : { ...draft, theirs: present };
}

let last = createLastAsked();

/** Reads the list; what cannot be read now is as it was read last. */
export async function loadMacros(): Promise<void> {
  try {
    const read = await last(bridge().call('macros.list', {}));
    if (!read) return;
    macros.value = read.items;
    macrosAsOf.value = read.as_of;
    macrosError.value = null;
    drafts.value = new Map([...drafts.peek()].map(([key, draft]) => [key, meetOthers(draft, read.items)]));
  } catch (thrown) {
    macrosError.value = asBridgeError(thrown);
  }
}

let made = 0;

/** Begins an autotext, or goes on with one that is still empty. */
export function startMacro(words: Partial<MacroWords> = {}): void {
  const empty = [...drafts.peek()].find(([, { of, words: known }]) => !of && known.name === '' && known.text === '');
  const key = empty?.[0] ?? `new-${++made}`;
  const blank: MacroWords = { name: '', text: '', section: null, language: null, owner: 'person' };
  put(key, { words: { ...blank, ...words }, of: null, theirs: null, error: null });
  openMacro.value = key;
}

/** Changes what is shown. */
export function editMacro(change: Partial<MacroWords>): void {
  const [key, draft] = [openMacro.peek(), shownDraft.peek()];
  if (key === null || !draft) return;
  const words = { ...draft.words, ...change };
  const isAsBefore = draft.of !== null && draft.theirs === null && isSame(words, draft.of);
  put(key, isAsBefore ? null : { ...draft, words, error: null });
}

/** Throws away what was not saved. */
export function discardDraft(): void {
  const key = openMacro.peek();
  if (key === null) return;
  put(key, null);
  if (!macros.peek()?.some(({ id }) => id === key)) openMacro.value = null;
}

/** After a conflict: `mine` replaces what somebody else made, `theirs` stays. */
export async function settleMacro(which: 'mine' | 'theirs'): Promise<void> {
  const [key, draft] = [openMacro.peek(), shownDraft.peek()];
  if (key === null || draft === null || draft.theirs === null) return;
  if (which === 'theirs') return discardDraft();
  const { theirs } = draft;
  put(key, { ...draft, of: theirs === 'deleted' ? null : { ...theirs, waits: false }, theirs: null });
  await saveMacro();
}

function noteRefusal(error: BridgeError): void {
  if (error.code === 'INSUFFICIENT_SCOPE') lacksScope.value = true;
}

export async function saveMacro(): Promise<void> {
  const [key, draft] = [openMacro.peek(), shownDraft.peek()];
  if (key === null || draft === null || savedNow.peek() !== null) return;
  const { words, of } = draft;
  savedNow.value = key;
  try {
    const input = { ...words, ...(of && { of: { id: of.id, version: of.version } }) };
    const { outcome, macro, theirs } = await bridge().call('macros.save', input);
    const present = drafts.peek().get(key) ?? draft;
    if (outcome === 'conflict' || outcome === 'deleted') put(key, { ...present, theirs: theirs ?? 'deleted' });
    else {
      put(key, null);
      // What somebody wrote since is a change of its own.
      if (macro && !isSame(present.words, words)) put(macro.id, { ...draftOf(macro), words: present.words });
      if (openMacro.peek() === key) openMacro.value = macro?.id ?? null;
      await loadMacros();
    }
  } catch (thrown) {
    const error = asBridgeError(thrown);
    noteRefusal(error);
    put(key, { ...(drafts.peek().get(key) ?? draft), error });
    // Somebody else has taken the name: the list tells who.
    if (error.code === 'IDENTIFIER_CONFLICT') await loadMacros();
  }
  savedNow.value = null;
}

/** Deletes the autotext that is shown; rejects with what the app says. */
export async function deleteMacro(macro: KeptMacro): Promise<void> {
  const { id, version } = macro;
  try {
    const { outcome, theirs } = await bridge().call('macros.delete', { id, version });
    if (outcome === 'conflict' && theirs) put(id, { ...draftOf(macro), theirs });
    else {
      put(id, null);
      if (openMacro.peek() === id) openMacro.value = null;
      deletedMacro.value = macro;
      await loadMacros();
    }
  } catch (thrown) {
    const error = asBridgeError(thrown);
    noteRefusal(error);
    put(id, { ...(drafts.peek().get(id) ?? draftOf(macro)), error });
  }
}

/** Makes the autotext again that was deleted last. */
export async function restoreMacro(): Promise<void> {
  const macro = deletedMacro.peek();
  if (!macro) return;
  deletedMacro.value = null;
  startMacro(wordsOf(macro));
  await saveMacro();
}

function forget(): void {
  last = createLastAsked();
  macros.value = undefined;
  macrosAsOf.value = null;
  macrosError.value = null;
  macroFilter.value = noFilter;
  drafts.value = new Map();
  openMacro.value = null;
  savedNow.value = null;
  deletedMacro.value = null;
}

/** The person whose autotexts these are: after unlocking, the same person finds them as they were. */
let desk: string | null = null;
effect(() => {
  const present = login.value.desk;
  // The answer to what the former login asked reaches nobody.
  savedNow.value = null;
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
