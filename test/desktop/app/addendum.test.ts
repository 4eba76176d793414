/** An addendum: held back for the minute in which its author may take it back, typed or dictated. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { bridgeTo, outsider, sendExam, startWorkplace } from '../../support/app-host.ts';
import { eventually } from '../../support/eventually.ts';
import { sample } from '../../support/samples.ts';

async function begin() {
  const place = await startWorkplace();
  const bridge = bridgeTo(place.visit());
  await bridge.call('session.start', { place: 'test' });
  const ris = await outsider(place.server);
  const grace = async (grace_seconds: number) =>
    bridge.call('settings.set', { ...(await bridge.call('settings.get', {})), grace_seconds });
  const item = await sendExam(ris);
  const body = { text: 'Test Patient. Findings: lungs are clear.', mode: 'sync' as const, worklist_item_id: item };
  const { id } = (await ris.records.generate({ body })).data;
  await ris.records.update({ params: { id }, body: { status: 'final' } });
  const stored = async () => (await ris.records.get({ params: { id } })).data.sections.map(({ text }) => text);
  return { bridge, grace, id, item, stored };
}

test('it is shown at once, taken back with its text, and sent at the end of its time', async () => {
  const { bridge, grace, id, stored } = await begin();
  await grace(60);
  const addendum = { id, title: 'Addendum', text: 'Seen again.' };
  const { outcome, record } = await bridge.call('record.addendum', addendum);
  expect([outcome, record.status, record.signing?.by]).toEqual(['saved', 'final', 'Dra. Teste']);
  expect(record.sections.at(-1)?.text).toBe('Seen again.');
  expect(await stored()).not.toContain('Seen again.');
  // It waits for its author and not for the network.
  expect(await bridge.call('session.state', {})).toMatchObject({ waiting: 0, unsent: [] });

  const back = await bridge.call('record.take_back', { id });
  expect([back.record.signing, back.record.sections.length]).toEqual([undefined, (await stored()).length]);
  expect((await bridge.call('typed.list', {})).items).toMatchObject([{ kind: 'addendum', text: 'Seen again.' }]);

  // Words of another window are not lost to those of the addendum.
  await bridge.call('typed.keep', { kind: 'addendum', subject: id, text: 'Compared.', stroke: { page: 'b', at: 1 } });
  await bridge.call('record.addendum', { ...addendum, stroke: { page: 'a', at: 1 } });
  await bridge.call('record.take_back', { id });
  const { items } = await bridge.call('typed.list', {});
  expect(items.map(({ text }) => text)).toEqual(['Seen again.\n\nCompared.']);

  await grace(1);
  await bridge.call('record.addendum', addendum);
  await eventually(async () => expect((await stored()).at(-1)).toBe('Seen again.'));
  await eventually(async () => expect((await bridge.call('record.get', { id })).signing).toBeUndefined());
  expect((await bridge.call('record.signature', { id })).addenda).toMatchObject([{ who: 'Dra. Teste' }]);
});

test('it is dictated: a spoken clip becomes written text', async () => {
  const { bridge, item } = await begin();
  const wav = new Uint8Array(await readFile(sample('dictation.wav')));
  const spoken = await bridge.call('speech.write', { item_id: item, language: 'en-US' }, wav.buffer);
  expect(spoken.text).toMatch(/\p{L}/u);
  // Other programs get text that is about no exam.
  const other = await bridge.call('speech.write', { item_id: null, language: 'en-US' }, wav.buffer);
  expect(other.text).toMatch(/\p{L}/u);
});
