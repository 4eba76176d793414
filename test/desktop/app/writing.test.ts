/** Reports that are written and not dictated, with or without the service; and who is said to hear. */
import { expect, test, vi } from 'vitest';
import type { EnginesInUse } from '../../../src/contract/engine.ts';
import { bridgeTo, outsider, sendExam, startWorkplace } from '../../support/app-host.ts';

async function set() {
  const work = await startWorkplace();
  const bridge = bridgeTo(work.visit());
  await bridge.call('session.start', { place: 'test' });
  const ris = await outsider(work.server);
  const item_id = await sendExam(ris, { patient_name: 'ANÔNIMO^PACIENTE' });
  await bridge.call('worklist.list', { refresh: true });
  const stroke = { page: 'a', at: 2 };
  const text = 'New line in the right jugular vein. Period of apnea. Scratch that itch.';
  const sections = [
    { key: 'findings', title: 'Findings', text },
    { key: 'impression', title: 'Impression', text: 'Impression: ?fracture, .5 cm' },
  ];
  const write = () => bridge.call('record.write', { item_id, sections, language: 'en-US', template_id: null, stroke });
  const records = async () => (await ris.records.list({ query: { worklist_item_id: item_id } })).data.items;
  return { work, bridge, ris, item_id, text, sections, write, records };
}

test('typed sections become the report of their exam as they are, which is the writer’s; in test mode it names the patient', async () => {
  const { bridge, ris, item_id, text, sections, write, records } = await set();
  await bridge.call('typed.keep', { kind: 'text', subject: item_id, sections, stroke: { page: 'a', at: 1 } });
  expect(await write()).toEqual({ outcome: 'saved' });
  const [record] = await records();
  expect(record).toMatchObject({ status: 'draft', source: { kind: 'text' }, worklist_item_id: item_id });
  expect(record?.sections.map(({ key, text: words }) => [key, words])).toEqual([
    ['patient', 'Paciente Anônimo.'],
    ['technique', expect.any(String)],
    ['findings', text],
    ['impression', 'Impression: ?fracture, .5 cm'],
  ]);
  expect((await ris.worklists.get({ params: { id: item_id } })).data).toMatchObject({
    status: 'in_progress',
    assigned_to: 'Dra. Teste',
    record_id: record?.id,
  });
  expect(await bridge.call('typed.list', {})).toEqual({ items: [] });
});

test('without the service it waits, is shown as waiting, and is sent once', async () => {
  const { work, bridge, item_id, text, write, records } = await set();
  work.network.isUp = false;
  expect(await write()).toEqual({ outcome: 'queued' });
  const listed = () => bridge.call('record.for_item', { id: item_id });
  expect(await listed()).toMatchObject({ items: [], written: expect.stringContaining(text) });
  expect(await bridge.call('session.state', {})).toMatchObject({ waiting: 1 });
  work.network.isUp = true;
  await bridge.call('worklist.list', { refresh: true });
  await expect.poll(listed).toMatchObject({ items: [{ status: 'draft' }], written: null });
  expect(await records()).toHaveLength(1);
});

test('an exam that another person reported meanwhile gets no second report, and the words are kept', async () => {
  const { work, bridge, ris, item_id, text, sections, write } = await set();
  work.network.isUp = false;
  await write();
  const made = await ris.records.generate({ body: { text: `Test Patient. ${text}`, worklist_item_id: item_id } });
  await ris.records.update({ params: { id: made.data.id }, body: { status: 'final' } });
  work.network.isUp = true;
  await bridge.call('worklist.list', { refresh: true });
  await expect
    .poll(async () => (await bridge.call('changes.refused', {})).items)
    .toMatchObject([
      { kind: 'record.write', code: 'INVALID_TRANSITION', mine: { sections: expect.arrayContaining(sections) } },
    ]);
});

test('the page learns which recogniser is used, also while the service is away', async () => {
  const { work, bridge } = await set();
  await expect.poll(async () => (await bridge.call('session.state', {})).recogniser).toBe('simulated');
  work.network.isUp = false;
  const again = bridgeTo((await work.restart()).visit());
  expect(await again.call('session.state', {})).toMatchObject({ recogniser: 'simulated' });
});

test('the page learns where audio is sent, also while the service is away', async () => {
  const { work } = await set();
  const { transport } = work.server;
  vi.spyOn(work.server, 'transport').mockImplementation(async (request) => {
    const answer = await transport(request);
    if (!request.url.endsWith('/api/v1/engines')) return answer;
    const said = JSON.parse(await answer.text(100_000)) as { data: EnginesInUse };
    said.data.recogniser = { name: 'openai', simulated: false, sends_to: 'speech.example.com' };
    return { ...answer, text: async () => JSON.stringify(said) };
  });
  const remote = { recogniser: 'real', sound_goes_to: 'speech.example.com' };
  const next = await work.restart();
  const asked = bridgeTo(next.visit());
  await expect.poll(() => asked.call('session.state', {})).toMatchObject(remote);
  next.network.isUp = false;
  const again = bridgeTo((await next.restart()).visit());
  expect(await again.call('session.state', {})).toMatchObject(remote);
});
