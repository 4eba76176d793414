/** Jobs from queued to their end (specification 3.1, 4.4), over restarts, failures and cancellations. */
import * as fc from '../../../support/properties.ts';
import { expect, test } from 'vitest';
import { AppError } from '../../../../src/contract/errors.ts';
import type { Job } from '../../../../src/contract/job.ts';
import type { ComposeInput } from '../../../../server/speech/writer-data.ts';
import { createJobRunner } from '../../../../server/records/jobs/runner.ts';
import type { Store, Transaction } from '../../../../server/storage/store.ts';
import { hasEnded, maxAttempts } from '../../../../src/domain/job-state.ts';
import { createRecordService, dictated, testClient } from '../../../support/record-service.ts';
import type { RecordService } from '../../../support/record-service.ts';

const cancel = async (service: RecordService, id: string) =>
  service.routes.jobs.cancel({ params: { id } }, service.call());
const messages = async (service: RecordService, id: string) => (await service.logOf(id)).map(({ message }) => message);
const unavailable = () => new AppError('ENGINE_UNAVAILABLE', { message: 'could not hear "Test Patient"' });

test('a job becomes a record, in its exam too, and is announced', async () => {
  const service = await createRecordService();
  const item = await service.exam();
  const upload = await service.upload();
  service.engine.hold();
  const { id } = await service.enqueue(
    { audio: { content_type: 'audio/wav', data: '' }, worklist_item_id: item },
    { upload },
  );
  await service.engine.called(1);
  expect(await service.job(id)).toMatchObject({ status: 'in_progress', progress: 0.1, attempts: 1, finished_at: null });
  expect((await service.worklist.item(item)).status).toBe('in_progress');
  service.engine.release();
  service.engine.hold();
  await service.engine.called(2);
  expect(await service.job(id)).toMatchObject({ status: 'in_progress', progress: 0.6 });
  service.engine.release();
  await service.jobs.idle();

  const job = await service.job(id);
  expect(job).toMatchObject({ status: 'completed', progress: 1, attempts: 1, worklist_item_id: item, error: null });
  const record = await service.get(job.record_id!);
  expect(record).toMatchObject({ job_id: id, worklist_item_id: item, source: { kind: 'audio' }, version: 1 });
  const result = await service.routes.jobs.result({ params: { id } }, service.call());
  expect(result.data).toEqual(record);
  expect((await service.worklist.item(item)).record_id).toBe(record.id);
  expect(await service.announced()).toEqual([
    {
      type: 'medical_record.job.completed',
      data: {
        job_id: id,
        record_id: record.id,
        worklist_item_id: item,
        accession_number: 'SL-1',
        status: 'completed',
        version: 1,
        signed: false,
        addendum: false,
        correction: false,
      },
    },
  ]);
  expect(await messages(service, id)).toEqual([
    'Queued.',
    'Begun, attempt 1 of 3.',
    'The audio has been transcribed.',
    'The record has been stored.',
  ]);
  expect(await service.blobs.list()).toEqual([upload.audio.blob]);
});

test('two run at a time, the oldest first', async () => {
  const service = await createRecordService();
  service.engine.hold();
  const jobs: { id: string }[] = [];
  for (let n = 0; n < 4; n++) jobs.push(await service.enqueue({ text: `Test Patient number ${n}.` }));
  await service.engine.called(2);
  const states = async () => Promise.all(jobs.map(async ({ id }) => (await service.job(id)).status));
  expect(await states()).toEqual(['in_progress', 'in_progress', 'queued', 'queued']);
  service.engine.release();
  await service.jobs.idle();
  expect(await states()).toEqual(['completed', 'completed', 'completed', 'completed']);
  expect(service.engine.calls.map(({ input }) => (input as ComposeInput).heard.text.at(-2))).toEqual([
    '0',
    '1',
    '2',
    '3',
  ]);
});

test('a job cancelled while the engine works ends at once, and no record ever comes of it', async () => {
  const service = await createRecordService();
  service.engine.hold();
  const upload = await service.upload();
  const { id } = await service.enqueue({ audio: { content_type: 'audio/wav', data: '' } }, { upload });
  await service.engine.called(1);
  expect((await cancel(service, id)).data).toMatchObject({ status: 'cancelled', record_id: null });
  expect(service.engine.calls[0]!.signal.aborted).toBe(true);
  await service.jobs.idle();
  service.engine.release();
  await service.jobs.idle();
  expect(await service.job(id)).toMatchObject({ status: 'cancelled', record_id: null });
  expect(await service.store.count('records')).toBe(0);
  expect(await service.blobs.list()).toEqual([]);
  expect((await service.announced()).map(({ type }) => type)).toEqual(['medical_record.job.cancelled']);
  const result = await service.routes.jobs.result({ params: { id } }, service.call());
  expect(result.data).toEqual({ job_id: id, status: 'cancelled', error: null });
});

test('a cancellation that comes from elsewhere, after the engine is through, wins as well', async () => {
  const service = await createRecordService();
  service.engine.hold();
  const { id } = await service.enqueue();
  await service.engine.called(1);
  // As another process would: this runner is told nothing.
  await service.store.transact(async (tx) => tx.put('jobs', { ...(await tx.get('jobs', id))!, status: 'cancelled' }));
  service.engine.release();
  await service.jobs.idle();
  expect([(await service.job(id)).status, await service.store.count('records')]).toEqual(['cancelled', 0]);
  expect(service.log_entries).toEqual([]);
});

test('an attempt that another server has replaced has no effect', async () => {
  const service = await createRecordService();
  service.engine.hold();
  const { id } = await service.enqueue();
  await service.engine.called(1);
  await service.store.transact(async (tx) => tx.put('jobs', { ...(await tx.get('jobs', id))!, attempts: 2 }));
  service.engine.release();
  await service.jobs.idle();
  expect(await service.job(id)).toMatchObject({ status: 'in_progress', attempts: 2, record_id: null });
  expect(await service.store.count('records')).toBe(0);
});

test('an ended job cannot be cancelled', async () => {
  const service = await createRecordService();
  const { id } = await service.enqueue();
  await service.jobs.idle();
  await expect(cancel(service, id)).rejects.toMatchObject({
    code: 'JOB_NOT_CANCELLABLE',
    details: { status: 'completed' },
  });
});

test('an unavailable engine is tried again after growing pauses, three times in all', async () => {
  const service = await createRecordService();
  service.engine.failNext(unavailable(), unavailable(), unavailable());
  const { id } = await service.enqueue();
  await service.jobs.idle();
  expect(await service.job(id)).toMatchObject({ status: 'queued', attempts: 1, progress: 0, error: null });
  service.clock.advance(999);
  await service.jobs.idle();
  expect(service.engine.calls).toHaveLength(1);
  service.clock.advance(1);
  await service.jobs.idle();
  expect(service.engine.calls).toHaveLength(2);
  service.clock.advance(4000);
  await service.jobs.idle();
  const job = await service.job(id);
  expect(job).toMatchObject({ status: 'failed', attempts: maxAttempts });
  expect(job.error).toEqual({ code: 'ENGINE_UNAVAILABLE', message: expect.not.stringContaining('Test Patient') });
  expect(await service.announced()).toEqual([
    {
      type: 'medical_record.job.failed',
      data: {
        job_id: id,
        record_id: null,
        worklist_item_id: null,
        accession_number: null,
        status: 'failed',
        error_code: 'ENGINE_UNAVAILABLE',
      },
    },
  ]);
  const result = await service.routes.jobs.result({ params: { id } }, service.call());
  expect(result.data).toEqual({ job_id: id, status: 'failed', error: job.error });
});

test('an engine that comes back completes the job', async () => {
  const service = await createRecordService();
  service.engine.failNext(unavailable());
  const { id } = await service.enqueue();
  await service.jobs.idle();
  service.clock.advance(1000);
  await service.jobs.idle();
  expect(await service.job(id)).toMatchObject({ status: 'completed', attempts: 2 });
});

test('any other failure ends the job at once; neither its log nor ours quotes what was dictated', async () => {
  const service = await createRecordService();
  const upload = await service.upload();
  service.engine.failNext(new TypeError('cannot read "Canary Patient"'));
  const { id } = await service.enqueue({ audio: { content_type: 'audio/wav', data: '' } }, { upload });
  await service.jobs.idle();
  expect(await service.job(id)).toMatchObject({ status: 'failed', attempts: 1, error: { code: 'INTERNAL_ERROR' } });
  expect(JSON.stringify([await service.logOf(id), service.log_entries, await service.job(id)])).not.toContain('Canary');
  expect(service.log_entries).toEqual([{ level: 'error', event: 'job_attempt_failed', job_id: id, name: 'TypeError' }]);
  // What was dictated is not thrown away.
  expect(await service.blobs.list()).toEqual([upload.audio.blob]);
});

test('a job that a stopped server left in the middle is run by the next one', async () => {
  const service = await createRecordService();
  service.engine.hold();
  const { id } = await service.enqueue();
  await service.engine.called(1);
  await service.jobs.stop();
  expect(await service.job(id)).toMatchObject({ status: 'queued', attempts: 1 });
  service.engine.release();
  const next = service.newRunner();
  await next.start();
  await next.idle();
  expect(await service.job(id)).toMatchObject({ status: 'completed', attempts: 2 });
});

test('a job that was in progress when the server died is queued again, and given up after the third attempt', async () => {
  const service = await createRecordService();
  await service.jobs.stop();
  const [young, old] = [await service.enqueue(), await service.enqueue()];
  const died = async (id: string, attempts: number) =>
    service.store.transact(async (tx) =>
      tx.put('jobs', { ...(await tx.get('jobs', id))!, status: 'in_progress', attempts }),
    );
  await died(young.id, 1);
  await died(old.id, maxAttempts);
  const next = service.newRunner();
  await next.start();
  await next.idle();
  expect(await service.job(young.id)).toMatchObject({ status: 'completed', attempts: 2 });
  expect(await service.job(old.id)).toMatchObject({ status: 'failed', attempts: 3, error: { code: 'INTERRUPTED' } });
});

test('a stopped runner begins nothing', async () => {
  const service = await createRecordService();
  await service.jobs.stop();
  const { id } = await service.enqueue();
  await service.jobs.idle();
  expect((await service.job(id)).status).toBe('queued');
});

test('when storage fails the job is taken up again once it is back', async () => {
  const service = await createRecordService();
  const { transact } = service.store;
  service.engine.hold();
  const { id } = await service.enqueue();
  await service.engine.called(1);
  (service.store as { transact: unknown }).transact = () => Promise.reject(new AppError('STORAGE_UNAVAILABLE'));
  service.engine.release();
  await service.jobs.idle();
  (service.store as { transact: unknown }).transact = transact;
  expect((await service.job(id)).status).toBe('in_progress');
  expect(service.log_entries).toEqual([
    { level: 'error', event: 'job_runner_setback', code: 'STORAGE_UNAVAILABLE', job_id: id },
  ]);
  service.clock.advance(5000);
  await expect.poll(async () => (await service.job(id)).status).toBe('completed');
  expect(await service.store.count('records')).toBe(1);
});

test('a start with storage that refuses everything begins nothing, and what was under way later', async () => {
  const service = await createRecordService();
  service.engine.hold();
  const { id } = await service.enqueue();
  await service.engine.called(1);
  const { transact } = service.store;
  (service.store as { transact: unknown }).transact = () => Promise.reject(new AppError('STORAGE_UNAVAILABLE'));
  await service.jobs.stop();
  await service.jobs.start();
  expect((await service.job(id)).status).toBe('in_progress');
  (service.store as { transact: unknown }).transact = transact;
  service.engine.release();
  service.clock.advance(5000);
  await expect.poll(async () => (await service.job(id)).status).toBe('completed');
});

test('a job that storage refuses again and again goes on once it does not', async () => {
  const service = await createRecordService();
  const { transact } = service.store;
  const { id } = await service.enqueue();
  let begun = 0;
  // Room for a few bytes, but not for a record.
  (service.store as { transact: unknown }).transact = (work: (tx: Transaction) => Promise<unknown>) =>
    transact((tx) =>
      work({
        ...tx,
        put(collection, document) {
          if (collection === 'records') throw new AppError('STORAGE_UNAVAILABLE');
          begun += Number(collection === 'jobs' && (document as { status: string }).status === 'in_progress');
          tx.put(collection, document);
        },
      }),
    );
  await expect
    .poll(async () => {
      service.clock.advance(300_000);
      await service.jobs.idle();
      return begun;
    })
    .toBeGreaterThan(maxAttempts + 2);
  expect((await service.job(id)).status).toBe('queued');
  (service.store as { transact: unknown }).transact = transact;
  service.clock.advance(300_000);
  await expect.poll(async () => (await service.job(id)).status).toBe('completed');
});

test('a job that waits for its next attempt does not wait for a clock that was set back', async () => {
  const service = await createRecordService();
  service.engine.failNext(unavailable());
  service.clock.advance(24 * 3600 * 1000);
  const { id } = await service.enqueue();
  await service.jobs.idle();
  expect((await service.job(id)).status).toBe('queued');
  await service.jobs.stop();
  const { clock } = await createRecordService();
  const next = createJobRunner({ ...service, clock }, { random: () => 0 });
  await next.start();
  await next.idle();
  // It waits for as long as it would have.
  clock.advance(1000);
  await expect.poll(async () => (await service.job(id)).status).toBe('completed');
});

test('test clients may ask for a failure or for time', async () => {
  const service = await createRecordService();
  const options = (simulate: string) => ({
    caller: { ...testClient, space: 'local' },
    headers: { 'X-Laudio-Simulate': simulate },
  });
  const failing = await service.enqueue({ text: dictated }, options('job=fail'));
  const slow = await service.enqueue({ text: dictated }, options('job=slow:60000'));
  await expect.poll(async () => (await service.job(slow.id)).status).toBe('in_progress');
  expect(await service.job(failing.id)).toMatchObject({
    status: 'failed',
    attempts: 1,
    error: { code: 'SIMULATED_FAILURE' },
  });
  expect(service.engine.calls).toEqual([]);
  service.clock.advance(60_000);
  await service.jobs.idle();
  expect((await service.job(slow.id)).status).toBe('completed');
});

test('a job slowed down for a test client holds no place: its other jobs and those of others continue', async () => {
  const service = await createRecordService();
  const slowly = { caller: { ...testClient, space: 'local' }, headers: { 'X-Laudio-Simulate': 'job=slow:60000' } };
  const slow: Job[] = [];
  for (let count = 0; count < 10; count++) slow.push(await service.enqueue({ text: dictated }, slowly));
  const own = await service.enqueue({ text: dictated }, { caller: slowly.caller });
  const other = await service.enqueue();
  await service.jobs.idle();
  expect([(await service.job(own.id)).status, (await service.job(other.id)).status]).toEqual([
    'completed',
    'completed',
  ]);
  const states = async () => new Set(await Promise.all(slow.map(async ({ id }) => (await service.job(id)).status)));
  expect(await states()).toEqual(new Set(['in_progress']));
  await cancel(service, slow.pop()!.id);
  service.clock.advance(60_000);
  await service.jobs.idle();
  expect(await states()).toEqual(new Set(['completed']));
  expect(await service.store.count('records')).toBe(11);
});

test('a slow job is queued again when the server stops, and waits again at the next start', async () => {
  const service = await createRecordService();
  const { id } = await service.enqueue(
    { text: dictated },
    { caller: { ...testClient, space: 'local' }, headers: { 'X-Laudio-Simulate': 'job=slow:60000' } },
  );
  await service.jobs.idle();
  await service.jobs.stop();
  expect(await service.job(id)).toMatchObject({ status: 'queued', attempts: 1 });
  const next = service.newRunner();
  await next.start();
  await next.idle();
  expect(await service.job(id)).toMatchObject({ status: 'in_progress', attempts: 2 });
  service.clock.advance(60_000);
  await next.idle();
  expect(await service.job(id)).toMatchObject({ status: 'completed', attempts: 2 });
});

test('clients take turns: who has much to do, or is slow, holds up nobody else', async () => {
  const service = await createRecordService();
  service.engine.hold();
  const heard = () => service.engine.calls.map(({ input }) => (input as ComposeInput).heard.text.split(' ')[2]);
  for (let count = 0; count < 50; count++) await service.enqueue({ text: `Test Patient busy ${count}.` });
  await service.engine.called(2);
  for (const name of ['b', 'c']) {
    const caller = { client_id: name };
    for (let count = 0; count < 3; count++) {
      await service.enqueue({ text: `Test Patient ${name} ${count}.` }, { caller });
    }
  }
  await service.engine.called(6);
  expect(heard().toSorted()).toEqual(['b', 'b', 'busy', 'busy', 'c', 'c']);
  service.engine.release();
  await service.jobs.idle();
  expect(await service.store.count('records')).toBe(56);
});

test('queued jobs are read once, however many others there are', async () => {
  const { store, jobs: others } = await createRecordService();
  await others.stop();
  let read = 0;
  const counting: Store = {
    ...store,
    async find(collection, query) {
      const found = await store.find(collection, query);
      if (collection === 'jobs') read += found.length;
      return found;
    },
    get(collection, id) {
      if (collection === 'jobs') read++;
      return store.get(collection, id);
    },
  };
  const service = await createRecordService({ store: counting });
  service.engine.hold();
  for (let count = 0; count < 100; count++) await service.enqueue();
  await service.engine.called(2);
  await new Promise(setImmediate);
  const before = read;
  await service.enqueue();
  await new Promise(setImmediate);
  expect(read - before).toBe(1);
  service.engine.release();
  await service.jobs.idle();
  expect(await service.store.count('records')).toBe(101);
});

test('other clients may not', async () => {
  const service = await createRecordService();
  const { id } = await service.enqueue({ text: dictated }, { headers: { 'X-Laudio-Simulate': 'job=fail' } });
  await service.jobs.idle();
  expect((await service.job(id)).status).toBe('completed');
});

test('in any order of events, each job ends once and a record exists exactly for the completed ones', async () => {
  const step = fc.constantFrom('enqueue', 'cancel', 'fail', 'hold', 'release', 'advance', 'restart');
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const service = await createRecordService();
      let runner = service.jobs;
      const ids: string[] = [];
      for (const [index, name] of steps.entries()) {
        if (name === 'enqueue') ids.push((await service.enqueue()).id);
        if (name === 'cancel' && ids.length > 0) await cancel(service, ids[index % ids.length]!).catch(() => undefined);
        if (name === 'fail') service.engine.failNext(unavailable());
        if (name === 'hold') service.engine.hold();
        if (name === 'release') service.engine.release();
        if (name === 'advance') service.clock.advance(60_000);
        if (name === 'restart') {
          await runner.stop();
          runner = service.newRunner();
          await runner.start();
        }
        await new Promise(setImmediate);
      }
      service.engine.release();
      for (let round = 0; round <= maxAttempts; round++) {
        await runner.idle();
        service.clock.advance(60_000);
      }
      await runner.idle();
      await service.jobs.idle();
      const jobs = await Promise.all(ids.map((id) => service.job(id)));
      expect(jobs.every(({ status }) => hasEnded(status))).toBe(true);
      expect(jobs.every(({ attempts }) => attempts <= maxAttempts)).toBe(true);
      const records = await service.store.find('records', {});
      const completed = jobs.filter(({ status }) => status === 'completed');
      expect(records.map(({ job_id }) => job_id).toSorted()).toEqual(completed.map(({ id }) => id).toSorted());
      expect((await service.announced()).map(({ data }) => data['job_id']).toSorted()).toEqual([...ids].toSorted());
    }),
    { numRuns: 20 },
  );
});
