/**
 * Typed words stored in the browser while the app does not accept them. A page removes its own once the app has them;
 * those of a closed page are sent by the next page of the same person, before it reads typed words.
 */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal } from '@preact/signals';
import { createOrders } from '../../../../src/domain/in-order.ts';
import type { Bridge } from '../../../bridge/bridge.ts';
import type { TypedInput } from '../../../bridge/typed.ts';
import type { ShelvedWords, WordShelf } from '../../backlog/word-shelf.ts';
import { login } from '../bridge.ts';
import { pageName } from '../page-name.ts';
import { pageClock } from '../time/page-clock.ts';
import { withTimeout } from '../time/with-timeout.ts';

let shelf: WordShelf | undefined;
/**
 * The subjects of the words that this page has stored in the browser, each with the place that stored them last: a view that is closed
 * does not remove the words of the next one of the same subject.
 */
const own = signal<ReadonlyMap<string, OwnShelf>>(new Map());
const inOrder = createOrders<string>();
/** Whether words of this page are in this browser only. */
export const hasShelvedWords: ReadonlySignal<boolean> = computed(() => own.value.size > 0);

/** Sets the browser's storage. Without it, words that the app does not have are in this page only. */
export function setWordShelf(chosen: WordShelf, page = pageName): void {
  shelf = chosen;
  chosen.live(page);
}

export interface OwnShelf {
  /** Resolves to whether the browser stores the words. */
  keep(typed: TypedInput): Promise<boolean>;
  /** The app has the words, or there are none left. */
  forget(): Promise<void>;
}

/** The browser's storage for words of the person who is logged in. */
export function openShelf(about: Pick<TypedInput, 'kind' | 'subject'>, page = pageName): OwnShelf {
  const { desk } = login.peek();
  const name = `${about.kind} ${about.subject}`;
  const note = (isThere: boolean): void => {
    const others = [...own.peek()].filter(([each]) => each !== name);
    own.value = new Map(isThere ? [...others, [name, place]] : others);
  };
  const place: OwnShelf = {
    keep: (typed) =>
      inOrder(name, async () => {
        if (!shelf || desk === null) return false;
        await shelf.keep({ page, desk, typed });
        note(true);
        return true;
      }).catch(() => false),
    forget: () =>
      inOrder(name, async () => {
        if (!shelf || own.peek().get(name) !== place) return;
        await shelf.forget({ page, typed: about });
        note(false);
      }).catch(() => undefined),
  };
  return place;
}

/** Timeout for a browser whose storage does not answer, in ms. */
const patienceMs = 1000;

/** Typed words that are in no record yet. Rejects with the error of the app. */
export async function readTyped(bridge: Bridge): Promise<readonly TypedInput[]> {
  const { desk } = login.peek();
  const present = shelf;
  if (present && desk !== null) {
    const words = await withTimeout(pageClock, patienceMs, () => present.list(desk)).catch(() => []);
    for (const each of words.filter(({ page }) => page !== pageName))
      await present.ifGone(each.page, () => sendOne(bridge, present, each));
  }
  return (await bridge.call('typed.list', {})).items;
}

/** Newer words about the same subject from another page stay; the stored ones follow once these are saved. */
async function sendOne(bridge: Bridge, from: WordShelf, words: ShelvedWords): Promise<void> {
  const { items } = await bridge.call('typed.list', {});
  const { typed, page } = words;
  const present = items.find(({ kind, subject }) => kind === typed.kind && subject === typed.subject);
  if (present?.stroke && present.stroke.page !== page) return;
  await bridge.call('typed.keep', typed);
  await from.forget(words);
}
