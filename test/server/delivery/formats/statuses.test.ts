/** What receivers of a document are told of it from its draft on: the codes of HL7 and FHIR, and when to fetch it again. */
import { describe, expect, test } from 'vitest';
import type { UserRole } from '../../../../src/contract/admin.ts';
import type { CriticalDecision } from '../../../../src/contract/critical.ts';
import type { RecordUpdate } from '../../../../src/contract/record.ts';
import { createRecordService } from '../../../support/record-service.ts';
import type { RecordService } from '../../../support/record-service.ts';

const callerOf = (role: UserRole) => ({
  user: { id: `usr_${role}`, username: role, display_name: `Dr. ${role}` },
});

async function withPneumothorax() {
  const service = await createRecordService();
  await service.store.transact(async (tx) => {
    for (const role of ['resident', 'attending'] as const)
      tx.put('users', {
        ...callerOf(role).user,
        role,
        space: 'local',
        created_at: '2026-03-01T00:00:00.000Z',
        password_hash: '',
      });
  });
  const { id, ...record } = await service.generate(
    {
      text: 'Paciente Teste. Achados: pneumotórax hipertensivo à direita. Impressão: pneumotórax hipertensivo.',
      language: 'pt-BR',
      worklist_item_id: await service.exam(),
    },
    { caller: callerOf('resident') },
  );
  const result = record.critical_results![0]!.id;
  const told = { to: 'Dr. Paulo Nunes', way: 'phone', read_back: true } as const;
  return {
    service,
    id,
    result,
    change: (body: RecordUpdate, by: UserRole = 'attending') =>
      service.routes.records.update({ params: { id }, body }, service.call({ caller: callerOf(by) })),
    decide: (body: CriticalDecision) =>
      service.routes.criticalResults.decide(
        { params: { id, result }, body },
        service.call({ caller: callerOf('attending') }),
      ),
    tell: (to: string = told.to) => ({ status: 'told', communication: { ...told, to } }) as const,
    sections: async () => (await service.get(id)).sections,
    sent: () => sentOf(service, id),
  };
}

/** The status of the document in each format, and what was announced of it since the last call. */
async function sentOf(service: RecordService, id: string) {
  const written = async (format: 'hl7' | 'fhir') =>
    String((await service.routes.records.export({ params: { id }, query: { format } }, service.call())).body);
  const segments = (await written('hl7')).split('\r').map((segment) => segment.split('|'));
  const field = (name: string, at: number) => [
    ...new Set(segments.filter(([found]) => found === name).map((fields) => fields[at])),
  ];
  const [obr, orc, obx] = [field('OBR', 25), field('ORC', 5), field('OBX', 11)];
  const { status } = JSON.parse(await written('fhir')) as { status: string };
  return `${obr.join()} ${orc.join()} ${obx.join()} ${status}`;
}

test('preliminary, final, communicated later, again, taken back, added to: each is sent whole, with its status', async () => {
  const { service, change, decide, tell, sections, sent } = await withPneumothorax();
  const events: number[] = [];
  const step = async (make: () => Promise<unknown>) => {
    const before = (await service.announced()).length;
    service.clock.advance(60_000);
    await make();
    events.push((await service.announced()).length - before);
    return sent();
  };
  expect(await sent()).toBe('R IP P partial');
  expect(await step(() => change({ status: 'preliminary' }, 'resident'))).toBe('P IP P preliminary');
  expect(await step(() => change({ status: 'final' }))).toBe('F CM F final');
  expect(await step(() => decide(tell()))).toBe('C CM C appended');
  expect(await step(() => decide(tell('Dra. Rita Sá')))).toBe('C CM C amended');
  expect(await step(() => decide({ status: 'open' }))).toBe('C CM C amended');
  const addendum = { key: 'addendum', title: 'Adendo', text: 'Dreno posicionado.' };
  expect(await step(async () => change({ sections: [...(await sections()), addendum] }))).toBe('C CM C amended');
  expect(events).toEqual([1, 1, 1, 1, 1, 1]);
  const types = (await service.announced()).map(({ type }) => type.replace('worklist.document.', ''));
  expect(types).toEqual(['preliminary', ...Array.from({ length: 5 }, () => 'completed')]);
});

test('a communication before the signature is part of the signed text, and a dismissal sends nothing', async () => {
  const { service, change, decide, tell, sent } = await withPneumothorax();
  await decide(tell());
  expect(await service.announced()).toEqual([]);
  await change({ status: 'final' });
  expect(await sent()).toBe('F CM F final');
  const other = await withPneumothorax();
  await other.change({ status: 'final' });
  await other.decide({ status: 'dismissed', reason: 'Conhecido desde março.' });
  expect(await other.sent()).toBe('F CM F final');
  expect(await other.service.announced()).toHaveLength(1);
});

test('after a communication about a preliminary report, receivers get it as preliminary again', async () => {
  const { service, change, decide, tell, sent } = await withPneumothorax();
  await change({ status: 'preliminary' }, 'resident');
  await decide(tell());
  expect(await sent()).toBe('P IP P preliminary');
  expect((await service.announced()).map(({ data }) => data['status'])).toEqual(['preliminary', 'preliminary']);
});

test('communicated in the grace period, it is final with the communication, and its finding is settled', async () => {
  const { service, id, result, change, decide, tell, sent } = await withPneumothorax();
  await change({ status: 'final', grace_seconds: 60 });
  await decide(tell());
  expect(await service.announced()).toEqual([]);
  await change({ status: 'final' });
  expect(await sent()).toBe('F CM F final');
  const { status, text, findings_to_review: found } = await service.get(id);
  expect(status).toBe('final');
  expect(text).toContain('comunicado a Dr. Paulo Nunes');
  expect(found?.find((each) => each.id === result)?.status).toBe('resolved');
  expect(await service.announced()).toHaveLength(1);
});

describe('a second document of an exam whose report was signed', () => {
  const text = 'Paciente Teste. Achados: pulmões livres. Impressão: exame normal.';
  const again = async (by: UserRole = 'attending') => {
    const first = await withPneumothorax();
    const { service } = first;
    const item = (await service.get(first.id)).worklist_item_id!;
    await first.change({ status: 'final' });
    await service.worklist.setStatus(item, { status: 'in_progress' }, { caller: callerOf(by) });
    const body = { text, language: 'pt-BR', worklist_item_id: item } as const;
    const { id } = await service.generate(body, { caller: callerOf(by) });
    const change = (update: RecordUpdate, who: UserRole = by) =>
      service.routes.records.update({ params: { id }, body: update }, service.call({ caller: callerOf(who) }));
    const event = async () => {
      const { version, signed, addendum, correction } = (await service.announced()).at(-1)!.data;
      return { version, signed, addendum, correction };
    };
    return { first, service, item, id, change, event, sent: () => sentOf(service, id) };
  };

  test('is its correction, in HL7, FHIR and events; what is added to it is an addendum', async () => {
    const { first, service, id, change, event, sent } = await again();
    expect(await event()).toEqual({ version: 2, signed: true, addendum: false, correction: false });
    await change({ status: 'final' });
    expect(await sent()).toBe('C CM C corrected');
    expect(await event()).toEqual({ version: 2, signed: true, addendum: false, correction: true });
    const { replaces, sections } = await service.get(id);
    expect(replaces).toEqual({ record_id: first.id, version: 2 });
    expect(await first.sent()).toBe('F CM F final');
    await change({ sections: [...sections, { key: 'addendum', title: 'Adendo', text: 'Mais.' }] });
    expect(await sent()).toBe('C CM C appended');
    expect(await event()).toEqual({ version: 3, signed: true, addendum: true, correction: false });
    // What was sent stays what it was, also where the first document is deleted.
    await service.routes.records.delete({ params: { id: first.id } }, service.call());
    const { data } = await service.routes.records.version({ params: { id, n: 2 } }, service.call());
    expect(data.replaces).toEqual({ record_id: first.id, version: 2 });
  });

  test('with what was added to the first, and through a grace period and two signatures', async () => {
    const { first, service, id, change, event, sent } = await again('resident');
    await first.change({
      sections: [...(await first.sections()), { key: 'addendum', title: 'Adendo', text: 'Mais.' }],
    });
    await change({ status: 'preliminary' });
    // Nothing replaces what is signed finally before an attending has signed.
    expect(await sent()).toBe('P IP P preliminary');
    expect(await service.get(id)).not.toHaveProperty('replaces');
    expect(await event()).toMatchObject({ signed: false, correction: false });
    await change({ status: 'final', grace_seconds: 60 }, 'attending');
    await service.pass(60_000);
    expect(await sent()).toBe('C CM C corrected');
    expect((await service.get(id)).replaces).toEqual({ record_id: first.id, version: 3 });
    expect(await event()).toEqual({ version: 3, signed: true, addendum: false, correction: true });
  });

  test('a third corrects the second; the document of another exam corrects nothing', async () => {
    const { service, item, id, change } = await again();
    await change({ status: 'final' });
    await service.worklist.setStatus(item, { status: 'in_progress' }, { caller: callerOf('attending') });
    const sign = async (worklist_item_id: string): Promise<string> => {
      const made = await service.generate(
        { text, language: 'pt-BR', worklist_item_id },
        { caller: callerOf('attending') },
      );
      await service.routes.records.update(
        { params: { id: made.id }, body: { status: 'final' } },
        service.call({ caller: callerOf('attending') }),
      );
      return made.id;
    };
    expect((await service.get(await sign(item))).replaces).toEqual({ record_id: id, version: 2 });
    expect(await sentOf(service, await sign(await service.exam({ accession_number: 'SL-9', study_uid: null })))).toBe(
      'F CM F final',
    );
  });

  test('corrects the first also where that was deleted before, or while somebody signed', async () => {
    const { first, service, id, change, event, sent } = await again();
    await service.routes.records.delete({ params: { id: first.id } }, service.call());
    await change({ status: 'final', grace_seconds: 60 });
    await service.pass(60_000);
    expect(await sent()).toBe('C CM C corrected');
    expect((await service.get(id)).replaces).toEqual({ record_id: first.id, version: 2 });
    expect(await event()).toMatchObject({ correction: true });
  });

  test('corrects what was sent last: a draft that was deleted between is nothing, and a deleted correction is', async () => {
    const { first, service, item, id, change } = await again();
    const sign = async (): Promise<string> => {
      const body = { text, language: 'pt-BR', worklist_item_id: item } as const;
      const made = await service.generate(body, { caller: callerOf('attending') });
      const params = { id: made.id };
      await service.routes.records.update(
        { params, body: { status: 'final' } },
        service.call({ caller: callerOf('attending') }),
      );
      return made.id;
    };
    const reopen = () => service.worklist.setStatus(item, { status: 'in_progress' }, { caller: callerOf('attending') });
    const remove = (record: string) => service.routes.records.delete({ params: { id: record } }, service.call());
    await remove(first.id);
    await remove(id);
    const second = await sign();
    expect((await service.get(second)).replaces).toEqual({ record_id: first.id, version: 2 });
    await remove(second);
    await reopen();
    expect((await service.get(await sign())).replaces).toEqual({ record_id: second, version: 2 });
    await expect(change({ status: 'final' })).rejects.toMatchObject({ code: 'NOT_FOUND' });
  });

  test('is sent again while it is preliminary and its critical result was communicated', async () => {
    const { first, service, item } = await again('resident');
    const body = { text: `${text} Pneumotórax hipertensivo.`, language: 'pt-BR', worklist_item_id: item } as const;
    const { id, critical_results: results } = await service.generate(body, { caller: callerOf('resident') });
    const params = { id, result: results![0]!.id };
    const call = service.call({ caller: callerOf('resident') });
    await service.routes.records.update({ params: { id }, body: { status: 'preliminary' } }, call);
    const before = (await service.announced()).length;
    await service.routes.criticalResults.decide({ params, body: first.tell() }, call);
    expect((await service.announced()).slice(before)).toMatchObject([
      { type: 'worklist.document.preliminary', data: { record_id: id } },
    ]);
  });

  test('is not undone by an addition to the first: that is refused, and its communication is not sent', async () => {
    const { first, service, id, change } = await again();
    await change({ status: 'final' });
    const events = await service.announced();
    const sections = [...(await first.sections()), { key: 'addendum', title: 'Adendo', text: 'Mais.' }];
    await expect(first.change({ sections })).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
      details: { record_id: id },
      hint: expect.stringContaining('Add the addendum to'),
    });
    await first.decide(first.tell());
    expect(await service.announced()).toEqual(events);
    expect((await service.get(first.id)).critical_results![0]).toMatchObject({ status: 'told' });
    // Without the second, the first is the report of the exam again.
    await service.routes.records.delete({ params: { id } }, service.call());
    await first.change({ sections: [...(await first.sections()), sections.at(-1)!] });
    expect(await first.sent()).toMatch(/^C CM C appended/);
  });

  test('where neither number of the order is known, both are one result', async () => {
    const service = await createRecordService();
    const item = await service.exam({ accession_number: null, study_uid: '1.2.3.4' });
    const filler = async () => {
      const { id } = await service.generate({ text, language: 'pt-BR', worklist_item_id: item });
      const { body } = await service.routes.records.export(
        { params: { id }, query: { format: 'hl7' } },
        service.call(),
      );
      return /\rOBR\|1\|\|([^|]*)\|/.exec(String(body))![1];
    };
    expect([await filler(), await filler()]).toEqual([item, item]);
  });
});
