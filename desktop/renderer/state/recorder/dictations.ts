/** The dictations on this device, as the app behind the page tells of them. */
import { computed, signal } from '@preact/signals';
import type { Dictation } from '../../../bridge/dictation.ts';
import { bridge } from '../bridge.ts';
import { createNewest } from '../time/newest.ts';

const byId = signal<ReadonlyMap<string, Dictation>>(new Map());
/** Gone on with in this page: who did that knows that they were cut off. */
const goneOnWith = new Set<string>();
/** Their reports were asked for, and the app does not know that yet (waiting-reports.ts): nothing more is said into them. */
export const askedFor = signal<ReadonlySet<string>>(new Set());
const asAsked = (dictation: Dictation): Dictation =>
  askedFor.value.has(dictation.id) && ['paused', 'failed'].includes(dictation.state)
    ? { ...dictation, state: 'queued', can_undo: false, recovered: false, error: null }
    : dictation;
const seen = (dictation: Dictation): Dictation =>
  goneOnWith.has(dictation.id) ? { ...dictation, recovered: false } : dictation;

/** Newest first; those that ended are kept until the page is closed. */
export const dictations = computed(() =>
  [...byId.value.values()].map(asAsked).toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)),
);

/** Cut off by a crash, and not gone on with yet. */
export const recoveredDictations = computed(() =>
  dictations.value.filter(({ recovered, state }) => recovered && state === 'paused'),
);

/** The newest one of an exam; first one of which the sound was not sent. */
export function dictationOf(itemId: string): Dictation | null {
  const ofExam = dictations.value.filter((dictation) => dictation.item_id === itemId);
  return ofExam.find(({ state }) => state === 'recording' || state === 'paused') ?? ofExam[0] ?? null;
}

const newest = createNewest();

/** Takes what a call has answered or an event has told, unless something newer is known. */
export function putDictation(dictation: Dictation): void {
  if (!newest.isNews(dictation.id, dictation.revision)) return;
  byId.value = new Map(byId.peek()).set(dictation.id, seen(dictation));
}

/** A take of this page begins on it. */
export const goOnWith = (id: string): void => void goneOnWith.add(id);

/** It is gone, as was found at that revision. */
export function removeDictation(id: string, revision: number): void {
  if (!newest.isNews(id, revision)) return;
  const rest = new Map(byId.peek());
  rest.delete(id);
  byId.value = rest;
}

/** Reads and follows them until that is ended; `changed` hears of each with what it was before. */
export async function followDictations(
  ended: AbortSignal,
  changed: (dictation: Dictation, before: Dictation | undefined) => void,
): Promise<void> {
  const endings = [
    bridge().on('dictation', (dictation) => {
      const before = byId.peek().get(dictation.id);
      putDictation(dictation);
      changed(dictation, before);
    }),
    bridge().on('discarded', ({ id, revision }) => removeDictation(id, revision)),
    bridge().onGap(() => {
      newest.forget();
      void readDictations().catch(() => undefined);
    }),
  ];
  ended.addEventListener('abort', () => {
    for (const end of endings) end();
    byId.value = new Map();
    newest.forget();
    goneOnWith.clear();
  });
  await readDictations();
}

/** Asks for all of them. Throws what the app says. */
export async function readDictations(): Promise<void> {
  const { items, revision } = await bridge().call('dictation.list', {});
  const after = new Map<string, Dictation>();
  // What was told meanwhile is newer; those that ended are kept until the page is closed.
  for (const [id, dictation] of byId.peek())
    if (dictation.state === 'done' || newest.isNewer(id, revision)) after.set(id, dictation);
  for (const dictation of items)
    if (newest.isNews(dictation.id, dictation.revision)) after.set(dictation.id, seen(dictation));
  newest.readAll(revision);
  byId.value = after;
}
