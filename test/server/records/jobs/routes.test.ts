/** GET /api/v1/jobs and below (specification 4.4). */
import { expect, test } from 'vitest';
import { createRecordService, dictated, elsewhere } from '../../../support/record-service.ts';
import { refusal } from '../../../support/worklist.ts';

test('the list is filtered and keeps to its space', async () => {
  const service = await createRecordService();
  service.engine.failNext(new Error('no'));
  const failed = await service.enqueue();
  await service.jobs.idle();
  service.clock.advance(24 * 3600 * 1000);
  const completed = await service.enqueue();
  await service.jobs.idle();
  const other = await service.enqueue({ text: dictated }, { caller: elsewhere });
  await service.jobs.idle();
  const listed = async (query: Parameters<typeof service.routes.jobs.list>[0]['query']) =>
    (await service.routes.jobs.list({ query }, service.call())).data.items.map(({ id }) => id);
  expect(await listed({})).toEqual([completed.id, failed.id]);
  expect(await listed({ status: 'failed' })).toEqual([failed.id]);
  expect(await listed({ type: 'medical_record.generate', from: '2026-03-03' })).toEqual([completed.id]);
  expect(await listed({ to: '2026-03-02' })).toEqual([failed.id]);
  expect((await refusal(service.job(other.id))).code).toBe('NOT_FOUND');
});

test('a result is there only when the job has ended', async () => {
  const service = await createRecordService();
  service.engine.hold();
  const { id } = await service.enqueue();
  await service.engine.called(1);
  const error = await refusal(service.routes.jobs.result({ params: { id } }, service.call()));
  expect(error).toMatchObject({ code: 'JOB_NOT_FINISHED', status: 409, details: { status: 'in_progress' } });
  service.engine.release();
  await service.jobs.idle();
  const answer = await service.routes.jobs.result({ params: { id } }, service.call());
  expect(answer.headers).toEqual({ ETag: '"1"' });
});

test('a job shows nothing of its dictation', async () => {
  const service = await createRecordService();
  const { id } = await service.enqueue({ text: 'Test Patient, canary 4711.' });
  await service.jobs.idle();
  const shown = [
    await service.job(id),
    await service.logOf(id),
    (await service.routes.jobs.list({ query: {} }, service.call())).data,
  ];
  expect(JSON.stringify(shown)).not.toContain('canary');
});

test('a job of another space is a 404 for every call', async () => {
  const service = await createRecordService();
  const { id } = await service.enqueue();
  const call = service.call({ caller: elsewhere });
  for (const name of ['get', 'logs', 'result', 'cancel'] as const) {
    expect((await refusal(service.routes.jobs[name]({ params: { id } }, call))).code).toBe('NOT_FOUND');
  }
  await service.jobs.idle();
});
