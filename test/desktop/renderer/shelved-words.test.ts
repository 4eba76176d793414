/** Typed words that the app does not take are stored in the browser, and come to the app once, under the right login. */
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { TypedInput } from '../../../desktop/bridge/typed.ts';
import type { ShelvedWords, WordShelf } from '../../../desktop/renderer/backlog/word-shelf.ts';
import { setBridge, setPerson } from '../../../desktop/renderer/state/bridge.ts';
import { pageName } from '../../../desktop/renderer/state/page-name.ts';
import {
  hasShelvedWords,
  openShelf,
  readTyped,
  setWordShelf,
} from '../../../desktop/renderer/state/report/shelved-words.ts';
import { createKeeper, hasUnkeptWords } from '../../../desktop/renderer/state/report/typed.ts';
import { eventually } from '../../support/eventually.ts';

const about = { kind: 'text', subject: 'wli_1' } as const;
const typedBy = (page: string, text: string, at = 1): TypedInput => ({ ...about, text, stroke: { page, at } });
const isAbout = (one: TypedInput, other: TypedInput): boolean =>
  one.kind === other.kind && one.subject === other.subject;

/** A browser's shelf, of which some pages are alive. */
function memoryShelf() {
  let all: ShelvedWords[] = [];
  const alive = new Set<string>();
  const shelf: WordShelf & { keepsNothing: boolean; all(): readonly ShelvedWords[]; alive: Set<string> } = {
    keepsNothing: false,
    all: () => all,
    alive,
    async keep(words) {
      if (shelf.keepsNothing) throw new Error('This browser stores nothing.');
      await shelf.forget(words);
      all = [...all, words];
    },
    list: async (desk) => all.filter((words) => words.desk === desk),
    async forget({ page, typed }) {
      all = all.filter((words) => words.page !== page || !isAbout(words.typed, typed as TypedInput));
    },
    live: (page) => void alive.add(page),
    async ifGone(page, work) {
      if (!alive.has(page)) await work();
    },
  };
  return shelf;
}

/** The app, as far as it stores typed words. */
function app() {
  let stored: TypedInput[] = [];
  let isUp = true;
  const gaps = new Set<() => void>();
  const bridge: Bridge = {
    async call(name, input) {
      if (!isUp) throw { code: 'NETWORK', message: 'Laudio is not responding.' };
      const typed = input as unknown as TypedInput;
      if (name !== 'typed.list') stored = stored.filter((each) => !isAbout(each, typed));
      if (name === 'typed.keep') stored.push(typed);
      return { items: stored } as never;
    },
    on: () => () => undefined,
    onGap(listener) {
      gaps.add(listener);
      return () => void gaps.delete(listener);
    },
    address: (file) => file,
  };
  return {
    bridge,
    stored: () => stored.map(({ text }) => text),
    put: (typed: TypedInput) => void (stored = [typed]),
    goAway: () => void (isUp = false),
    comeBack() {
      isUp = true;
      for (const gap of gaps) gap();
    },
  };
}

let shelf: ReturnType<typeof memoryShelf>;
let laudio: ReturnType<typeof app>;
beforeEach(() => {
  shelf = memoryShelf();
  laudio = app();
  setWordShelf(shelf);
  setBridge(laudio.bridge);
  setPerson('ana');
});

function open() {
  const keeper = createKeeper(laudio.bridge, about);
  onTestFinished(() => {
    laudio.comeBack();
    keeper.keep(null);
    keeper.close();
  });
  return keeper;
}

test('words that the app has are never in the browser', async () => {
  const keeper = open();
  keeper.keep({ text: 'No effusion.' });
  await eventually(async () => expect(laudio.stored()).toEqual(['No effusion.']));
  expect(shelf.all()).toEqual([]);
});

test('words of an outage are in the browser, the newest alone, until the app has them', async () => {
  const keeper = open();
  laudio.goAway();
  for (const text of ['N', 'No', 'No effusion.']) keeper.keep({ text });
  await eventually(async () =>
    expect(shelf.all()).toMatchObject([{ page: pageName, desk: 'ana', typed: { ...about, text: 'No effusion.' } }]),
  );
  expect([hasShelvedWords.value, hasUnkeptWords.value]).toEqual([true, false]);
  laudio.comeBack();
  await eventually(async () => expect([laudio.stored(), shelf.all()]).toEqual([['No effusion.'], []]));
  expect(hasShelvedWords.value).toBe(false);
});

test('words that were deleted during an outage do not come back', async () => {
  const keeper = open();
  laudio.goAway();
  keeper.keep({ text: 'Wrong patient.' });
  await eventually(async () => expect(shelf.all()).toHaveLength(1));
  keeper.keep(null);
  await eventually(async () => expect(shelf.all()).toEqual([]));
  laudio.comeBack();
  expect(laudio.stored()).toEqual([]);
});

test('a view that is closed does not remove the words of the next one of the same subject', async () => {
  const [former, next] = [openShelf(about), openShelf(about)];
  await former.keep(typedBy(pageName, 'No eff', 1));
  await next.keep(typedBy(pageName, 'No effusion.', 2));
  await former.forget();
  expect(shelf.all()).toMatchObject([{ typed: { text: 'No effusion.' } }]);
  await next.forget();
  expect(shelf.all()).toEqual([]);
});

test('a browser that stores nothing has them in the page only, and the page says so', async () => {
  const keeper = open();
  shelf.keepsNothing = true;
  laudio.goAway();
  keeper.keep({ text: 'No effusion.' });
  await eventually(async () => expect([hasUnkeptWords.value, hasShelvedWords.value]).toEqual([true, false]));
});

test('the next page of the same person sends what a closed page left, and no other page does', async () => {
  const left: ShelvedWords = { page: 'old', desk: 'ana', typed: typedBy('old', 'No effusion.', 7) };
  await shelf.keep(left);
  laudio.put(typedBy('old', 'No eff', 5));

  shelf.live('old');
  expect(await readTyped(laudio.bridge)).toMatchObject([{ text: 'No eff' }]);
  shelf.alive.delete('old');
  setPerson('bruno');
  await readTyped(laudio.bridge);
  expect(shelf.all()).toEqual([left]);

  setPerson('ana');
  laudio.goAway();
  await expect(readTyped(laudio.bridge)).rejects.toMatchObject({ code: 'NETWORK' });
  expect(shelf.all()).toEqual([left]);
  laudio.comeBack();
  expect(await readTyped(laudio.bridge)).toMatchObject([{ text: 'No effusion.' }]);
  expect(shelf.all()).toEqual([]);
});

test('words that another page typed since then stay; those of the page that is gone come after them', async () => {
  await shelf.keep({ page: 'old', desk: 'ana', typed: typedBy('old', 'No effusion.', 7) });
  laudio.put(typedBy('newer', 'Effusion.', 1));
  expect(await readTyped(laudio.bridge)).toMatchObject([{ text: 'Effusion.' }]);
  expect(shelf.all()).toHaveLength(1);
  await laudio.bridge.call('typed.forget', about);
  expect(await readTyped(laudio.bridge)).toMatchObject([{ text: 'No effusion.' }]);
  expect(shelf.all()).toEqual([]);
});
