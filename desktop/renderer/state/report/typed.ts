/**
 * The app behind the page stores typed words with each key, so that none is lost when a page ends. While the app does
 * not accept them, the browser stores them.
 */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import type { MedicalRecord, Section } from '../../../../src/contract/document.ts';
import { createListeners } from '../../../../src/domain/listeners.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { Stroke } from '../../../bridge/shapes.ts';
import type { TypedInput } from '../../../bridge/typed.ts';
import { pageName } from '../page-name.ts';
import { setMember } from '../set-member.ts';
import { pageClock } from '../time/page-clock.ts';
import { openShelf } from './shelved-words.ts';

export type WordsToKeep = Omit<TypedInput, 'kind' | 'subject' | 'stroke'>;

export interface Keeper {
  /** Stores these words; `null`: there are none left to store. */
  keep(words: WordsToKeep | null): void;
  /** Closes the keeper once the app has all words. */
  close(): void;
}

/** Words, or their absence, with the stroke that made them. */
interface TypedAt {
  readonly words: WordsToKeep | null;
  readonly stroke: Stroke;
}

let strokes = 0;
/**
 * A stroke that is newer than all previous ones of this page. A call that makes words part of a record has one, too:
 * words typed before it that arrive later are older, so the app drops them.
 */
export const nextStroke = (): Stroke => ({ page: pageName, at: ++strokes });

/** Maximum number of concurrent calls; words typed meanwhile share the next call. */
const maxCalls = 4;

/** Words that the app does not have after this many ms are stored in the browser. */
const lateMs = 250;

/** Keepers whose words neither the app nor the browser has stored. */
const failing = signal<ReadonlySet<Keeper>>(new Set());
/** Whether typed words exist in this page only. */
export const hasUnkeptWords: ReadonlySignal<boolean> = computed(() => failing.value.size > 0);

/** The flush of each open keeper. */
const flushes = createListeners();
/** Sends unsent words at once, because the page is about to end. */
export const flushWords = (): void => flushes.notify();

export function createKeeper(bridge: Bridge, about: Pick<TypedInput, 'kind' | 'subject'>): Keeper {
  /** Words that were not sent, or whose call failed; `undefined`: none. */
  let next: TypedAt | undefined;
  /** The words sent last, until the app answers. */
  let said: TypedAt | undefined;
  /** Strokes of calls without an answer. */
  let calls = new Set<Stroke>();
  let closed = false;
  const place = openShelf(about);
  let isLooking = false;
  let isFailing = false;
  /** The words that the browser stored last. */
  let shelved: TypedAt | undefined;
  const note = (isUnkept: boolean): void => setMember(failing, keeper, isUnkept);
  /** The newest words, if the app does not have them. */
  const unsaid = (): TypedAt | undefined => {
    const newest = next ?? said;
    return newest?.words === null ? undefined : newest;
  };
  /** Stores late words in the browser, or removes words that the app has. */
  const look = async (): Promise<void> => {
    const late = unsaid();
    if (late === undefined) {
      shelved = undefined;
      note(false);
      return place.forget();
    }
    if (late === shelved) return;
    shelved = late;
    const isKept = await place.keep({ ...about, ...late.words, stroke: late.stroke });
    note(isFailing && !isKept && unsaid() !== undefined);
    if (unsaid() !== late) await look();
  };
  const lookSoon = (): void => {
    if (isLooking) return;
    isLooking = true;
    pageClock.schedule(pageClock.now() + lateMs, () => {
      isLooking = false;
      return look();
    });
  };
  const send = ({ words, stroke }: TypedAt): Promise<unknown> =>
    words === null
      ? bridge.call('typed.forget', { ...about, stroke })
      : bridge.call('typed.keep', { ...about, ...words, stroke });
  const say = async (typed: TypedAt): Promise<void> => {
    said = typed;
    const asked = calls.add(typed.stroke);
    const isSaid = await send(typed).then(
      () => true,
      () => false,
    );
    // The words were sent again in the meantime.
    if (asked !== calls) return;
    calls.delete(typed.stroke);
    const isLatest = said === typed;
    if (isLatest) said = undefined;
    // The next key sends them again, or the app's next answer does.
    if (!isSaid && isLatest && next === undefined) next = typed;
    isFailing = !isSaid;
    void look();
    if (isSaid) flush();
    if (closed && calls.size === 0 && next === undefined) end();
  };
  const flush = (): void => {
    if (next === undefined) return;
    const typed = next;
    next = undefined;
    void say(typed);
  };
  /** A call without an answer may be lost. The stroke shows the app whether it has these words or newer ones. */
  const resend = (): void => {
    calls = new Set();
    if (next === undefined && said !== undefined) void say(said);
    else flush();
  };
  const stopGaps = bridge.onGap(resend);
  const stopFlushing = flushes.add(flush);
  const end = (): void => {
    stopGaps();
    stopFlushing();
    note(false);
  };
  const keeper: Keeper = {
    keep(words) {
      next = { words, stroke: nextStroke() };
      if (calls.size < maxCalls) flush();
      lookSoon();
    },
    close() {
      closed = true;
      if (calls.size === 0 && next === undefined) end();
    },
  };
  return keeper;
}

/** Unsaved words of a report from a page that ended. */
export interface LeftOver {
  readonly words: { readonly title: string; readonly sections: readonly Section[] };
  /** The version in which they were typed. */
  readonly base: MedicalRecord;
}

export async function leftOver(
  bridge: Bridge,
  typed: readonly TypedInput[],
  fresh: MedicalRecord | undefined,
): Promise<LeftOver | undefined> {
  const left = typed.find(({ kind, subject }) => kind === 'report' && subject === fresh?.id);
  if (!fresh || !left) return undefined;
  const { version = fresh.version, title = fresh.title, sections = fresh.sections } = left;
  const isUntouched = version === fresh.version && fresh.status !== 'final';
  const before = isUntouched
    ? fresh
    : await bridge.call('record.version', { id: fresh.id, n: version }).catch(() => null);
  // If the version can't be read, its changes are unknown: everything is a conflict.
  return { words: { title, sections }, base: before ?? { ...fresh, version, title: '', sections: [] } };
}
