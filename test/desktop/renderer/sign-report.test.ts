/** A signature under way: it never waits or fails silently. */
import { expect, test } from 'vitest';
import { opened } from './report-service.ts';

test('a signature says that it waits, and why there is none', async () => {
  const { document, api, clock } = await opened();
  const answer = api.delay('record.sign');
  const signing = document.sign();
  expect(document.unanswered.value).toBe('sending');
  clock.advance(5000);
  expect(document.unanswered.value).toBe('unanswered');
  answer();
  await signing;
  expect(document.unanswered.value).toBeNull();
  const other = await opened();
  other.document.setText('findings', 'Ours.');
  other.api.refuse({ code: 'NETWORK', message: 'Away.' });
  expect([await other.document.sign(), other.document.unanswered.value]).toEqual(['unsaved', null]);
});
