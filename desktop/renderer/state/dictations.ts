/** The dictations on this device, as the app behind the page tells of them. */
import { computed, signal } from '@preact/signals';
import type { Dictation } from '../../bridge.ts';
import { bridge } from './bridge.ts';

const byId = signal<ReadonlyMap<string, Dictation>>(new Map());
/** Gone on with in this page: who did that knows that they were cut off. */
const goneOnWith = new Set<string>();
const seen = (dictation: Dictation): Dictation =>
  goneOnWith.has(dictation.id) ? { ...dictation, recovered: false } : dictation;

/** Newest first; those that ended are kept until the page is closed. */
export const dictations = computed(() =>
  [...byId.value.values()].toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1)),
);

/** Cut off by a crash, and not gone on with yet. */
export const recoveredDictations = computed(() =>
  dictations.value.filter(({ recovered, state }) => recovered && state === 'paused'),
);

/** The newest one of an exam. */
export const dictationOf = (itemId: string): Dictation | null =>
  dictations.value.find((dictation) => dictation.item_id === itemId) ?? null;

/** Takes what a call has answered. */
export function putDictation(dictation: Dictation): void {
  byId.value = new Map(byId.peek()).set(dictation.id, seen(dictation));
}

/** A take of this page begins on it. */
export const goOnWith = (id: string): void => void goneOnWith.add(id);

export function removeDictation(id: string): void {
  const rest = new Map(byId.peek());
  rest.delete(id);
  byId.value = rest;
}

/** Reads and follows them; `changed` hears of each with what it was before. The function returned ends it. */
export async function followDictations(
  changed: (dictation: Dictation, before: Dictation | undefined) => void,
): Promise<() => void> {
  const stopEvents = bridge().on('dictation', (dictation) => {
    const before = byId.peek().get(dictation.id);
    putDictation(dictation);
    changed(dictation, before);
  });
  const stopGaps = bridge().onGap(() => void readDictations().catch(() => undefined));
  await readDictations();
  return () => {
    stopEvents();
    stopGaps();
    byId.value = new Map();
    goneOnWith.clear();
  };
}

/** Asks for all of them. Throws what the app says. */
export async function readDictations(): Promise<void> {
  const { items } = await bridge().call('dictation.list', {});
  const ended = [...byId.peek().values()].filter(({ state }) => state === 'done');
  byId.value = new Map([...ended, ...items].map((dictation) => [dictation.id, seen(dictation)]));
}
