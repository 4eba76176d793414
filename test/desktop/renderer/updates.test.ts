import { beforeEach, expect, test } from 'vitest';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { UpdateState } from '../../../desktop/bridge/updates.ts';
import { showAllWords } from './all-words.ts';
import { setBridge, setPerson } from '../../../desktop/renderer/state/bridge.ts';
import { notices } from '../../../desktop/renderer/state/notices.ts';
import { chooseUpdates, followUpdates, updates } from '../../../desktop/renderer/state/updates.ts';

const at = (phase: UpdateState['phase']): UpdateState => ({ phase, channel: 'stable', version: '0.2.0' });

/** An app that is in `state`, and tells what it is asked. */
function appIn(state: UpdateState) {
  const asked: unknown[] = [];
  let tell: (data: never) => void = () => undefined;
  setBridge({
    call: async (name, input) => {
      asked.push([name, input]);
      return (name === 'updates.restart' ? at('restarting') : state) as never;
    },
    on: (_name, listener) => {
      tell = listener;
      return () => undefined;
    },
    onGap: () => () => undefined,
    address: (file) => file,
  } satisfies Bridge);
  setPerson('ana');
  return { asked, tell: (next: UpdateState) => tell(next as never) };
}

beforeEach(async () => {
  notices.value = [];
  updates.value = undefined;
  await showAllWords('en-US');
});

test('a newer version is offered once, and the app ends when that is wished', async () => {
  const { asked, tell } = appIn(at('idle'));
  await followUpdates();
  expect(notices.value).toEqual([]);
  tell(at('downloading'));
  tell(at('ready'));
  tell(at('ready'));
  expect(notices.value.map(({ text, action }) => [text, action?.label])).toEqual([
    ['Version 0.2.0 is ready.', 'Restart to update'],
  ]);
  notices.value[0]?.action?.run();
  await new Promise(setImmediate);
  expect(asked.at(-1)).toEqual(['updates.restart', {}]);
  expect(updates.value?.phase).toBe('restarting');
});

test('a choice is sent to the app, whose answer shows', async () => {
  const { asked } = appIn({ ...at('idle'), channel: 'beta', version: null });
  await chooseUpdates('beta');
  expect(asked).toEqual([['updates.choose', { channel: 'beta' }]]);
  expect(updates.value?.channel).toBe('beta');
});

test('a page in a browser has nothing of it', async () => {
  appIn(at('elsewhere'));
  await followUpdates();
  expect(updates.value).toBeUndefined();
});
