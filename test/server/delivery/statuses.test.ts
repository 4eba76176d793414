/** What receivers of a document are told of it from its draft on: the codes of HL7 and FHIR, and when to fetch it again. */
import { expect, test } from 'vitest';
import type { UserRole } from '../../../src/contract/admin.ts';
import type { CriticalDecision } from '../../../src/contract/critical.ts';
import type { RecordUpdate } from '../../../src/contract/record.ts';
import { createRecordService } from '../../support/record-service.ts';
import type { RecordService } from '../../support/record-service.ts';

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

test('preliminary, final, told afterwards, told anew, taken back, added to: each is sent whole, with its status', async () => {
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

test('who was told before the signature is part of what was signed, and dismissing tells receivers nothing', async () => {
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

test('told of a preliminary report, receivers get it as preliminary again', async () => {
  const { service, change, decide, tell, sent } = await withPneumothorax();
  await change({ status: 'preliminary' }, 'resident');
  await decide(tell());
  expect(await sent()).toBe('P IP P preliminary');
  expect((await service.announced()).map(({ data }) => data['status'])).toEqual(['preliminary', 'preliminary']);
});

test('told in the grace period, it is final with what was told, and its finding is settled', async () => {
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
