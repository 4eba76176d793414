/** Answers and events come in any order; what the page shows in the end is what is so. */
import * as fc from '../../support/properties.ts';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { CallName } from '../../../desktop/bridge/calls.ts';
import type { Dictation } from '../../../desktop/bridge/dictation.ts';
import { defaultList } from '../../../desktop/bridge/list-settings.ts';
import type { SessionState } from '../../../desktop/bridge/session.ts';
import { setBridge, setPerson } from '../../../desktop/renderer/state/bridge.ts';
import {
  findDictation,
  followDictations,
  putDictation,
  removeDictation,
} from '../../../desktop/renderer/state/recorder/dictations.ts';
import { criticalRecords, followCritical } from '../../../desktop/renderer/state/critical.ts';
import { keys } from '../../../desktop/renderer/state/keys.ts';
import { createRevisionTracker } from '../../../desktop/renderer/state/time/revision-tracker.ts';
import { notices } from '../../../desktop/renderer/state/notices.ts';
import { dismissRefused, followRefused, refusedChanges } from '../../../desktop/renderer/state/refused.ts';
import { followSession, session as shownSession } from '../../../desktop/renderer/state/session.ts';
import { changeSettings, followSettings, settings as shownSettings } from '../../../desktop/renderer/state/settings.ts';
import { toggleStar } from '../../../desktop/renderer/state/worklist/saved-lists.ts';
import { chooseUpdates, followUpdates, updates } from '../../../desktop/renderer/state/updates.ts';
import { followWorklist, items, takeExam } from '../../../desktop/renderer/state/worklist/worklist.ts';
import {
  dictation as anyDictation,
  exams,
  refusal,
  scriptedBridge,
  session,
  settings,
} from './stories/scripted-bridge.ts';
import type { Script } from './stories/scripted-bridge.ts';

const settle = async (): Promise<void> => {
  for (let n = 0; n < 20; n++) await Promise.resolve();
};
const endings: (() => void)[] = [];
let ending = new AbortController();
afterEach(() => {
  ending.abort();
  ending = new AbortController();
  for (const end of endings.splice(0)) end();
  notices.value = [];
});

/** An app whose answers to one call come when the test lets them. */
function appThatWaits(script: Script, slow: CallName) {
  const bridge = scriptedBridge(script);
  const answers: { give(output: unknown): Promise<void>; refuse(): Promise<void> }[] = [];
  const { call } = bridge;
  bridge.call = async (name, ...rest) => {
    if (name !== slow) return call(name, ...rest);
    const waiting = Promise.withResolvers<unknown>();
    answers.push({
      give: (output) => (waiting.resolve(output), settle()),
      refuse: () => (waiting.reject(refusal('NETWORK', '')), settle()),
    });
    return (await waiting.promise) as never;
  };
  setBridge(bridge);
  setPerson('ana');
  return { bridge, answers };
}

const dictation = (state: Dictation['state'], revision: number, id = 'dic_1'): Dictation =>
  anyDictation({ id, state, revision });

describe('dictations', () => {
  test('a report that is there is not “waiting to be sent” because an answer came late', async () => {
    const { bridge } = appThatWaits(
      { 'dictation.list': () => ({ items: [dictation('paused', 1)] }) },
      'dictation.send',
    );
    await followDictations(ending.signal, () => undefined);
    for (const [at, state] of (['queued', 'sending', 'processing', 'done'] as const).entries())
      bridge.tell('dictation', dictation(state, at + 2));
    putDictation(dictation('queued', 2));
    expect(findDictation('wli_1')?.state).toBe('done');
  });

  test('a discarded dictation does not return through an earlier event', async () => {
    const { bridge } = appThatWaits(
      { 'dictation.list': () => ({ items: [dictation('paused', 1)] }) },
      'dictation.send',
    );
    await followDictations(ending.signal, () => undefined);
    bridge.tell('discarded', { id: 'dic_1', revision: 5 });
    bridge.tell('dictation', dictation('paused', 4));
    expect(findDictation('wli_1')).toBeNull();
    bridge.tell('dictation', dictation('paused', 6));
    expect(findDictation('wli_1')?.revision).toBe(6);
  });

  test('a list that was overtaken changes nothing that is newer, and a clock that was set back is believed', async () => {
    const { bridge, answers } = appThatWaits({}, 'dictation.list');
    const following = followDictations(ending.signal, () => undefined);
    bridge.tell('dictation', dictation('recording', 12));
    bridge.tell('dictation', { ...dictation('paused', 13, 'dic_2'), item_id: 'wli_2' });
    await answers[0]!.give({ items: [dictation('paused', 11)], revision: 11 });
    await following;
    expect([findDictation('wli_1')?.state, findDictation('wli_2')?.state]).toEqual(['recording', 'paused']);
    // Started again, an hour earlier.
    bridge.gap();
    await answers[1]!.give({ items: [dictation('paused', 2)], revision: 2 });
    expect([findDictation('wli_1')?.state, findDictation('wli_2')]).toEqual(['paused', null]);
    putDictation(dictation('recording', 1));
    expect(findDictation('wli_1')?.state).toBe('paused');
  });

  test('sound that can still be sent is shown before a later dictation that has become a report', async () => {
    const other = { ...dictation('done', 1, 'dic_2'), created_at: '2026-03-02T12:00:00.000Z' };
    const items = [dictation('paused', 1), other];
    appThatWaits({ 'dictation.list': () => ({ items }) }, 'dictation.send');
    await followDictations(ending.signal, () => undefined);
    expect(findDictation('wli_1')?.id).toBe('dic_1');
  });

  test('in whatever order events arrive, the last one counts', () => {
    const states = ['paused', 'recording', 'queued', 'sending', 'processing', 'failed', null] as const;
    const history = fc.array(fc.constantFrom(...states), { minLength: 1, maxLength: 12 });
    fc.assert(
      fc.property(
        history.chain((told) =>
          fc.tuple(fc.constant(told), fc.shuffledSubarray([...told.keys()], { minLength: told.length })),
        ),
        fc.uuid(),
        ([told, order], id) => {
          for (const at of order) {
            const state = told[at];
            if (state) putDictation({ ...dictation(state, at + 1, id), item_id: id });
            else removeDictation(id, at + 1);
          }
          expect(findDictation(id)?.state ?? null).toBe(told.at(-1));
        },
      ),
    );
  });
});

test('older answers lose against a complete reread, even for unknown objects', () => {
  const newest = createRevisionTracker();
  newest.isNews('a', 3);
  newest.readAll(5);
  expect([newest.isNews('a', 4), newest.isNews('b', 4)]).toEqual([false, false]);
  expect([newest.isNews('b', 5), newest.isNewer('b', 4)]).toEqual([true, true]);
});

describe('the worklist', () => {
  const list = exams(Date.parse('2026-03-02T15:00:00Z'), 3).map((item) => ({ ...item, status: 'new' as const }));

  test('an older list does not free a taken exam, nor remove a new one', async () => {
    const [first, second, third] = list;
    const { answers } = appThatWaits(
      {
        'worklist.take': () => ({
          outcome: 'taken',
          item: { ...first!, status: 'in_progress' },
          holder: null,
          revision: 7,
        }),
      },
      'worklist.list',
    );
    const following = followWorklist(ending.signal);
    await answers[0]!.give({ items: [first, second], as_of: null, revision: 1 });
    await answers[1]!.give({ items: [first, second], as_of: null, revision: 2 });
    await following;
    await takeExam(first!.id);
    // Asked for before.
    await answers[2]!.give({ items: [first, second, third], as_of: null, revision: 6 });
    expect([...items.value!.values()].map(({ status }) => status)).toEqual(['in_progress', 'new', 'new']);
  });
});

describe('the logged-in person', () => {
  const state = (phase: SessionState['phase'], revision: number) => session({ phase, revision });

  test('a screen that was locked stays locked, whatever is answered late', async () => {
    const { bridge, answers } = appThatWaits({}, 'session.state');
    const following = followSession();
    bridge.tell('session', state('locked', 9));
    await answers[0]!.give(state('ready', 8));
    endings.push(await following);
    expect(shownSession.value?.phase).toBe('locked');
    bridge.gap();
    await answers[1]!.give(state('ready', 2));
    expect(shownSession.value?.phase).toBe('ready');
  });
});

describe('settings', () => {
  test('are kept one after the other; a refused one leaves the others', async () => {
    const { answers, bridge } = appThatWaits({ 'settings.get': () => settings() }, 'settings.set');
    await followSettings(ending.signal);
    void changeSettings({ theme: 'dark' });
    void changeSettings({ upload_format: 'opus' });
    await settle();
    expect([shownSettings.value?.theme, shownSettings.value?.upload_format]).toEqual(['dark', 'opus']);
    expect(answers).toHaveLength(1);
    await answers[0]!.refuse();
    expect([shownSettings.value?.theme, shownSettings.value?.upload_format]).toEqual(['system', 'opus']);
    await answers[1]!.give(settings());
    expect([shownSettings.value?.theme, shownSettings.value?.upload_format]).toEqual(['system', 'opus']);
    expect(bridge.asked.filter(({ name }) => name === 'settings.set')).toEqual([]);
    expect(keys.value).toEqual(settings().keys);
  });
});

test('critical results: many news are one question, and the next person sees none of the former’s', async () => {
  vi.useFakeTimers();
  try {
    const { bridge, answers } = appThatWaits({}, 'critical.open');
    followCritical(ending.signal);
    await answers[0]!.give({ items: [{ id: 'rec_1', worklist_item_id: 'wli_1' }] });
    expect(criticalRecords.value).toHaveLength(1);
    for (let n = 0; n < 20; n++) bridge.tell('record', { id: 'rec_1', item_id: 'wli_1', version: n, deleted: false });
    await vi.advanceTimersByTimeAsync(1000);
    expect(answers).toHaveLength(2);
    ending.abort();
    expect(criticalRecords.value).toEqual([]);
    await answers[1]!.give({ items: [{ id: 'rec_1', worklist_item_id: 'wli_1' }] });
    expect(criticalRecords.value).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

test('settings that another window changed stay: a star of this one joins those of the other', async () => {
  const list = { ...defaultList, starred: ['wli_1'] };
  let kept = settings();
  setBridge(scriptedBridge({ 'settings.get': () => kept, 'settings.set': (next) => (kept = next) }));
  setPerson('ana');
  await followSettings(ending.signal);
  kept = { ...kept, theme: 'dark', list };
  toggleStar('wli_2');
  await settle();
  expect([kept.theme, kept.list.starred]).toEqual(['dark', ['wli_1', 'wli_2']]);
  expect(shownSettings.value).toEqual(kept);
});

test('newer versions: an event since the question is newer than its answer', async () => {
  const { bridge, answers } = appThatWaits({ 'updates.state': () => at('idle') }, 'updates.choose');
  const at = (phase: 'idle' | 'downloading') => ({ phase, channel: 'beta' as const, version: null });
  await followUpdates();
  const choosing = chooseUpdates('beta');
  bridge.tell('updates', at('downloading'));
  await answers[0]!.give(at('idle'));
  await choosing;
  expect(updates.value?.phase).toBe('downloading');
});

test('a refusal that was seen does not return through an older answer; a missed one does', async () => {
  const change = (id: string) => ({
    id,
    kind: 'record.save' as const,
    subject: 'rec_1',
    code: 'NOT_FOUND',
    message: '',
    at: '2026-03-02T11:30:00.000Z',
    mine: null,
  });
  const { bridge, answers } = appThatWaits({ 'changes.dismiss': () => ({}) }, 'changes.refused');
  const following = followRefused(ending.signal);
  await answers[0]!.give({ items: [change('a')] });
  await following;
  bridge.gap();
  await dismissRefused('a');
  await answers[1]!.give({ items: [change('a'), change('b')] });
  expect(refusedChanges.value.map(({ id }) => id)).toEqual(['b']);
});
