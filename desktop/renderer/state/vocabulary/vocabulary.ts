/** The vocabulary while somebody looks after it: the list, and the word that is written and not saved yet. */
import { computed, effect, signal } from '@preact/signals';
import type { Language } from '../../../../src/contract/shared.ts';
import type { Term } from '../../../../src/contract/vocabulary.ts';
import { foldTexts, hasWord, wordsSought } from '../../../../src/domain/search-text.ts';
import type { BridgeError } from '../../../bridge/bridge.ts';
import type { TermWords } from '../../../bridge/vocabulary.ts';
import { asBridgeError, bridge, login } from '../bridge.ts';

export interface TermDraft {
  readonly words: TermWords;
  /** The word that it changes; `null`: it is new. */
  readonly of: Term | null;
}

/** `undefined` until the list was read. */
export const terms = signal<readonly Term[] | undefined>(undefined);
export const termQuery = signal('');
export const termDraft = signal<TermDraft | null>(null);
/** Why the list cannot be read, or the draft not be saved. */
export const termsError = signal<BridgeError | null>(null);
export const draftError = signal<BridgeError | null>(null);
export const isTermSaving = signal(false);

/** The words that have what is sought, in the order of the alphabet. */
export const listedTerms = computed((): readonly Term[] => {
  const sought = wordsSought(termQuery.value);
  const { compare } = new Intl.Collator(undefined, { numeric: true });
  return (terms.value ?? [])
    .filter((term) => {
      const text = foldTexts([term.write, ...term.for]);
      return sought.every((word) => hasWord(text, word));
    })
    .toSorted((a, b) => compare(a.write, b.write));
});

export async function loadTerms(): Promise<void> {
  try {
    terms.value = (await bridge().call('vocabulary.list', {})).items;
    termsError.value = null;
  } catch (thrown) {
    termsError.value = asBridgeError(thrown);
  }
}

/** Changes that nobody saved or threw away, while another word is shown; by the id of the word. */
const aside = new Map<string, TermDraft>();
const keyOf = ({ of }: TermDraft): string => of?.id ?? 'new';

const isChanged = ({ words, of }: TermDraft): boolean =>
  of === null
    ? words.write !== '' || words.for.length > 0
    : (['write', 'for', 'language', 'owner'] as const).some(
        (field) => JSON.stringify(words[field]) !== JSON.stringify(of[field]),
      );

/** Shows a draft, and keeps what was changed in the one that is shown now. */
function open(draft: TermDraft): void {
  const shown = termDraft.peek();
  if (shown && isChanged(shown)) aside.set(keyOf(shown), shown);
  termDraft.value = aside.get(keyOf(draft)) ?? draft;
  aside.delete(keyOf(draft));
  draftError.value = null;
}

/** Lets the shown draft go: it is saved, or thrown away. */
export function closeTerm(): void {
  termDraft.value = null;
  draftError.value = null;
}

export const openTerm = ({ write, for: forms, language, owner, ...rest }: Term): void =>
  open({ words: { write, for: forms, language, owner }, of: { ...rest, write, for: forms, language, owner } });

/** Begins a word; `heard` is how it stands in a report, where it may be misspelt. */
export function startTerm({ heard = '', language = null }: { heard?: string; language?: Language | null } = {}): void {
  const line = heard.replace(/\s+/g, ' ').trim();
  const words = { write: line, for: line === '' ? [] : [line], language, owner: 'person' as const };
  if (line !== '') aside.delete('new');
  open({ words, of: null });
}

export function editTerm(change: Partial<TermWords>): void {
  const draft = termDraft.peek();
  if (draft) termDraft.value = { ...draft, words: { ...draft.words, ...change } };
}

/** Does what changes the draft, and reads the list again; what cannot be done leaves the draft as it is. */
async function settle(work: () => Promise<unknown>): Promise<void> {
  if (isTermSaving.peek()) return;
  const draft = termDraft.peek();
  isTermSaving.value = true;
  try {
    await work();
    if (termDraft.peek() === draft) closeTerm();
  } catch (thrown) {
    draftError.value = asBridgeError(thrown);
  }
  isTermSaving.value = false;
  await loadTerms();
}

export const saveTerm = (): Promise<void> =>
  settle(async () => {
    const { words, of } = termDraft.peek()!;
    const given = { ...words, for: words.for.map((form) => form.trim()).filter((form) => form !== '') };
    await bridge().call('vocabulary.save', { ...given, ...(of && { of: { id: of.id, version: of.version } }) });
  });

export const deleteTerm = ({ id, version }: Term): Promise<void> =>
  settle(() => bridge().call('vocabulary.delete', { id, version }));

/** The person whose words these are: after unlocking, the same person finds them as they were. */
let desk: string | null = null;
effect(() => {
  const present = login.value.desk;
  if (present === null || present === desk) return;
  if (desk !== null) {
    terms.value = undefined;
    termQuery.value = '';
    aside.clear();
    closeTerm();
  }
  desk = present;
});
