/** Newer versions of the app, with a library that does what it is told and a clock that stands still. */
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { UpdateState } from '../../../desktop/bridge/updates.ts';
import { createUpdates, mayAsk } from '../../../desktop/main/updates.ts';
import type { Updater } from '../../../desktop/main/updates.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';

const hour = 3_600_000;
const turn = () => new Promise(setImmediate);

/** Downloads end when `finish` is called, or when they are stopped. */
function fakeUpdater(version: string | undefined = '0.2.0') {
  let end = Promise.withResolvers<void>();
  const done: string[] = [];
  const updater: Updater = {
    async check(channel) {
      done.push(`check ${channel}`);
      return version;
    },
    download(signal) {
      done.push('download');
      end = Promise.withResolvers();
      signal.addEventListener('abort', () => {
        done.push('stop');
        end.reject(new Error('cancelled'));
      });
      return end.promise;
    },
    installAtQuit: (wanted) => void done.push(`at quit: ${wanted}`),
    installNow: () => void done.push('install'),
  };
  return { updater, done, finish: () => end.resolve(), fail: (error: unknown) => end.reject(error) };
}

async function scene({ updater, path }: { updater?: Updater | undefined; path?: string } = {}) {
  const clock = manualClock(Date.parse('2026-03-02T11:30:00Z'));
  const file = path ?? join(await temporaryDirectory(), 'updates.json');
  const work = { recording: false, sealed: Promise.withResolvers<void>(), quits: 0 };
  const logged: unknown[] = [];
  const shown: UpdateState[] = [];
  const load = vi.fn(async () => updater!);
  const updates = await createUpdates({
    clock,
    log: (entry) => void logged.push(entry),
    path: file,
    updater: updater && load,
    isRecording: () => work.recording,
    whenSealed: () => work.sealed.promise,
    onChange: (state) => void shown.push(state),
    quit: () => (work.quits += 1),
  });
  onTestFinished(() => updates.close());
  const record = (recording: boolean): void => {
    work.recording = recording;
    updates.recordingChanged();
  };
  return { clock, work, logged, shown, load, updates, record, file };
}

test('a newer version is asked for at the start, fetched, and installed at the end', async () => {
  const { updater, done, finish } = fakeUpdater();
  const { updates, shown, load } = await scene({ updater });
  expect(load).not.toHaveBeenCalled();
  updates.start();
  await turn();
  expect(done).toEqual(['check stable', 'download']);
  finish();
  await turn();
  expect(done.at(-1)).toBe('at quit: true');
  expect(shown.map(({ phase, version }) => [phase, version])).toEqual([
    ['downloading', '0.2.0'],
    ['ready', '0.2.0'],
  ]);
  // The end of the app is its own then: the library installs after it.
  expect(updates.finish()).toBe(false);
});

test('it is asked again every few hours, until there is one', async () => {
  const { updater, done } = fakeUpdater('');
  const newest: Updater = { ...updater, check: async () => (await updater.check('stable'), undefined) };
  const { updates, clock } = await scene({ updater: newest });
  updates.start();
  for (const _ of [1, 2, 3]) {
    await turn();
    clock.advance(4 * hour);
  }
  await turn();
  expect(done).toEqual(['check stable', 'check stable', 'check stable', 'check stable']);
  expect(updates.state).toEqual({ phase: 'idle', channel: 'stable', version: null });
});

test('nothing is asked while a dictation is recorded; it is afterwards', async () => {
  const { updater, done } = fakeUpdater();
  const { updates, clock, record, load } = await scene({ updater });
  record(true);
  updates.start();
  clock.advance(5 * hour);
  await turn();
  expect([done, load.mock.calls]).toEqual([[], []]);
  record(false);
  await turn();
  expect(done).toEqual(['check stable', 'download']);
});

test('a download gives way to a recording, and begins again after it', async () => {
  const { updater, done, finish } = fakeUpdater();
  const { updates, record, logged } = await scene({ updater });
  updates.start();
  await turn();
  record(true);
  await turn();
  expect(done).toEqual(['check stable', 'download', 'stop']);
  expect(updates.state.phase).toBe('idle');
  record(false);
  await turn();
  finish();
  await turn();
  expect(done.slice(3)).toEqual(['check stable', 'download', 'at quit: true']);
  expect(updates.state.phase).toBe('ready');
  expect(logged).toEqual([]);
});

test('a restart waits until every dictation is sealed, and installs as the last step', async () => {
  const { updater, done, finish } = fakeUpdater();
  const { updates, work } = await scene({ updater });
  updates.restart();
  expect(updates.state.phase).toBe('idle');
  updates.start();
  await turn();
  finish();
  await turn();
  updates.restart();
  await turn();
  expect([updates.state.phase, work.quits]).toEqual(['restarting', 0]);
  work.sealed.resolve();
  await turn();
  expect([work.quits, done.includes('install')]).toEqual([1, false]);
  expect(updates.finish()).toBe(true);
  expect(done.at(-1)).toBe('install');
});

test('the channel is kept, and "off" asks and installs nothing', async () => {
  const { updater, done, finish } = fakeUpdater();
  const first = await scene({ updater });
  first.updates.start();
  await turn();
  await first.updates.choose('beta');
  await turn();
  expect(done).toEqual(['check stable', 'download', 'stop', 'at quit: true', 'check beta', 'download']);
  finish();
  await turn();
  await first.updates.choose('off');
  expect(done.at(-1)).toBe('at quit: false');
  expect(first.updates.state).toEqual({ phase: 'idle', channel: 'off', version: null });

  const next = fakeUpdater();
  const second = await scene({ updater: next.updater, path: first.file });
  second.updates.start();
  second.clock.advance(24 * hour);
  await turn();
  expect([next.done, second.updates.state.channel]).toEqual([[], 'off']);
  await second.updates.choose('stable');
  await turn();
  expect(next.done).toEqual(['check stable', 'download']);
});

test('a package without an address says so', async () => {
  const { updates, clock, shown } = await scene();
  updates.start();
  clock.advance(24 * hour);
  updates.restart();
  await turn();
  expect(updates.state).toEqual({ phase: 'unpublished', channel: 'stable', version: null });
  expect(shown).toEqual([]);
});

test.each([
  [Object.assign(new Error('GET https://updates.example/latest.yml'), { code: 'ERR_UPDATER_X' }), 'ERR_UPDATER_X'],
  [Object.assign(new Error('no'), { code: 'https://updates.example' }), 'UNKNOWN'],
  [new Error('net::ERR_NAME_NOT_RESOLVED'), 'UNKNOWN'],
])('a failure is a code in the log, no word to the person, and tried again later: %s', async (error, code) => {
  const { updater, done, fail } = fakeUpdater();
  const { updates, logged, clock } = await scene({ updater });
  updates.start();
  await turn();
  fail(error);
  await turn();
  expect(logged).toEqual([{ level: 'warn', event: 'update_failed', code }]);
  expect(updates.state.phase).toBe('idle');
  clock.advance(4 * hour);
  await turn();
  expect(done).toEqual(['check stable', 'download', 'check stable', 'download']);
});

test('programs that will run here are not downloaded over an unencrypted connection', () => {
  expect(mayAsk('provider: generic\nurl: https://updates.example/laudio\nupdaterCacheDirName: laudio-updater\n')).toBe(
    true,
  );
  expect(mayAsk('provider: github\nowner: laudio\nrepo: laudio\n')).toBe(true);
  expect(mayAsk("provider: generic\nurl: 'http://updates.example/laudio'\n")).toBe(false);
  expect(mayAsk('provider: generic\nurl: HTTP://updates.example\n')).toBe(false);
  expect(mayAsk('')).toBe(false);
});
