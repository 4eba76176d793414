import { expect, test } from 'vitest';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { RefusedChange } from '../../../desktop/bridge/changes.ts';
import { setBridge, setPerson } from '../../../desktop/renderer/state/bridge.ts';
import {
  dismissRefused,
  followRefused,
  refusedChanges,
  retryRefused,
  writtenText,
} from '../../../desktop/renderer/state/refused.ts';

const change = (id: string, mine: RefusedChange['mine'] = null): RefusedChange => ({
  id,
  kind: 'record.save',
  subject: 'rec_1',
  item_id: null,
  failed: false,
  code: 'NOT_FOUND',
  message: 'The report was deleted.',
  at: '2026-03-02T11:30:00.000Z',
  mine,
});

test('earlier and present refusals are shown until they are discarded or retried', async () => {
  let tell: (data: never) => void = () => undefined;
  const dismissed: unknown[] = [];
  setBridge({
    call: async (name, input) => {
      if (name === 'changes.dismiss') dismissed.push(input);
      return (name === 'changes.refused' ? { items: [change('a')] } : {}) as never;
    },
    on: (_name, listener) => {
      tell = listener;
      return () => undefined;
    },
    onGap: () => () => undefined,
    address: (file) => file,
  } satisfies Bridge);
  setPerson('ana');
  const ending = new AbortController();
  await followRefused(ending.signal);
  tell(change('b') as never);
  tell(change('b') as never);
  expect(refusedChanges.value.map(({ id }) => id)).toEqual(['a', 'b']);
  await dismissRefused('a');
  expect(refusedChanges.value.map(({ id }) => id)).toEqual(['b']);
  expect(dismissed).toEqual([{ id: 'a' }]);
  await retryRefused('b');
  expect(refusedChanges.value).toEqual([]);
  tell(change('b') as never);
  expect(refusedChanges.value.map(({ id }) => id)).toEqual(['b']);
  ending.abort();
  expect(refusedChanges.value).toEqual([]);
});

test('every word that was written can be copied', () => {
  const sections = [
    { key: 'findings', title: 'Findings', text: 'Clear.' },
    { key: 'impression', title: 'Impression', text: '' },
  ];
  expect(writtenText(change('a', { title: 'CT', sections }))).toBe('CT\n\nFindings\nClear.');
  expect(writtenText(change('a', { text: 'An addendum.' }))).toBe('An addendum.');
  expect(writtenText(change('a'))).toBe('');
});
