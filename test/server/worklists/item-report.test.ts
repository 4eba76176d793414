/** What an exam says of its report, and of corrections by the RIS since the report began. */
import { expect, test } from 'vitest';
import { isCorrected } from '../../../src/domain/item-report.ts';
import { createRecordService, dictated } from '../../support/record-service.ts';
import type { RecordService } from '../../support/record-service.ts';
import { exam } from '../../support/worklist.ts';

const at = (seconds: number) => new Date(Date.parse('2026-03-02T11:00:00Z') + seconds * 1000).toISOString();

async function withDraft() {
  const service = await createRecordService();
  const item = await service.exam();
  service.clock.advance(1000);
  const { id } = await service.generate({ text: dictated, worklist_item_id: item });
  return { service, item, id };
}
const sign = (service: RecordService, id: string) =>
  service.routes.records.update({ params: { id }, body: { status: 'final' } }, service.call());

test('an exam without a document says nothing of a report', async () => {
  const service = await createRecordService();
  const item = await service.exam();
  expect(await service.worklist.item(item)).not.toHaveProperty('report');
  await service.worklist.setStatus(item, { status: 'in_progress' });
  expect(await service.worklist.item(item)).not.toHaveProperty('report');
});

test('an exam says draft since the document was made, whatever is edited, and final since the signature', async () => {
  const { service, item, id } = await withDraft();
  expect((await service.worklist.item(item)).report).toEqual({ status: 'draft', at: at(1) });
  service.clock.advance(1000);
  const { version } = await service.worklist.item(item);
  await service.routes.records.update({ params: { id }, body: { title: 'Another' } }, service.call());
  expect(await service.worklist.item(item)).toMatchObject({ version, report: { status: 'draft', at: at(1) } });
  service.clock.advance(1000);
  await sign(service, id);
  const signed = await service.worklist.item(item);
  expect(signed).toMatchObject({ status: 'completed', report: { status: 'final', at: at(3) } });
  expect(service.changes.at(-1)).toMatchObject({ id: item, version: signed.version });
  expect((await service.worklist.list()).items[0]).toEqual(signed);
});

test('an exam whose document was deleted says nothing of a report', async () => {
  const { service, item, id } = await withDraft();
  await service.routes.records.delete({ params: { id } }, service.call());
  expect(await service.worklist.item(item)).toMatchObject({ record_id: null });
  expect(await service.worklist.item(item)).not.toHaveProperty('report');
});

test('an exam stored before there was the field says how far its report is by its status', async () => {
  const { service, item, id } = await withDraft();
  const age = () =>
    service.store.transact(async (tx) => {
      const { report: _none, ...former } = (await tx.get('items', item))!;
      tx.put('items', former);
    });
  await age();
  const { updated_at } = await service.worklist.item(item);
  expect((await service.worklist.list()).items[0]!.report).toEqual({ status: 'draft', at: updated_at });
  await sign(service, id);
  await age();
  expect((await service.worklist.item(item)).report).toMatchObject({ status: 'final' });
});

test('a change by the RIS before the report is not a correction; afterwards it is, until a signature', async () => {
  const service = await createRecordService();
  const item = await service.exam();
  const read = () => service.worklist.item(item);
  await service.worklist.ingest(exam({ exam_description: 'TC de abdome' }));
  expect(await read()).not.toHaveProperty('corrected_at');
  await service.worklist.setStatus(item, { status: 'in_progress' });
  await service.worklist.ingest(
    exam({ exam_description: 'TC de abdome', images_count: 412, metadata: { priority: 'STAT' } }),
  );
  expect(await read()).not.toHaveProperty('corrected_at');
  service.clock.advance(5000);
  await service.worklist.ingest(exam({ patient_name: 'TESTE^PACIENTE^SEGUNDO', patient_birth_date: '1971-06-14' }));
  expect(await read()).toMatchObject({ corrected_at: at(5) });
  expect(isCorrected(await read())).toBe(true);
  service.clock.advance(5000);
  await service.worklist.ingest(exam());
  const { id } = await service.generate({ text: dictated, worklist_item_id: item });
  expect(isCorrected(await read())).toBe(true);
  service.clock.advance(5000);
  await sign(service, id);
  expect(isCorrected(await read())).toBe(false);
  service.clock.advance(5000);
  await service.worklist.ingest(exam({ exam_description: 'TC de tórax com contraste' }));
  expect(await read()).toMatchObject({ status: 'completed', corrected_at: at(20) });
  expect(isCorrected(await read())).toBe(true);
});
