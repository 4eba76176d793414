/** A signature under way: it never waits or fails silently. */
import { expect, test, vi } from 'vitest';
import { base, opened } from './report-service.ts';

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

test('words that were typed while it was being signed are a change of the report that is taken back, once', async () => {
  const { document, api } = await opened();
  const signing = { by: 'Anna', at: '2026-03-02T11:30:00.000Z', final_at: '2026-03-02T11:31:00.000Z' };
  api.answer('record.sign', () => ({ outcome: 'saved', record: { ...base, version: 2, signing } }));
  api.answer('record.take_back', () => ({ outcome: 'saved', record: { ...base, version: 2 } }));
  const answer = api.delay('record.sign');
  const signed = document.sign();
  await vi.waitFor(() => expect(api.called.map(({ name }) => name)).toContain('record.sign'));
  document.setText('findings', 'Lungs are clear. No effusion.');
  answer();
  await signed;
  await Promise.all([document.takeBack(), document.takeBack()]);
  expect(api.called.filter(({ name }) => name === 'record.take_back').length).toBe(1);
  expect([document.record.value?.signing, document.sections.value[0]?.text, document.saving.value]).toEqual([
    undefined,
    'Lungs are clear. No effusion.',
    'changed',
  ]);
});
