/** The dictations on this device, as the app behind the page reports them. */
import { computed, signal } from '@preact/signals';
import type { Dictation } from '../../../bridge/dictation.ts';
import { bridge } from '../bridge.ts';
import { createRevisionTracker } from '../time/revision-tracker.ts';

const byId = signal<ReadonlyMap<string, Dictation>>(new Map());
/** Recovered dictations that this page continues: the person knows about the interruption. */
const goneOnWith = new Set<string>();
/**
 * Dictations whose report was requested before the app knew it (waiting-reports.ts): nothing more is recorded into
 * them.
 */
export const askedFor = signal<ReadonlySet<string>>(new Set());
const asAsked = (dictation: Dictation): Dictation =>
  askedFor.value.has(dictation.id) && ['paused', 'failed'].includes(dictation.state)
    ? { ...dictation, state: 'queued', can_undo: false, recovered: false, error: null }
    : dictation;
const seen = (dictation: Dictation): Dictation =>
  goneOnWith.has(dictation.id) ? { ...dictation, recovered: false } : dictation;

/** Newest first; finished dictations stay until the page is closed. */
export const dictations = computed(() =>
  [...byId.value.values()].map(asAsked).toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)),
);

/** Dictations that a crash interrupted and that nobody has continued. */
export const recoveredDictations = computed(() =>
  dictations.value.filter(({ recovered, state }) => recovered && state === 'paused'),
);

/** The dictation of an exam: the newest whose audio was not sent, otherwise the newest. */
export function findDictation(itemId: string): Dictation | null {
  const ofExam = dictations.value.filter((dictation) => dictation.item_id === itemId);
  return ofExam.find(({ state }) => state === 'recording' || state === 'paused') ?? ofExam[0] ?? null;
}

const newest = createRevisionTracker();

/** Takes over the dictation from an answer or event, unless the page knows a newer one. */
export function putDictation(dictation: Dictation): void {
  if (!newest.isNews(dictation.id, dictation.revision)) return;
  byId.value = new Map(byId.peek()).set(dictation.id, seen(dictation));
}

/** A take of this page starts in the dictation. */
export const continueDictation = (id: string): void => void goneOnWith.add(id);

/** Removes a dictation that was gone at that revision. */
export function removeDictation(id: string, revision: number): void {
  if (!newest.isNews(id, revision)) return;
  const rest = new Map(byId.peek());
  rest.delete(id);
  byId.value = rest;
}

/**
 * Reads and follows the dictations. `changed` receives each change with the previous dictation. The returned function
 * stops following.
 */
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

/** Reads all dictations. Rejects with the error of the app. */
export async function readDictations(): Promise<void> {
  const { items, revision } = await bridge().call('dictation.list', {});
  const after = new Map<string, Dictation>();
  // Dictations from later events are newer; finished dictations stay until the page is closed.
  for (const [id, dictation] of byId.peek())
    if (dictation.state === 'done' || newest.isNewer(id, revision)) after.set(id, dictation);
  for (const dictation of items)
    if (newest.isNews(dictation.id, dictation.revision)) after.set(dictation.id, seen(dictation));
  newest.readAll(revision);
  byId.value = after;
}
