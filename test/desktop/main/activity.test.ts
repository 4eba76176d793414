import { expect, test } from 'vitest';
import type { App } from '../../../desktop/app/page/app.ts';
import type { AppEvent, Listener } from '../../../desktop/app/service.ts';
import { defaultKeys } from '../../../desktop/bridge/keys.ts';
import { defaultList } from '../../../desktop/bridge/list-settings.ts';
import type { AppSettings } from '../../../desktop/bridge/settings.ts';
import type { Dictation } from '../../../desktop/bridge/dictation.ts';
import type { SessionState } from '../../../desktop/bridge/session.ts';
import { followApp, nearestLanguage } from '../../../desktop/main/activity.ts';
import { AppError } from '../../../src/contract/errors.ts';

const settings: AppSettings = {
  theme: 'system',
  locale: 'es-ES',
  document_language: 'es-ES',
  template_id: null,
  microphone: null,
  upload_format: 'wav',
  live_words: true,
  voice_commands: true,
  spell_check: true,
  follow_viewer: false,
  anywhere: null,
  grace_seconds: 60,
  lock_after_minutes: 5,
  list: defaultList,
  keys: { ...defaultKeys },
};
const stateOf = (phase: SessionState['phase']): SessionState => ({
  phase,
  place: 'test',
  server: null,
  user: 'Dra. Teste',
  test_mode: true,
  online: true,
  waiting: 0,
  overdue: false,
  unsent: [],
  unsigned: [],
  needs_first_user: false,
  recogniser: 'simulated',
  role: null,
  pin: { has_pin: false, locked: false },
  sound_goes_to: null,
  proposes_impressions: false,
  text_goes_to: null,
  desk: 'desk_1',
  asks_code: false,
  places: ['this-computer', 'service', 'test'],
  revision: 0,
});
const dictationOf = (id: string, state: Dictation['state']) => ({ id, item_id: `item-of-${id}`, state }) as Dictation;

const turn = () => new Promise(setImmediate);

/** An app that answers what the shell asks, and tells what it is made to tell. */
function scene(phase: SessionState['phase'] = 'ready', listed: Dictation[] = []) {
  let tell: Listener = () => undefined;
  const asked: unknown[] = [];
  const answers: Record<string, (input: unknown) => unknown> = {
    'session.state': () => stateOf(phase),
    'settings.get': () => settings,
    'settings.set': (input) => input,
    'dictation.list': () => ({ items: listed }),
    'dictation.pause': () => {
      throw new AppError('UNAUTHORIZED');
    },
  };
  const app: App = {
    async call(name, input, bytes, desk) {
      asked.push(desk === undefined ? [name, input] : [name, input, bytes, desk]);
      return answers[name]?.(input);
    },
    on(listener) {
      tell = listener;
      return () => undefined;
    },
    file: async () => undefined,
  };
  const shown: number[] = [];
  const ready: string[] = [];
  const followed = followApp(app, {
    changed: ({ recording }) => shown.push(recording.length),
    documentReady: ({ item_id }) => ready.push(item_id),
  });
  const dictation = (id: string, state: Dictation['state']) =>
    tell({ name: 'dictation', data: dictationOf(id, state) } as AppEvent);
  const session = (next: SessionState['phase']) => tell({ name: 'session', data: stateOf(next) } as AppEvent);
  return { followed, asked, shown, ready, dictation, session };
}

test('a call of the page reaches the app whole, with whose it is', async () => {
  const { followed, asked } = scene();
  await followed.call('typed.list', {}, new Uint8Array(1), 'ana');
  expect(asked).toEqual([['typed.list', {}, new Uint8Array(1), 'ana']]);
});

test('the shell knows the person, the settings, and the running recordings', async () => {
  const { followed } = scene('ready', [dictationOf('d1', 'recording'), dictationOf('d2', 'paused')]);
  expect(followed.activity).toEqual({ session: undefined, settings: undefined, recording: [] });
  await followed.refresh();
  await turn();
  expect(followed.activity).toMatchObject({
    session: { phase: 'ready' },
    settings: { locale: 'es-ES' },
    recording: ['d1'],
  });
});

test('without a login, nothing is asked that would be refused', async () => {
  const { followed, asked } = scene('logged-out');
  await followed.refresh();
  await turn();
  expect(asked).toEqual([['session.state', {}]]);
});

test('settings count from the moment they are chosen', async () => {
  const { followed } = scene();
  await followed.refresh();
  await turn();
  await followed.call('settings.set', { ...settings, lock_after_minutes: 0 });
  expect(followed.activity.settings?.lock_after_minutes).toBe(0);
});

test('each take begins and ends once', async () => {
  const { followed, shown, dictation } = scene();
  await followed.refresh();
  await turn();
  shown.length = 0;
  for (const state of ['recording', 'recording', 'paused', 'queued'] as const) dictation('d1', state);
  expect(shown).toEqual([1, 0]);
});

test('waiting for quiet means waiting for every take', async () => {
  const { followed, dictation } = scene();
  let isQuiet = false;
  await followed.whenQuiet();
  dictation('d1', 'recording');
  dictation('d2', 'recording');
  const waiting = followed.whenQuiet().then(() => (isQuiet = true));
  dictation('d1', 'paused');
  await turn();
  expect(isQuiet).toBe(false);
  dictation('d2', 'failed');
  await waiting;
});

test('a take that can no longer be paused does not delay the end', async () => {
  const { followed, asked, dictation } = scene();
  dictation('d1', 'recording');
  await followed.pauseAll();
  expect(asked).toEqual([['dictation.pause', { id: 'd1' }]]);
});

test('a document is announced once, when it was made here', () => {
  const { ready, dictation } = scene();
  dictation('old', 'done');
  for (const state of ['sending', 'processing', 'done', 'done'] as const) dictation('d1', state);
  expect(ready).toEqual(['item-of-d1']);
});

test('a locked screen shows nothing, and unlocking looks again', async () => {
  const { followed, asked, dictation, session } = scene('ready', []);
  await followed.refresh();
  await turn();
  dictation('d1', 'recording');
  session('locked');
  expect(followed.activity.recording).toEqual([]);
  asked.length = 0;
  session('ready');
  await turn();
  expect(asked).toEqual([
    ['settings.get', {}],
    ['dictation.list', {}],
  ]);
  session('logged-out');
  expect(followed.activity.settings).toBeUndefined();
});

test.each([
  ['pt-BR', 'pt-BR'],
  ['pt-PT', 'pt-BR'],
  ['es-419', 'es-ES'],
  ['EN', 'en-US'],
  ['de-DE', 'en-US'],
  ['', 'en-US'],
])('a system in %s is spoken to in %s', (wanted, language) => {
  expect(nearestLanguage(wanted)).toBe(language);
});
