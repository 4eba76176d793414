/** Ingest with a status: fields and status in one transaction, by the table of moves and the rules of orders. */
import { describe, expect, test } from 'vitest';
import type { ItemChange } from '../../../server/storage/feeds.ts';
import { worklistStatuses } from '../../../src/contract/worklist.ts';
import type { WorklistStatus } from '../../../src/contract/worklist.ts';
import { createWorklist, exam, fieldErrorsOf, refusal } from '../../support/worklist.ts';

const writer = { caller: { scopes: ['worklists:write'] as const } };

async function examThatIs(status: WorklistStatus) {
  const worklist = createWorklist();
  const { items } = await worklist.ingest(exam());
  const id = items[0]!.id!;
  if (status !== 'new') await worklist.setStatus(id, { status });
  return { ...worklist, id };
}

describe('status in an ingest', () => {
  const moves: Readonly<
    Record<WorklistStatus, Readonly<Record<WorklistStatus, 'moved' | 'same' | 'kept' | 'refused'>>>
  > = {
    new: { new: 'same', in_progress: 'moved', completed: 'moved', cancelled: 'moved' },
    // An order that stands takes no exam from whoever reports on it.
    in_progress: { new: 'kept', in_progress: 'same', completed: 'moved', cancelled: 'moved' },
    completed: { new: 'kept', in_progress: 'moved', completed: 'same', cancelled: 'refused' },
    cancelled: { new: 'moved', in_progress: 'refused', completed: 'refused', cancelled: 'same' },
  };
  const cases = worklistStatuses.flatMap((from) => worklistStatuses.map((to) => [from, to, moves[from][to]] as const));

  test.each(cases)('%s to %s: %s', async (from, to, expected) => {
    const { id, ingest, item, history } = await examThatIs(from);
    const before = { item: await item(id), history: await history(id) };
    const sent = ingest(exam({ status: to, exam_room: 'Sala 9' }));
    if (expected === 'refused') {
      expect(fieldErrorsOf(await refusal(sent))).toMatchObject([{ field: 'status', code: 'INVALID_TRANSITION' }]);
      expect(await item(id)).toEqual(before.item);
      return;
    }
    const [outcome] = (await sent).items;
    expect(outcome).toMatchObject({ id, status: 'updated', ...(expected === 'moved' && { previous_status: from }) });
    expect(outcome!.warnings?.map(({ code }) => code)).toEqual(expected === 'kept' ? ['STATUS_KEPT'] : undefined);
    expect(await item(id)).toMatchObject({ status: expected === 'kept' ? from : to, exam_room: 'Sala 9' });
    const entries = await history(id);
    expect(entries).toHaveLength(before.history.length + (expected === 'moved' ? 1 : 0));
    if (expected === 'moved') expect(entries[0]).toMatchObject({ from, to });
  });

  test('a status alone is an update; again it changes nothing', async () => {
    const { id, ingest, item, feed, history } = await examThatIs('new');
    const heard: ItemChange[] = [];
    feed.subscribe('local', (change) => heard.push(change));
    const cancel = { accession_number: 'SL-1', status: ' CANCELLED ' };
    expect(await ingest(cancel)).toMatchObject({ updated: 1, items: [{ previous_status: 'new' }] });
    expect(heard).toMatchObject([{ change: 'status', status: 'cancelled' }]);
    expect(await ingest(cancel)).toMatchObject({ deduped: 1, items: [{ id, status: 'deduped' }] });
    expect(await item(id)).toMatchObject({ version: 2, reason: 'Cancelled by the ordering system' });
    expect(await ingest({ accession_number: 'SL-1', status: 'new' })).toMatchObject({ updated: 1 });
    expect(await history(id)).toMatchObject([
      { from: 'cancelled', to: 'new', reason: 'Ordered again by the ordering system' },
      { from: 'new', to: 'cancelled' },
    ]);
  });

  test('a new exam may come cancelled; items of a batch follow each other', async () => {
    const worklist = createWorklist();
    const feed: ItemChange[] = [];
    worklist.feed.subscribe('local', (change) => feed.push(change));
    const { items } = await worklist.ingest([
      exam({ status: 'cancelled' }),
      exam({ accession_number: 'SL-2' }),
      { accession_number: 'SL-2', status: 'in_progress' },
      { accession_number: 'SL-1', status: 'new' },
    ]);
    expect(items.map(({ status, previous_status }) => [status, previous_status])).toEqual([
      ['inserted', 'new'],
      ['inserted', undefined],
      ['updated', 'new'],
      ['updated', 'cancelled'],
    ]);
    expect(await worklist.item(items[0]!.id!)).toMatchObject({ status: 'new' });
    expect(await worklist.item(items[1]!.id!)).toMatchObject({ status: 'in_progress', assigned_to: null });
    expect(feed.map(({ change }) => change)).toEqual(['inserted', 'inserted']);
  });

  test('an exam with several orders is cancelled only when all are', async () => {
    const { id, ingest, item } = await examThatIs('new');
    const orders = (states: Record<string, string>) => ({ keep_absent: true, orders: states });
    const first = { accession_number: 'SL-1', status: 'cancelled', metadata: orders({ A: 'cancelled', B: 'open' }) };
    expect((await ingest(first)).items[0]!.warnings).toMatchObject([{ code: 'STATUS_KEPT' }]);
    expect((await item(id)).status).toBe('new');
    await ingest({ accession_number: 'SL-1', status: 'cancelled', metadata: orders({ B: 'cancelled' }) });
    expect((await item(id)).status).toBe('cancelled');
  });

  test('fields in the cancellation of one order change nothing of an exam that another one keeps', async () => {
    const { id, ingest, item } = await examThatIs('new');
    const order = (number: string, exam_description: string, status = 'open') => ({
      status,
      placer_order_number: number,
      exam_description,
    });
    const told = (orders: object[], more: object = {}) =>
      ingest({ accession_number: 'SL-1', metadata: { keep_absent: true, orders }, ...more });
    await told([order('P1', 'Chest'), order('P2', 'Abdomen')], { exam_room: '1' });
    expect(await item(id)).toMatchObject({ exam_description: 'Chest + Abdomen', exam_room: '1' });
    await told([order('P2', 'Abdomen', 'cancelled')], { exam_description: 'Abdomen', exam_room: '2' });
    expect(await item(id)).toMatchObject({ exam_description: 'Chest', exam_room: '1', status: 'new' });
    await told([], { exam_description: 'Chest, lying', exam_room: '3' });
    expect(await item(id)).toMatchObject({ exam_description: 'Chest, lying', exam_room: '3' });
  });

  test('an exam has the modality and the time of an order that takes place', async () => {
    const { id, ingest, item } = await examThatIs('new');
    const order = (number: string, modality: string, time: string, status = 'open') => ({
      status,
      placer_order_number: number,
      exam_description: modality,
      modality,
      exam_datetime: `2026-03-0${time}T09:30:00-03:00`,
    });
    const told = (one: ReturnType<typeof order>, asked: object = {}) =>
      ingest({ accession_number: 'SL-1', ...asked, metadata: { keep_absent: true, orders: [one] } });
    await told(order('P1', 'CT', '2'), { modality: 'CT', exam_datetime: '2026-03-02T09:30:00-03:00' });
    await told(order('P2', 'PT', '4'), { modality: 'PT', exam_datetime: '2026-03-04T09:30:00-03:00' });
    expect(await item(id)).toMatchObject({ modality: 'PT', exam_description: 'CT + PT' });
    await told(order('P2', 'PT', '4', 'cancelled'));
    const first = { modality: 'CT', exam_description: 'CT', exam_datetime: '2026-03-02T09:30:00-03:00' };
    expect(await item(id)).toMatchObject(first);
    // What no exam may have does not come in by an order.
    await told({ ...order('P3', 'XX', 'x'), exam_description: 'a\nb' });
    await told({ ...order('P1', 'CT', '2', 'cancelled') });
    expect(await item(id)).toMatchObject({ ...first, exam_description: 'CT' });
  });

  test('a change needs worklists:manage; what changes nothing does not; the other items are taken', async () => {
    const { ingest, id, item } = await examThatIs('new');
    const result = await ingest(
      [exam({ status: 'cancelled', exam_room: 'Sala 1' }), exam({ status: 'new', exam_room: 'Sala 2' })],
      writer,
    );
    expect(result.errors).toMatchObject([{ index: 0, field: 'status', error: 'INSUFFICIENT_SCOPE' }]);
    expect(result.errors[0]!.message).toContain('worklists:manage');
    expect(await item(id)).toMatchObject({ status: 'new', exam_room: 'Sala 2' });
  });

  test.each(['done', 'SCHEDULED', 7, ['new']])('%j is no status', async (status) => {
    const { ingest } = await examThatIs('new');
    expect(fieldErrorsOf(await refusal(ingest(exam({ status }))))).toMatchObject([{ field: 'status' }]);
  });

  test.each([null, ''])('%j says nothing', async (status) => {
    const { ingest } = await examThatIs('completed');
    expect(await ingest(exam({ status }))).toMatchObject({ deduped: 1 });
  });
});

describe('exam_status', () => {
  test('is a fact of the exam and leaves the status of its report', async () => {
    const { ingest, id, item, list } = await examThatIs('new');
    expect(await item(id)).not.toHaveProperty('exam_status');
    await ingest({ accession_number: 'SL-1', exam_status: 'Completed' });
    expect(await item(id)).toMatchObject({ status: 'new', exam_status: 'completed' });
    expect((await list({ exam_status: ['arrived', 'completed'] })).items).toHaveLength(1);
    expect((await list({ exam_status: ['arrived'] })).items).toEqual([]);
    await ingest({ accession_number: 'SL-1', exam_status: null });
    expect((await item(id)).exam_status).toBeNull();
    expect(await ingest({ accession_number: 'SL-1', exam_status: '' })).toMatchObject({ deduped: 1 });
    expect(fieldErrorsOf(await refusal(ingest(exam({ exam_status: 'done' }))))).toMatchObject([
      { field: 'exam_status' },
    ]);
  });
});

describe('accession_issuer', () => {
  const of = (issuer: string | undefined, fields: Record<string, unknown> = {}) =>
    exam({ ...(issuer !== undefined && { accession_issuer: issuer }), ...fields });

  test('the same number of two issuers, and of none, is three exams of any patients', async () => {
    const { ingest, list } = createWorklist();
    const ana = { patient_id: '1', patient_name: 'TESTE^ANA' };
    expect(await ingest([of(undefined), of('HSL', ana), of('SP')])).toMatchObject({ inserted: 3, errors: [] });
    expect(await ingest([of('HSL', ana), of('SP'), of(undefined)])).toMatchObject({ deduped: 3 });
    expect(await ingest({ accession_number: 'SL-1', accession_issuer: 'HSL', exam_room: '2' })).toMatchObject({
      updated: 1,
    });
    const found = async (query: object) => (await list(query)).items.map((item) => item.accession_issuer ?? null);
    expect(await found({ accession_number: 'SL-1' })).toEqual(['SP', 'HSL', null]);
    expect(await found({ accession_number: 'SL-1', accession_issuer: 'HSL' })).toEqual(['HSL']);
    expect(await found({ accession_number: 'SL-1', accession_issuer: 'X' })).toEqual([]);
    const page = await list({ accession_number: 'SL-1', limit: 2 });
    expect(await found({ accession_number: 'SL-1', cursor: page.next_cursor })).toEqual([null]);
    expect(fieldErrorsOf(await refusal(list({ accession_issuer: 'HSL' })))).toMatchObject([
      { field: 'accession_issuer' },
    ]);
  });

  test('conflicts depend on the issuer, within a batch too', async () => {
    const { ingest } = createWorklist();
    await ingest([of('HSL', { study_uid: '1.2' }), of('SP', { study_uid: '1.3' })]);
    const result = await ingest([
      of('SP', { study_uid: '1.2' }),
      of('HSL', { study_uid: '1.2' }),
      of('NEW', { study_uid: '1.9' }),
    ]);
    expect(result.errors).toMatchObject([{ index: 0, error: 'IDENTIFIER_CONFLICT' }]);
    expect(result.items.map(({ status }) => status)).toEqual(['deduped', 'inserted']);
  });

  test('a number without an issuer that comes by the study UID keeps the issuer; another number has none', async () => {
    const { ingest, list } = createWorklist();
    await ingest(of('HSL', { study_uid: '1.2' }));
    expect(await ingest(exam({ study_uid: '1.2' }))).toMatchObject({ deduped: 1 });
    expect(await ingest({ study_uid: '1.2', accession_issuer: 'SP' })).toMatchObject({ deduped: 1 });
    await ingest({ study_uid: '1.2', accession_number: 'SL-2' });
    expect((await list()).items).toMatchObject([{ accession_number: 'SL-2', accession_issuer: null }]);
    expect(await ingest(of('HSL', { patient_id: '2' }))).toMatchObject({ inserted: 1 });
  });
});
