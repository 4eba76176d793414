/** What a person does without a network comes to the same as with one. */
import * as fc from '../../support/properties.ts';
import { describe, expect, test, vi } from 'vitest';
import type { Bridge } from '../../../desktop/bridge/bridge.ts';
import type { Client } from '../../../src/client/client.ts';
import { bridgeTo, outsider, sendExam, startWorkplace } from '../../support/app-host.ts';
import type { Workplace } from '../../support/app-host.ts';
import { eventually } from '../../support/eventually.ts';

const text = 'Test Patient. Findings: lungs are clear. Impression: normal examination.';

interface Scene {
  readonly place: Workplace;
  readonly bridge: Bridge;
  readonly ris: Client;
}

async function begin(): Promise<Scene> {
  const place = await startWorkplace();
  const bridge = bridgeTo(place.visit());
  await bridge.call('session.start', { place: 'test' });
  // What is signed is final at once: addenda follow.
  await bridge.call('settings.set', { ...(await bridge.call('settings.get', {})), grace_seconds: 0 });
  return { place, bridge, ris: await outsider(place.server) };
}

/** Until nothing waits to be sent. */
const settled = (bridge: Bridge): Promise<void> =>
  eventually(async () => expect(await bridge.call('session.state', {})).toMatchObject({ waiting: 0, online: true }));

async function document(ris: Client, worklist_item_id?: string): Promise<string> {
  const body = { text, mode: 'sync' as const, ...(worklist_item_id !== undefined && { worklist_item_id }) };
  const { data } = await ris.records.generate({ body });
  return data.id;
}

const sections = (words: string) => [{ key: 'findings', title: 'Findings', text: words }];

describe('without a network', () => {
  test('the list is there, with its age, also after a restart', async () => {
    const { place, bridge, ris } = await begin();
    const id = await sendExam(ris);
    const { as_of } = await bridge.call('worklist.list', { refresh: true });
    place.network.isUp = false;
    const again = bridgeTo((await place.restart()).visit());
    const list = await again.call('worklist.list', {});
    expect(list.items.map((item) => item.id)).toEqual([id]);
    expect(list.as_of).toBe(as_of);
    expect((await again.call('worklist.list', { refresh: true })).as_of).toBe(as_of);
    expect(await again.call('session.state', {})).toMatchObject({ phase: 'ready', online: false });
  });

  test('an exam is taken, shown as taken, and synchronised when the network is back', async () => {
    const { place, bridge, ris } = await begin();
    const id = await sendExam(ris);
    await bridge.call('worklist.list', { refresh: true });
    place.network.isUp = false;
    expect(await bridge.call('worklist.take', { id })).toMatchObject({
      outcome: 'queued',
      item: { status: 'in_progress', assigned_to: 'Dra. Teste' },
    });
    expect(await bridge.call('session.state', {})).toMatchObject({ waiting: 1, online: false });
    place.network.isUp = true;
    await settled(bridge);
    expect((await ris.worklists.get({ params: { id } })).data).toMatchObject({
      status: 'in_progress',
      assigned_to: 'Dra. Teste',
    });
  });

  test('edits follow each other, then the signature and an addendum, through a restart', async () => {
    const { place, bridge, ris } = await begin();
    const id = await document(ris);
    const { version } = await bridge.call('record.get', { id });
    place.network.isUp = false;
    expect(await bridge.call('record.save', { id, version, sections: sections('one') })).toMatchObject({
      outcome: 'queued',
    });
    expect(await bridge.call('record.save', { id, version, sections: sections('two') })).toMatchObject({
      outcome: 'queued',
    });
    const next = await place.restart();
    const again = bridgeTo(next.visit());
    expect((await again.call('record.get', { id })).sections).toEqual(sections('two'));
    expect(await again.call('record.sign', { id, version })).toMatchObject({
      outcome: 'queued',
      record: { status: 'draft', sections: sections('two') },
    });
    // What the service does not have is not signed.
    expect(await again.call('session.state', {})).toMatchObject({ unsent: [id], unsigned: [id] });
    await again.call('record.addendum', { id, title: 'Addendum', text: 'seen again' });
    place.network.isUp = true;
    await settled(again);
    const { data } = await ris.records.get({ params: { id } });
    expect(data.status).toBe('final');
    expect(data.sections.map((section) => section.text)).toEqual(['two', 'seen again']);
    expect(await again.call('changes.refused', {})).toEqual({ items: [] });
    expect(await again.call('session.state', {})).toMatchObject({ unsent: [], unsigned: [] });
  });

  test('an answer that was lost makes no second change', async () => {
    const { place, bridge, ris } = await begin();
    const id = await document(ris);
    const { version } = await bridge.call('record.get', { id });
    await bridge.call('record.sign', { id, version });
    const { transport } = place.server;
    let lost = 0;
    vi.spyOn(place.server, 'transport').mockImplementation(async (request) => {
      const answer = await transport(request);
      if (request.method !== 'PUT' || lost++ > 0) return answer;
      place.network.isUp = false;
      return {
        ...answer,
        text: async () => {
          throw new (await import('../../../src/contract/errors.ts')).AppError('NETWORK');
        },
      };
    });
    expect(await bridge.call('record.addendum', { id, title: 'Addendum', text: 'once' })).toMatchObject({
      outcome: 'queued',
    });
    place.network.isUp = true;
    await settled(bridge);
    const { data } = await ris.records.get({ params: { id } });
    expect(data.sections.filter(({ key }) => key === 'addendum')).toHaveLength(1);
  });

  test('two addenda of the same words are two, whatever was refused between them', async () => {
    const { place, bridge, ris } = await begin();
    const id = await document(ris);
    const { version } = await bridge.call('record.get', { id });
    place.network.isUp = false;
    await bridge.call('record.sign', { id, version });
    await bridge.call('record.addendum', { id, title: 'Addendum', text: 'seen again' });
    // A signed document takes none.
    await bridge.call('record.save', { id, version, sections: sections('too late') }).catch(() => undefined);
    await bridge.call('record.addendum', { id, title: 'Addendum', text: 'seen again' });
    place.network.isUp = true;
    await settled(bridge);
    const { data } = await ris.records.get({ params: { id } });
    expect(data.sections.slice(-2).map(({ text: words }) => words)).toEqual(['seen again', 'seen again']);
  });

  test('another person’s changes are not overwritten, and no typed text is lost', async () => {
    const { place, bridge, ris } = await begin();
    const id = await document(ris);
    const { version } = await bridge.call('record.get', { id });
    place.network.isUp = false;
    await bridge.call('record.save', { id, version, sections: sections('mine') });
    await ris.records.update({ params: { id }, body: { sections: sections('theirs') } });
    place.network.isUp = true;
    await settled(bridge);
    const { items } = await bridge.call('changes.refused', {});
    expect(items).toMatchObject([
      { kind: 'record.save', subject: id, code: 'VERSION_CONFLICT', mine: { sections: sections('mine') } },
    ]);
    expect((await bridge.call('record.get', { id })).sections).toEqual(sections('theirs'));
    await bridge.call('changes.dismiss', { id: items[0]!.id });
    expect(await bridge.call('changes.refused', {})).toEqual({ items: [] });
  });
});

describe('with a network', () => {
  test('of two people who change one document, the second sees both versions', async () => {
    const { bridge, ris } = await begin();
    const id = await document(ris);
    const { version } = await bridge.call('record.get', { id });
    await ris.records.update({ params: { id }, body: { sections: sections('theirs') } });
    const outcome = await bridge.call('record.save', { id, version, sections: sections('mine') });
    expect(outcome).toMatchObject({
      outcome: 'conflict',
      record: { sections: sections('mine') },
      theirs: { sections: sections('theirs') },
    });
    const mine = await bridge.call('record.save', { id, version: outcome.theirs!.version, sections: sections('mine') });
    expect(mine).toMatchObject({ outcome: 'saved', record: { sections: sections('mine') } });
  });

  test('saves in quick succession do not block each other', async () => {
    const { bridge, ris } = await begin();
    const id = await document(ris);
    const { version } = await bridge.call('record.get', { id });
    const saved = await Promise.all(
      ['a', 'b', 'c'].map((words) => bridge.call('record.save', { id, version, sections: sections(words) })),
    );
    expect(saved.map(({ outcome }) => outcome)).toEqual(['saved', 'saved', 'saved']);
    expect((await ris.records.get({ params: { id } })).data.sections).toEqual(sections('c'));
  });

  test('documents of an exam are found', async () => {
    const { bridge, ris } = await begin();
    const [now, other] = [await sendExam(ris, { patient_id: 'P1' }), await sendExam(ris, { patient_id: 'P2' })];
    const [present] = [await document(ris, now), await document(ris, other)];
    expect((await bridge.call('record.for_item', { id: now })).items.map(({ id }) => id)).toEqual([present]);
  });

  test('the priors of an exam that were read stay, offline too, and others say that they need the service', async () => {
    const { bridge, ris, place } = await begin();
    const [now, before] = [
      await sendExam(ris, { patient_id: 'P7' }),
      await sendExam(ris, { patient_id: 'P7', exam_datetime: '2024-01-02T08:00:00-03:00' }),
    ];
    const id = await document(ris, before);
    // A draft is nobody's prior.
    expect((await bridge.call('prior.list', { id: now })).items).toEqual([]);
    await ris.records.update({ params: { id }, body: { status: 'final' } });
    const online = await bridge.call('prior.list', { id: now });
    expect(online).toMatchObject({ kept: false, items: [{ id, exam_datetime: '2024-01-02T08:00:00-03:00' }] });
    const prior = await bridge.call('prior.get', { id });
    place.network.isUp = false;
    expect(await bridge.call('prior.list', { id: now })).toEqual({ ...online, kept: true });
    expect(await bridge.call('prior.get', { id })).toEqual(prior);
    await expect(bridge.call('prior.list', { id: before })).rejects.toMatchObject({ code: 'NETWORK' });
  });
});

const step = fc.oneof(
  fc.record({ do: fc.constant('take' as const) }),
  fc.record({ do: fc.constant('release' as const) }),
  fc.record({ do: fc.constant('save' as const), words: fc.constantFrom('a', 'b', 'c') }),
  fc.record({ do: fc.constant('sign' as const) }),
  fc.record({ do: fc.constant('addendum' as const), words: fc.constantFrom('x', 'y') }),
);

test('going offline and online in any pattern ends as being online throughout', async () => {
  const online = await begin();
  const changing = await begin();
  const play = async (
    { bridge, ris, place }: Scene,
    steps: readonly { step: typeof step extends fc.Arbitrary<infer T> ? T : never; up: boolean }[],
    falters: boolean,
  ) => {
    const exam = await sendExam(ris);
    const id = await document(ris);
    await bridge.call('worklist.list', { refresh: true });
    let { version } = await bridge.call('record.get', { id });
    for (const { step: each, up } of steps) {
      if (falters) place.network.isUp = up;
      const made = async (): Promise<{ record?: { version: number } } | void> => {
        if (each.do === 'take') return void (await bridge.call('worklist.take', { id: exam }));
        if (each.do === 'release') return void (await bridge.call('worklist.set_status', { id: exam, status: 'new' }));
        if (each.do === 'save') return bridge.call('record.save', { id, version, sections: sections(each.words) });
        if (each.do === 'sign') return bridge.call('record.sign', { id, version });
        return bridge.call('record.addendum', { id, title: 'Addendum', text: each.words });
      };
      // What the document does not allow is refused, at once or later.
      const outcome = await made().catch(() => undefined);
      if (outcome?.record) version = outcome.record.version;
    }
    place.network.isUp = true;
    await settled(bridge);
    const { data } = await ris.records.get({ params: { id } });
    const item = (await ris.worklists.get({ params: { id: exam } })).data;
    return { status: data.status, sections: data.sections, exam: item.status, holder: item.assigned_to };
  };
  await fc.assert(
    fc.asyncProperty(fc.array(fc.record({ step, up: fc.boolean() }), { minLength: 1, maxLength: 6 }), async (steps) => {
      expect(await play(changing, steps, true)).toEqual(await play(online, steps, false));
    }),
    { numRuns: 6 },
  );
});

test('a change that the service keeps failing blocks nothing else, is never signed over, and can be retried', async () => {
  const { place, bridge, ris } = await begin();
  const [failing, other, exam] = [await document(ris), await document(ris), await sendExam(ris)];
  await bridge.call('worklist.list', { refresh: true });
  const { faults } = place.server;
  faults.add({ name: 'defect', method: 'PUT', path: `/api/v1/medical-records/${failing}`, status: 500 });
  const { version } = await bridge.call('record.get', { id: failing });
  const save = (id: string) => bridge.call('record.save', { id, version, sections: sections('mine') });
  expect(await save(failing)).toMatchObject({ outcome: 'queued', record: { sections: sections('mine') } });
  expect(await bridge.call('record.sign', { id: failing, version })).toMatchObject({
    outcome: 'queued',
    record: { status: 'draft' },
  });
  expect(await save(other)).toMatchObject({ outcome: 'saved' });
  expect(await bridge.call('worklist.take', { id: exam })).toMatchObject({ outcome: 'taken' });
  expect(await bridge.call('session.state', {})).toMatchObject({ unsent: [failing], unsigned: [failing] });

  // Each return of the service is another try.
  await eventually(async () => {
    for (const isUp of [false, true]) {
      place.network.isUp = isUp;
      await bridge.call('worklist.list', { refresh: true });
    }
    expect(await bridge.call('session.state', {})).toMatchObject({ waiting: 0 });
  });
  const { items } = await bridge.call('changes.refused', {});
  expect(items).toMatchObject([
    { kind: 'record.save', subject: failing, failed: true, mine: { sections: sections('mine') } },
    { kind: 'record.sign', subject: failing, failed: false, code: 'VERSION_CONFLICT', mine: null },
  ]);
  expect((await ris.records.get({ params: { id: failing } })).data).toMatchObject({ status: 'draft', version });

  faults.remove('defect');
  await bridge.call('changes.retry', { id: items[0]!.id });
  await settled(bridge);
  await bridge.call('changes.dismiss', { id: items[1]!.id });
  expect(await bridge.call('changes.refused', {})).toEqual({ items: [] });
  expect((await ris.records.get({ params: { id: failing } })).data.sections).toEqual(sections('mine'));
});
