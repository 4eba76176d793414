/** What is typed is kept by the app behind the page with each key: a page that ends at any moment loses no word. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { MedicalRecord, Section } from '../../../../src/contract/document.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { Stroke } from '../../../bridge/shapes.ts';
import type { Typed } from '../../../bridge/typed.ts';
import { pageName } from '../page-name.ts';

export type TypedWords = Omit<Typed, 'kind' | 'subject' | 'stroke'>;

export interface Keeper {
  /** `null`: there is nothing to keep any more. */
  keep(words: TypedWords | null): void;
  /** Lets it go once all of it is kept. */
  close(): void;
}

let strokes = 0;
/** Newer than all that this page has said. */
export const nextStroke = (): Stroke => ({ page: pageName, at: ++strokes });

/** Calls at the same time: with more, what is typed meanwhile is said together. */
const mostCalls = 4;

/** Keepers whose words the app did not take: it is away. */
const failing = signal<ReadonlySet<Keeper>>(new Set());
/** Something that was typed is in this page alone. */
export const hasUnkeptWords: ReadonlySignal<boolean> = computed(() => failing.value.size > 0);

/** Of the keepers that are open. */
const flushes = new Set<() => void>();
/** Says now what is not said yet: the page is about to end. */
export const flushWords = (): void => {
  for (const flush of flushes) flush();
};

export function createKeeper(bridge: Bridge, about: Pick<Typed, 'kind' | 'subject'>): Keeper {
  /** Not said yet, or said in vain; `undefined`: there is nothing. */
  let next: TypedWords | null | undefined;
  /** Said last, while nobody knows whether the app has it. */
  let said: { readonly words: TypedWords | null; readonly stroke: Stroke } | undefined;
  /** Without an answer. */
  let calls = new Set<Stroke>();
  let closed = false;
  const note = (isFailing: boolean): void => {
    if (failing.peek().has(keeper) === isFailing) return;
    const others = new Set(failing.peek());
    if (isFailing) others.add(keeper);
    else others.delete(keeper);
    failing.value = others;
  };
  const tell = (words: TypedWords | null, stroke: Stroke): Promise<unknown> =>
    words === null
      ? bridge.call('typed.forget', { ...about, stroke })
      : bridge.call('typed.keep', { ...about, ...words, stroke });
  const say = async (words: TypedWords | null, stroke: Stroke): Promise<void> => {
    said = { words, stroke };
    const asked = calls.add(stroke);
    const isSaid = await tell(words, stroke).then(
      () => true,
      () => false,
    );
    // It was said again meanwhile.
    if (asked !== calls) return;
    calls.delete(stroke);
    const isLatest = said?.stroke === stroke;
    if (isLatest) said = undefined;
    // Said again with the next key, or when the app answers again.
    if (!isSaid && isLatest && next === undefined) next = words;
    note(!isSaid && next !== undefined && next !== null);
    if (isSaid) flush();
    if (closed && calls.size === 0 && next === undefined) end();
  };
  const flush = (): void => {
    if (next === undefined) return;
    const words = next;
    next = undefined;
    void say(words, nextStroke());
  };
  /** What has no answer may have been lost; by its stroke the app knows what it has, and what came after it. */
  const sayAgain = (): void => {
    calls = new Set();
    if (next === undefined && said !== undefined) void say(said.words, said.stroke);
    else flush();
  };
  const stopGaps = bridge.onGap(sayAgain);
  flushes.add(flush);
  const end = (): void => {
    stopGaps();
    flushes.delete(flush);
    note(false);
  };
  const keeper: Keeper = {
    keep(words) {
      next = words;
      if (calls.size < mostCalls) flush();
    },
    close() {
      closed = true;
      if (calls.size === 0 && next === undefined) end();
    },
  };
  return keeper;
}

/** What a page had in hand of a report when it ended. */
export interface LeftOver {
  readonly words: { readonly title: string; readonly sections: readonly Section[] };
  /** What they were typed over. */
  readonly base: MedicalRecord;
}

export async function leftOver(
  bridge: Bridge,
  typed: readonly Typed[],
  fresh: MedicalRecord | undefined,
): Promise<LeftOver | undefined> {
  const found = typed.find(({ kind, subject }) => kind === 'report' && subject === fresh?.id);
  if (!fresh || !found) return undefined;
  const { version = fresh.version, title = fresh.title, sections = fresh.sections } = found;
  const isUntouched = version === fresh.version && fresh.status === 'draft';
  const before = isUntouched
    ? fresh
    : await bridge.call('record.version', { id: fresh.id, n: version }).catch(() => null);
  return { words: { title, sections }, base: before ?? { ...fresh } };
}
