/**
 * People come and go at one page, and answers come late, in any order, as refusals, or never: everybody sees what is
 * theirs, hears of what they asked, and waits for nothing that another asked. What somebody typed stays theirs.
 */
import * as fc from '../../support/properties.ts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { showLanguage } from '../../../desktop/renderer/i18n/index.ts';
import { appBridge, bridge, setBridge } from '../../../desktop/renderer/state/bridge.ts';
import { dictations, putDictation } from '../../../desktop/renderer/state/recorder/dictations.ts';
import { followLogin } from '../../../desktop/renderer/state/follow-login.ts';
import { notices, notifyError } from '../../../desktop/renderer/state/notices.ts';
import { dismissRefused, refusedChanges } from '../../../desktop/renderer/state/refused.ts';
import { followSession } from '../../../desktop/renderer/state/session.ts';
import { changeSettings, settings } from '../../../desktop/renderer/state/settings.ts';
import { createKeeper } from '../../../desktop/renderer/state/report/typed.ts';
import { writtenItem } from '../../../desktop/renderer/state/report/writing.ts';
import {
  isRefreshing,
  isWhole,
  items,
  refreshWorklist,
  takeExam,
} from '../../../desktop/renderer/state/worklist/worklist.ts';
import { otherPerson } from '../../../desktop/bridge/session.ts';
import type { AppSettings } from '../../../desktop/bridge/settings.ts';
import type { BridgeError } from '../../../desktop/bridge/bridge.ts';
import type { CallName } from '../../../desktop/bridge/calls.ts';
import type { RefusedChange } from '../../../desktop/bridge/changes.ts';
import type { TypedInput } from '../../../desktop/bridge/typed.ts';
import {
  dictation,
  exams,
  scriptedBridge,
  session as sessionState,
  settings as anySettings,
} from './stories/scripted-bridge.ts';
import type { Script } from './stories/scripted-bridge.ts';

const people = ['ana', 'bruno'] as const;
type Person = (typeof people)[number];

const now = Date.parse('2026-03-02T15:00:00Z');
const examsOf = (person: Person) => exams(now, 3).map((exam) => ({ ...exam, id: `${person} ${exam.id}` }));
const refusedOf = (person: Person): RefusedChange => ({
  id: `${person} change`,
  kind: 'record.save',
  subject: 'rec_1',
  item_id: null,
  failed: false,
  code: 'NOT_FOUND',
  message: person,
  at: '2026-03-02T11:30:00.000Z',
  mine: null,
});

let revision = 0;
beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  // A page in front, as far as the state asks.
  vi.stubGlobal('window', new EventTarget());
  vi.stubGlobal('document', { hasFocus: () => true });
  await showLanguage('en-US');
});
afterAll(() => void vi.useRealTimers());
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/** The app takes each call at once, for whoever is logged in then; its answer waits until the test lets it go. */
async function startPage() {
  let here: Person | null = null;
  let isLocked = false;
  let isCalm = true;
  let isLost = false;
  const pending: { give(): void; refuse(): void }[] = [];
  const chosen: Record<Person, AppSettings> = {
    ana: anySettings({ template_id: 'ana' }),
    bruno: anySettings({ template_id: 'bruno' }),
  };
  const typed: Record<Person, TypedInput[]> = { ana: [], bruno: [] };
  const me = (): Person => {
    if (here === null || isLocked) throw { code: 'UNAUTHORIZED', message: 'Nobody is here.' } satisfies BridgeError;
    return here;
  };
  const read = <T>(value: T): T & { readonly revision: number } => ({ ...value, revision: ++revision });
  const state = () =>
    sessionState({
      phase: here === null ? 'logged-out' : isLocked ? 'locked' : 'ready',
      desk: here,
      user: here,
      revision: ++revision,
    });
  const app = scriptedBridge({
    'session.state': state,
    'worklist.list': ({ ids }) =>
      read({
        items: examsOf(me()).filter(({ id }) => ids?.includes(id) ?? true),
        as_of: '2026-03-02T15:00:00Z',
      }),
    'worklist.take': () => read({ outcome: 'taken', item: { ...examsOf(me())[0]!, version: 2 }, holder: null }),
    'dictation.list': () => read({ items: [dictation({ id: `${me()} dictation`, revision: ++revision })] }),
    'dictation.retry': () => dictation({ id: `${me()} dictation`, revision: ++revision }),
    'dictation.discard': () => read({}),
    'changes.refused': () => ({ items: [refusedOf(me())] }),
    'changes.dismiss': () => ({}),
    'settings.get': () => chosen[me()],
    'settings.set': (wished) => (chosen[me()] = wished),
    'typed.keep': (words) => {
      typed[me()].push(words);
      return {};
    },
  } satisfies Script);
  const { call } = app;
  app.call = async (name: CallName, ...rest) => {
    const asked = here;
    const [, , , desk = here] = rest;
    if (desk !== here)
      throw { code: 'FORBIDDEN', message: `${desk} asked`, details: { reason: otherPerson } } satisfies BridgeError;
    if (isLost && name !== 'session.state') return new Promise(() => undefined);
    const answer = await call(name, ...rest).then(
      (value) => () => value,
      (error: BridgeError) => () => Promise.reject<never>(error),
    );
    if (isCalm || name === 'session.state') return answer() as never;
    const waiting = Promise.withResolvers<unknown>();
    pending.push({
      give: () => waiting.resolve(answer()),
      refuse: () => waiting.reject({ code: 'SERVER_BUSY', message: `${asked} asked` } satisfies BridgeError),
    });
    return (await waiting.promise) as never;
  };
  setBridge(app);
  const endings = [await followSession(), followLogin()];

  const tell = async (): Promise<void> => {
    app.tell('session', state());
    await pass(0);
  };
  const told = (thrown: unknown): void => void notifyError(thrown as BridgeError);
  const acts = {
    refresh: () => refreshWorklist(),
    take: () => takeExam(`${here} wli_0`).then(() => undefined, told),
    choose: () => changeSettings({ theme: 'dark' }),
    dismiss: () => dismissRefused(`${here} change`).catch(told),
    retry: () =>
      bridge()
        .call('dictation.retry', { id: `${here} dictation` })
        .then(putDictation, told),
  } as const;
  return {
    app,
    typed,
    chosen,
    here: () => (isLocked ? null : here),
    async comes(person: Person | null): Promise<void> {
      here = person;
      isLocked = false;
      await tell();
    },
    /** By another tab; this page hears nothing of it. */
    slips(person: Person | null): void {
      here = person;
      isLocked = false;
    },
    async locks(): Promise<void> {
      isLocked = here !== null;
      await tell();
    },
    async asks(what: keyof typeof acts): Promise<void> {
      if (here !== null && !isLocked) void acts[what]();
      await pass(0);
    },
    async hears(): Promise<void> {
      if (here !== null && !isLocked)
        app.tell('item', { id: `${here} wli_1`, status: 'new', version: 5, change: 'updated' });
      await pass(0);
    },
    async settles(at: number, how: 'give' | 'refuse'): Promise<void> {
      const [one] = pending.splice(at % Math.max(1, pending.length), 1);
      one?.[how]();
      await pass(0);
    },
    /** Whatever is asked is answered at once. */
    calm(is: boolean): void {
      isCalm = is;
      isLost &&= !is;
    },
    /** The app gets nothing of what is asked. */
    loses(): void {
      isLost = !isLost;
    },
    close(): void {
      for (const end of endings) end();
    },
  };
}

/** Everything that is on the page, by whose it is. */
const shown = (): string[] => [
  ...(items.value?.keys() ?? []),
  ...dictations.value.map(({ id }) => id),
  ...refusedChanges.value.map(({ id }) => id),
  ...(settings.value ? [`${settings.value.template_id}`] : []),
  ...notices.value.map(({ text }) => text),
];

const person = fc.constantFrom(...people);
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ do: fc.constant('comes' as const), who: fc.option(person) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('locks' as const) }) },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('asks' as const),
      what: fc.constantFrom(
        'refresh' as const,
        'take' as const,
        'choose' as const,
        'dismiss' as const,
        'retry' as const,
      ),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('hears' as const, 'gap' as const, 'waits' as const) }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('settles' as const),
      at: fc.nat(20),
      how: fc.constantFrom('give' as const, 'give' as const, 'refuse' as const),
    }),
  },
);

test('each person sees only their own drafts, however late, and never waits for a predecessor', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 30 }), person, async (steps, last) => {
      const page = await startPage();
      try {
        page.calm(false);
        for (const each of steps) {
          if (each.do === 'comes') await page.comes(each.who);
          else if (each.do === 'locks') await page.locks();
          else if (each.do === 'asks') await page.asks(each.what);
          else if (each.do === 'hears') await page.hears();
          else if (each.do === 'settles') await page.settles(each.at, each.how);
          else if (each.do === 'waits') await pass(200);
          else page.app.gap();
          const others = people.filter((who) => who !== page.here());
          // What was said to somebody waits behind their locked screen.
          const told = page.here() === null ? shown().filter((text) => !text.endsWith(' asked')) : shown();
          expect(told.filter((text) => others.some((who) => text.startsWith(who)))).toEqual([]);
        }
        // Of all that was asked before, nothing is answered any more.
        await page.comes(null);
        expect([...shown(), isRefreshing.value]).toEqual([false]);
        page.calm(true);
        await page.comes(last);
        await pass(200);
        expect([...items.value!.keys()]).toEqual(examsOf(last).map(({ id }) => id));
        expect([isWhole.value, isRefreshing.value]).toEqual([true, false]);
        expect(dictations.value.map(({ id }) => id)).toEqual([`${last} dictation`]);
        expect(refusedChanges.value.map(({ id }) => id)).toEqual([`${last} change`]);
        await changeSettings({ theme: 'light' });
        expect([settings.value, page.chosen[last].theme]).toEqual([page.chosen[last], 'light']);
        await page.hears();
        await pass(200);
        expect(page.app.asked.at(-1)).toEqual({ name: 'worklist.list', input: { ids: [`${last} wli_1`] } });
        expect(notices.value).toEqual([]);
      } finally {
        await page.comes(null);
        page.close();
      }
    }),
    { numRuns: 150 },
  );
});

test('typed words are shown only under their own login, and losses are reported when the person returns', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom('type', 'give', 'refuse', 'bruno', 'nobody', 'ana', 'unheard', 'gap', 'lock', 'lose'), {
        maxLength: 20,
      }),
      async (steps) => {
        const page = await startPage();
        await page.comes('ana');
        page.calm(false);
        const keeper = createKeeper(bridge(), { kind: 'report', subject: 'rec_1' });
        let words = 0;
        for (const each of ['type', ...steps, 'type']) {
          if (each === 'type') {
            // Also by a field that is not gone from the screen yet.
            keeper.keep({ text: `ana ${++words}` });
            await pass(0);
          } else if (each === 'give' || each === 'refuse') await page.settles(words, each);
          else if (each === 'lock') await page.locks();
          else if (each === 'unheard') page.slips('bruno');
          else if (each === 'gap') page.app.gap();
          else if (each === 'lose') page.loses();
          else await page.comes(each === 'nobody' ? null : (each as Person));
        }
        page.calm(true);
        keeper.close();
        await page.comes('bruno');
        page.app.gap();
        await pass(0);
        expect(page.typed.bruno).toEqual([]);
        await page.comes('ana');
        expect(page.typed.ana.at(-1)?.text).toBe(`ana ${words}`);
        await page.comes(null);
        page.close();
      },
    ),
    { numRuns: 100 },
  );
});

test('a locked screen keeps drafts for its owner, and nothing for anybody else', async () => {
  const page = await startPage();
  await page.comes('ana');
  notifyError({ code: 'SERVER_BUSY', message: 'ana asked' });
  writtenItem.value = 'wli_1';
  await page.locks();
  await page.comes('ana');
  expect(notices.value.map(({ text }) => text)).toEqual(['ana asked']);
  expect(writtenItem.value).toBe('wli_1');
  await page.comes('bruno');
  expect([...notices.value, writtenItem.value]).toEqual([null]);
  await page.comes(null);
  page.close();
});

test('a page that did not hear of another login finds out by its next call, and is theirs then', async () => {
  const page = await startPage();
  await page.comes('ana');
  const hers = bridge();
  const keeper = createKeeper(hers, { kind: 'report', subject: 'rec_1' });
  page.slips('bruno');
  const before = page.app.asked.length;
  keeper.keep({ text: 'words of ana' });
  const list = vi.fn();
  hers.call('worklist.list', {}).then(list, list);
  await pass(200);
  expect(page.app.asked.filter(({ name }) => name === 'session.state')).toHaveLength(2);
  expect(page.app.asked[before]?.name).toBe('session.state');
  expect(page.typed).toEqual({ ana: [], bruno: [] });
  expect(list).not.toHaveBeenCalled();
  expect([...items.value!.keys()]).toEqual(examsOf('bruno').map(({ id }) => id));
  expect([settings.value, notices.value]).toEqual([page.chosen.bruno, []]);
  await page.comes('ana');
  await pass(0);
  expect(page.typed.ana.map(({ text }) => text)).toEqual(['words of ana']);
  keeper.close();
  await page.comes(null);
  page.close();
});

test('the bridge of an absent person asks nothing', async () => {
  const page = await startPage();
  await page.comes('ana');
  const hers = bridge();
  await page.comes('bruno');
  const before = page.app.asked.length;
  await expect(hers.call('worklist.list', {})).rejects.toMatchObject({ code: 'UNAUTHORIZED' });
  expect(page.app.asked).toHaveLength(before);
  await page.comes('ana');
  expect((await hers.call('worklist.list', {})).items).toHaveLength(3);
  expect(appBridge()).toBe(page.app);
  await page.comes(null);
  page.close();
});

test('a recorder shows its own speaker’s work; a returning person finds it again', async () => {
  vi.doMock('../../../desktop/renderer/audio/player.ts', () => ({
    pagePlayer: () => ({ play: async () => undefined, stop: () => undefined }),
  }));
  const { openRecorder: recorderOf } = await import('../../../desktop/renderer/state/recorder/recorders.ts');
  const page = await startPage();
  await page.comes('ana');
  const hers = recorderOf('wli_1');
  await hers.discard();
  expect(hers.state.peek().discarded).not.toBeNull();
  hers.setMode('append');
  await page.comes('bruno');
  const his = recorderOf('wli_1');
  expect(his).not.toBe(hers);
  expect(his.state.peek()).toMatchObject({ mode: 'insert', discarded: null });
  await page.comes('ana');
  expect(recorderOf('wli_1')).toBe(hers);
  await page.comes(null);
  page.close();
});
