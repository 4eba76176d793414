/** Specification, section 3: states and transitions. */
import { describe, expect, onTestFinished, test } from 'vitest';
import { contract } from '../../../src/contract/index.ts';
import { worklistStatuses } from '../../../src/contract/worklist.ts';
import type { WorklistStatus } from '../../../src/contract/worklist.ts';
import { examFields, startApi, succeeded } from '../../support/api.ts';
import { controlledEngine } from '../../support/controlled-engine.ts';

const engine = controlledEngine();
const api = await startApi({ engine });
const { worklists, jobs } = contract;

describe('§3.1 Job states', () => {
  const jobOf = async (id: string) => succeeded(await api.call(jobs.endpoints.get, { params: { id } }));
  const failing = { headers: { 'x-laudio-simulate': 'job=fail' } };

  test('queued: waiting for processing', async () => {
    const job = await api.enqueue();
    expect(job).toMatchObject({ status: 'queued', progress: 0, attempts: 0, started_at: null, finished_at: null });
    // Its call of the engine must not count as that of the next test.
    await api.ended(job.id);
  });

  test('in_progress: being processed', async () => {
    engine.hold();
    onTestFinished(() => engine.release());
    const before = engine.calls.length;
    const { id } = await api.enqueue();
    await engine.called(before + 1);
    expect(await jobOf(id)).toMatchObject({ status: 'in_progress', attempts: 1, finished_at: null });
    engine.release();
    await api.ended(id);
  });

  test('completed: finished successfully', async () => {
    const { id } = await api.enqueue();
    expect(await api.ended(id)).toMatchObject({
      status: 'completed',
      progress: 1,
      record_id: expect.stringMatching(/^rec_/),
      error: null,
    });
  });

  test('failed: finished with errors', async () => {
    const { id } = await api.enqueue(undefined, failing);
    expect(await api.ended(id)).toMatchObject({
      status: 'failed',
      record_id: null,
      error: { code: 'SIMULATED_FAILURE' },
    });
  });

  test.each(['queued', 'in_progress'])('cancelled: by the user, while %s', async (status) => {
    engine.hold();
    onTestFinished(() => engine.release());
    const before = engine.calls.length;
    const held = [await api.enqueue(), await api.enqueue()];
    await engine.called(before + 2);
    const { id } = status === 'queued' ? await api.enqueue() : held[0]!;
    expect((await jobOf(id)).status).toBe(status);
    expect((await api.call(jobs.endpoints.cancel, { params: { id } })).data).toMatchObject({ id, status: 'cancelled' });
    engine.release();
    for (const job of held) await api.ended(job.id);
    expect(await jobOf(id)).toMatchObject({ status: 'cancelled', record_id: null });
  });

  test.each([
    ['completed', undefined],
    ['failed', failing],
  ] as const)('a %s job is no longer cancelled: 409 JOB_NOT_CANCELLABLE', async (status, ask) => {
    const { id } = await api.enqueue(undefined, ask);
    await api.ended(id);
    const answer = await api.call(jobs.endpoints.cancel, { params: { id } });
    expect(answer).toMatchObject({ status: 409, error: { code: 'JOB_NOT_CANCELLABLE', details: { status } } });
  });
});

describe('§3.2 Worklist item status values', () => {
  /** How an item gets there. */
  const steps: Record<WorklistStatus, WorklistStatus[]> = {
    new: [],
    in_progress: ['in_progress'],
    completed: ['completed'],
    cancelled: ['cancelled'],
  };
  /** The table of the contract; what is not named is refused. */
  const allowed: Record<WorklistStatus, WorklistStatus[]> = {
    new: ['in_progress', 'completed', 'cancelled'],
    in_progress: ['new', 'completed', 'cancelled'],
    completed: ['in_progress'],
    cancelled: ['new'],
  };
  const move = (id: string, status: WorklistStatus) =>
    api.call(worklists.endpoints.setStatus, { params: { id }, body: { status } });
  const itemAt = async (status: WorklistStatus): Promise<string> => {
    const id = await api.exam();
    for (const step of steps[status]) succeeded(await move(id, step));
    return id;
  };
  const historyOf = async (id: string) =>
    succeeded(await api.call(worklists.endpoints.history, { params: { id } })).items;

  const moves = worklistStatuses.flatMap((from) => worklistStatuses.map((to) => [from, to] as const));
  test.each(moves)('%s → %s', async (from, to) => {
    const id = await itemAt(from);
    const before = await historyOf(id);
    const answer = await move(id, to);
    if (from === to || allowed[from].includes(to)) {
      expect(answer).toMatchObject({ status: 200, data: { id, status: to, previous_status: from } });
      expect(await historyOf(id)).toHaveLength(before.length + (from === to ? 0 : 1));
      return;
    }
    expect(answer).toMatchObject({
      status: 409,
      error: { code: 'INVALID_TRANSITION', details: { status: from, requested: to } },
    });
    expect(await historyOf(id)).toEqual(before);
  });

  test('the one move shown: new to in_progress, because the exam started', async () => {
    const id = await api.exam();
    const body = { status: 'in_progress', reason: 'Exam started' };
    const { data } = await api.call(worklists.endpoints.setStatus, { params: { id }, body });
    expect(data).toMatchObject({ status: 'in_progress', previous_status: 'new', reason: 'Exam started' });
    expect(await historyOf(id)).toMatchObject([
      { who: 'Dra. Teste', from: 'new', to: 'in_progress', reason: 'Exam started' },
    ]);
  });
});

describe('§3.3 Ingest outcome per item', () => {
  const exam = examFields({ accession_number: 'SL-33', study_uid: '1.2.33' });

  test('nothing matches: inserted', async () => {
    expect(await api.ingest(exam)).toMatchObject({ inserted: 1, items: [{ status: 'inserted' }] });
  });

  test.each([
    ['accession_number', { accession_number: 'SL-33' }],
    ['study_uid', { study_uid: '1.2.33' }],
  ])('matched by %s with new information: updated, a part of the fields being enough', async (field, identifier) => {
    const result = await api.ingest({ ...identifier, exam_room: `Sala of ${field}` });
    expect(result).toMatchObject({ updated: 1, items: [{ status: 'updated' }] });
  });

  test('matched with nothing to change: deduped', async () => {
    expect(await api.ingest(exam)).toMatchObject({ deduped: 1, items: [{ status: 'deduped' }] });
    expect(await api.ingest({ accession_number: ' SL-33 ', modality: 'ct' })).toMatchObject({ deduped: 1 });
  });

  test('two identifiers that belong to two items: IDENTIFIER_CONFLICT', async () => {
    await api.ingest(examFields({ accession_number: 'SL-34', study_uid: '1.2.34' }));
    const mixed = { accession_number: 'SL-33', study_uid: '1.2.34' };
    const { errors } = await api.ingest([mixed, examFields()]);
    expect(errors).toMatchObject([{ index: 0, error: 'IDENTIFIER_CONFLICT' }]);
  });

  test('two items of one batch that match each other are applied in order', async () => {
    const twin = examFields();
    const result = await api.ingest([twin, { ...twin, exam_room: 'Sala 2' }, twin]);
    expect(result.items.map(({ status }) => status)).toEqual(['inserted', 'updated', 'deduped']);
  });
});
