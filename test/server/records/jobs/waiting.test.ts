/** Jobs whose audio waits for the recogniser: none yet, one that is down, one that hears only so many at once. */
import * as fc from '../../../support/properties.ts';
import { describe, expect, test } from 'vitest';
import { AppError } from '../../../../src/contract/errors.ts';
import type { Job } from '../../../../src/contract/job.ts';
import { hasEnded } from '../../../../src/domain/job-state.ts';
import type { TranscribeInput } from '../../../../server/speech/recogniser.ts';
import { controlledEngine } from '../../../support/controlled-engine.ts';
import { createRecordService, dictated, testClient } from '../../../support/record-service.ts';
import type { RecordService } from '../../../support/record-service.ts';
import { refusal } from '../../../support/worklist.ts';

const unavailable = () => new AppError('ENGINE_UNAVAILABLE');
const sound = { audio: { content_type: 'audio/wav', data: '' } } as const;

async function dictate(service: RecordService, caller: object = {}): Promise<Job> {
  return service.enqueue(sound, { upload: await service.upload(), caller });
}
const statusOf = async (service: RecordService, { id }: Job) => (await service.job(id)).status;
const messages = async (service: RecordService, { id }: Job) => (await service.logOf(id)).map(({ message }) => message);
const waits = expect.stringContaining('Waits for a speech recogniser');
const queueOf = async (service: RecordService) => (await service.routes.engines.get({}, service.call())).data.queue;
/** Lets the jobs work, and the clock go on, in steps. */
async function pass(service: RecordService, ms: number, step = 1000): Promise<void> {
  for (let left = ms; left > 0; left -= step) {
    service.clock.advance(Math.min(left, step));
    await new Promise(setImmediate);
    await service.jobs.idle();
  }
}

describe('without a recogniser', () => {
  test('audio waits over restarts, costs no attempt, and goes on once the server is started with one', async () => {
    const service = await createRecordService({ hearsPatients: false });
    const upload = await service.upload();
    const job = await service.enqueue(sound, { upload });
    expect(job).toMatchObject({ status: 'queued', waiting_for: { reason: 'engine' } });
    for (let day = 0; day < 3; day++) {
      await pass(service, 24 * 3600 * 1000, 3600 * 1000);
      await service.restart(false);
    }
    await service.jobs.idle();
    expect(await service.job(job.id)).toMatchObject({
      status: 'queued',
      attempts: 0,
      error: null,
      waiting_for: { reason: 'engine', position: 1 },
    });
    expect(await messages(service, job)).toEqual(['Queued.', waits]);
    expect(service.engine.calls).toEqual([]);
    expect(await service.blobs.list()).toEqual([upload.audio.blob]);
    await service.restart(true);
    await service.jobs.idle();
    expect(await service.job(job.id)).toMatchObject({ status: 'completed', attempts: 1 });
    expect(await messages(service, job)).toEqual([
      'Queued.',
      waits,
      'Begun, attempt 1 of 3.',
      'The audio has been transcribed.',
      'The record has been stored.',
    ]);
    expect(await service.blobs.list()).toEqual([upload.audio.blob]);
  });

  test('a job of a server that had one says in its log that it waits now', async () => {
    const service = await createRecordService();
    await service.jobs.stop();
    const job = await dictate(service);
    await service.restart(false);
    await service.jobs.idle();
    expect(await messages(service, job)).toEqual(['Queued.', waits]);
  });

  test('test clients are heard as before, and text needs none', async () => {
    const service = await createRecordService({ hearsPatients: false });
    await dictate(service);
    const tried = await dictate(service, testClient);
    const written = await service.enqueue({ text: dictated });
    await service.jobs.idle();
    const test = await service.routes.jobs.get({ params: { id: tried.id } }, service.call({ caller: testClient }));
    expect([test.data.status, await statusOf(service, written)]).toEqual(['completed', 'completed']);
  });

  test('live recognition does not wait for it', async () => {
    const service = await createRecordService({ hearsPatients: false });
    const { id } = await dictate(service);
    const spoken = (await service.store.get('jobs', id))!;
    const live = { ...spoken, request: { transcriptions: [{ id: 'trn_1' }] } };
    expect(service.jobs.unheardSince(spoken)).toBeDefined();
    expect(service.jobs.unheardSince(live)).toBeUndefined();
  });

  test('a cancelled job leaves no audio, and nothing comes of it when the recogniser comes', async () => {
    const service = await createRecordService({ hearsPatients: false });
    const job = await dictate(service);
    await service.routes.jobs.cancel({ params: { id: job.id } }, service.call());
    expect(await service.blobs.list()).toEqual([]);
    await service.restart(true);
    await service.jobs.idle();
    expect(await statusOf(service, job)).toBe('cancelled');
    expect(service.engine.calls).toEqual([]);
  });

  test('a dictation whose exam is gone meanwhile still becomes a document', async () => {
    const service = await createRecordService({ hearsPatients: false });
    const item = await service.exam();
    const job = await service.enqueue({ ...sound, worklist_item_id: item }, { upload: await service.upload() });
    await service.store.transact(async (tx) => tx.remove('items', item));
    await service.restart(true);
    await service.jobs.idle();
    expect(await statusOf(service, job)).toBe('completed');
  });

  test('sound that takes all the room is refused and not kept; cancelling makes room', async () => {
    const bytes = (await createRecordService().then((one) => one.upload())).audio.bytes;
    const service = await createRecordService({ hearsPatients: false, limits: { waitingAudio: 4 * bytes } });
    const first = await dictate(service);
    await dictate(service);
    await service.jobs.idle();
    const upload = await service.upload();
    const busy = await refusal(service.enqueue(sound, { upload }));
    expect(busy).toMatchObject({ code: 'SERVER_BUSY', status: 503, details: { limit_bytes: 4 * bytes } });
    expect(upload.kept).toBe(false);
    // Half of the room is left to others.
    await dictate(service, { client_id: 'other' });
    await service.routes.jobs.cancel({ params: { id: first.id } }, service.call());
    await service.jobs.idle();
    await service.enqueue(sound, { upload });
    expect(upload.kept).toBe(true);
    expect(service.jobs.waiting()).toMatchObject({ jobs: 3, audio_bytes: 3 * bytes });
  });

  test('audio that waits is heard as soon as there is one, and waits again once it is gone', async () => {
    const service = await createRecordService({ hearsPatients: false });
    const job = await dictate(service);
    await service.recognition.replace(controlledEngine());
    expect(await queueOf(service)).toMatchObject({ available: true, at_once: 2 });
    await service.jobs.idle();
    expect(await statusOf(service, job)).toBe('completed');
    await service.recognition.replace(undefined);
    const later = await dictate(service);
    await service.jobs.idle();
    expect(await service.job(later.id)).toMatchObject({ status: 'queued', waiting_for: { reason: 'engine' } });
  });

  test('results of a dictation that the former still transcribes do not affect the next', async () => {
    const service = await createRecordService();
    service.engine.hold();
    const job = await dictate(service);
    await service.engine.called(1);
    const next = controlledEngine();
    const replaced = service.recognition.replace(next);
    service.engine.failNext(unavailable());
    service.engine.release();
    await replaced;
    await pass(service, 10_000);
    expect(await queueOf(service)).toMatchObject({ available: true });
    expect(await statusOf(service, job)).toBe('completed');
    expect(next.calls.map(({ step }) => step)).toContain('transcribe');
  });
});

describe('a recogniser that is down', () => {
  test('is probed ever more rarely; its jobs wait without an attempt, and go on when it is back', async () => {
    const service = await createRecordService();
    let isUp = false;
    let probes = 0;
    service.engine.probe = async () => {
      probes++;
      if (!isUp) throw unavailable();
    };
    service.engine.failNext(unavailable(), unavailable());
    const jobs = [await dictate(service), await dictate(service), await dictate(service)];
    await service.jobs.idle();
    const heard = service.engine.calls.length;
    expect(heard).toBeLessThanOrEqual(2);
    await pass(service, 3600 * 1000, 10_000);
    expect(service.engine.calls).toHaveLength(heard);
    expect(probes).toBeGreaterThan(60);
    expect(probes).toBeLessThan(130);
    expect(await queueOf(service)).toMatchObject({ available: false, waiting: 3, until: expect.any(String) });
    for (const job of jobs) {
      expect(await service.job(job.id)).toMatchObject({
        status: 'queued',
        attempts: 0,
        waiting_for: { reason: 'engine', until: expect.any(String) },
      });
      expect(await messages(service, job)).toEqual(['Queued.', waits]);
    }
    isUp = true;
    await pass(service, 120_000, 10_000);
    for (const job of jobs) expect(await service.job(job.id)).toMatchObject({ status: 'completed', attempts: 1 });
    expect(service.log_entries.map(({ event }) => event)).toEqual(['recogniser_down', 'recogniser_back']);
  });

  test('that answers probes all the same is tried with one dictation at a time, and fills no log', async () => {
    const service = await createRecordService();
    const { engine } = service;
    let isUp = false;
    const { transcribe } = engine;
    let atOnce = 0;
    let most = 0;
    engine.transcribe = async (input, signal) => {
      most = Math.max(most, ++atOnce);
      await new Promise(setImmediate);
      atOnce--;
      if (!isUp) throw unavailable();
      return transcribe(input, signal);
    };
    const jobs = [await dictate(service), await dictate(service), await dictate(service)];
    await service.jobs.idle();
    most = 0;
    await pass(service, 3600 * 1000, 10_000);
    expect(most).toBe(1);
    for (const job of jobs) {
      expect(await service.job(job.id)).toMatchObject({ status: 'queued', attempts: 0 });
      expect((await service.logOf(job.id)).length).toBeLessThanOrEqual(2);
    }
    isUp = true;
    await pass(service, 400_000, 10_000);
    for (const job of jobs) expect(await statusOf(service, job)).toBe('completed');
  });

  test('a probe that never answers counts as failed', async () => {
    const service = await createRecordService();
    let probes = 0;
    service.engine.probe = (signal) => {
      probes++;
      return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('late'))));
    };
    service.engine.failNext(unavailable());
    const job = await dictate(service);
    await service.jobs.idle();
    await pass(service, 120_000, 1000);
    expect(probes).toBeGreaterThan(1);
    expect(await statusOf(service, job)).toBe('queued');
    service.engine.probe = async () => {};
    await pass(service, 120_000, 1000);
    expect(await statusOf(service, job)).toBe('completed');
  });

  test('one dictation that it never takes holds up no other', async () => {
    const service = await createRecordService();
    const { engine } = service;
    const { transcribe } = engine;
    const bad = await service.upload();
    engine.transcribe = async (input: TranscribeInput, signal) => {
      if (input.audio.blob === bad.audio.blob) throw unavailable();
      return transcribe(input, signal);
    };
    const job = await service.enqueue(sound, { upload: bad });
    const others: Job[] = [];
    for (let count = 0; count < 10; count++) others.push(await dictate(service));
    await service.jobs.idle();
    await pass(service, 20_000);
    for (const other of others) expect(await statusOf(service, other)).toBe('completed');
    expect(await service.job(job.id)).toMatchObject({ status: 'queued', waiting_for: { reason: 'engine' } });
  });

  test('audio that is damaged fails instead of waiting, and is kept', async () => {
    const service = await createRecordService({ hearsPatients: false });
    const upload = await service.upload();
    const job = await service.enqueue(sound, { upload });
    service.engine.failNext(unavailable());
    const { read } = service.blobs;
    (service.blobs as { read: unknown }).read = async () => Promise.reject(new AppError('INTERNAL_ERROR'));
    await service.restart(true);
    await service.jobs.idle();
    (service.blobs as { read: unknown }).read = read;
    expect(await service.job(job.id)).toMatchObject({ status: 'failed', error: { code: 'INTERNAL_ERROR' } });
    expect(await service.blobs.list()).toEqual([upload.audio.blob]);
  });

  test('a stop while it is down leaves nothing running, and the next start tries again', async () => {
    const service = await createRecordService();
    let probes = 0;
    service.engine.probe = async () => {
      probes++;
      throw unavailable();
    };
    service.engine.failNext(unavailable());
    const job = await dictate(service);
    await service.jobs.idle();
    await service.jobs.stop();
    service.clock.advance(3600 * 1000);
    expect(probes).toBe(0);
    await service.jobs.start();
    await service.jobs.idle();
    expect(await statusOf(service, job)).toBe('completed');
  });
});

describe('the queue of a recogniser', () => {
  test.each([1, 3])('hears %i at once, and more are not given to it', async (hearing) => {
    const service = await createRecordService({ limits: { hearing } });
    service.engine.hold();
    const jobs: Job[] = [];
    for (let count = 0; count < 5; count++) jobs.push(await dictate(service));
    await service.engine.called(hearing);
    await new Promise(setImmediate);
    expect(service.engine.calls).toHaveLength(hearing);
    expect(await queueOf(service)).toEqual({
      available: true,
      at_once: hearing,
      in_progress: hearing,
      waiting: 5 - hearing,
    });
    const last = await service.job(jobs.at(-1)!.id);
    expect(last.waiting_for).toEqual({ reason: 'turn', position: 5 - hearing });
    service.engine.release();
    await service.jobs.idle();
    for (const job of jobs) expect(await statusOf(service, job)).toBe('completed');
  });

  test('takes turns between the people of one client: who dictated one waits for no other’s ten', async () => {
    const service = await createRecordService({ limits: { hearing: 1 } });
    const of = (name: string) => ({ user: { id: `usr_${name}`, username: name, display_name: name } });
    service.engine.hold();
    const busy: Job[] = [];
    for (let count = 0; count < 10; count++) busy.push(await dictate(service, of('busy')));
    await service.engine.called(1);
    const other = await dictate(service, of('other'));
    const waitsFor = async ({ id }: Job) => (await service.job(id)).waiting_for;
    expect((await waitsFor(other))?.position).toBeLessThanOrEqual(2);
    expect(await waitsFor(busy.at(-1)!)).toEqual({ reason: 'turn', position: 10 });
    service.engine.release();
    await service.jobs.idle();
    const begun = (await Promise.all([...busy, other].map(({ id }) => service.job(id)))).map(({ status }) => status);
    expect(new Set(begun)).toEqual(new Set(['completed']));
  });

  test('does not hold up texts, however slow the recogniser is', async () => {
    const service = await createRecordService({ limits: { hearing: 1 } });
    const { engine } = service;
    const held = Promise.withResolvers<void>();
    const { transcribe } = engine;
    engine.transcribe = async (input, signal) => {
      await held.promise;
      return transcribe(input, signal);
    };
    for (let count = 0; count < 20; count++) await dictate(service);
    const written = await service.enqueue({ text: dictated });
    await expect.poll(async () => statusOf(service, written)).toBe('completed');
    held.resolve();
    await service.jobs.idle();
  });

  test('a dictation that is heard leaves the recogniser to the next while its document is written', async () => {
    const service = await createRecordService({ limits: { hearing: 1 } });
    const { engine } = service;
    const held = Promise.withResolvers<void>();
    const { compose } = engine;
    engine.compose = async (input, signal) => {
      await held.promise;
      return compose(input, signal);
    };
    for (let count = 0; count < 2; count++) await dictate(service);
    await engine.called(2);
    expect(engine.calls.map(({ step }) => step)).toEqual(['transcribe', 'transcribe']);
    held.resolve();
    await service.jobs.idle();
  });

  test('clients take turns: one that queues 10,000 lets another wait for a single dictation', async () => {
    const service = await createRecordService({ hearsPatients: false, limits: { hearing: 1, waitingAudio: Infinity } });
    const { audio } = await service.upload();
    const { id: pattern } = await dictate(service, { client_id: 'many' });
    const job = (await service.store.get('jobs', pattern))!;
    await service.store.transact(async (tx) => {
      for (let count = 0; count < 10_000; count++) tx.put('jobs', { ...job, id: service.ids('job'), audio });
    });
    const one = await dictate(service, { client_id: 'one' });
    await service.jobs.idle();
    expect((await service.job(one.id)).waiting_for).toEqual({ reason: 'engine', position: 2 });
    const all = await service.routes.jobs.list({ query: { limit: 200 } }, service.call());
    const positions = all.data.items.slice(1).map(({ waiting_for: waiting }) => waiting!.position);
    expect(positions).toEqual(Array.from({ length: 199 }, (_, at) => 10_002 - at));
    const order: string[] = [];
    const { transcribe } = service.engine;
    service.engine.transcribe = async (input, signal) => {
      order.push(input.audio.blob);
      if (order.length === 3) await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()));
      return transcribe(input, signal);
    };
    await service.restart(true);
    await expect.poll(() => order.length).toBe(3);
    expect((await service.store.get('jobs', one.id))!.status).not.toBe('queued');
    await service.jobs.stop();
  });
});

test('in any order of events, no dictation is lost, ends twice or starves, and none is transcribed without a recogniser', async () => {
  const step = fc.constantFrom(
    'dictate',
    'dictate as another',
    'cancel',
    'outage',
    'refuse one',
    'back',
    'advance',
    'restart without',
    'restart with',
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 25 }), async (steps) => {
      const service = await createRecordService({ limits: { hearing: 1 } });
      let isUp = true;
      const { transcribe } = service.engine;
      service.engine.probe = async () => {
        if (!isUp) throw unavailable();
      };
      service.engine.transcribe = async (input, signal) => {
        if (!isUp) throw unavailable();
        return transcribe(input, signal);
      };
      const jobs: Job[] = [];
      const cancelled = new Set<string>();
      for (const [index, name] of steps.entries()) {
        if (name === 'dictate') jobs.push(await dictate(service));
        if (name === 'dictate as another') jobs.push(await dictate(service, { client_id: 'another' }));
        const chosen = jobs[index % jobs.length];
        if (name === 'cancel' && chosen) {
          const cancel = service.routes.jobs.cancel({ params: { id: chosen.id } }, service.call());
          await cancel.then(
            () => cancelled.add(chosen.id),
            () => undefined,
          );
        }
        if (name === 'outage') isUp = false;
        if (name === 'back') isUp = true;
        if (name === 'refuse one') service.engine.failNext(unavailable());
        if (name === 'advance') service.clock.advance(30_000);
        if (name === 'restart without') await service.restart(false);
        if (name === 'restart with') await service.restart(true);
        await new Promise(setImmediate);
      }
      isUp = true;
      await service.restart(true);
      // The longest back-off of a job, and what it takes to probe the recogniser.
      await pass(service, 800_000, 20_000);
      const ended = await Promise.all(jobs.map(({ id }) => service.job(id)));
      for (const job of ended) {
        expect(hasEnded(job.status)).toBe(true);
        expect(job.status === 'cancelled').toBe(cancelled.has(job.id));
        expect('waiting_for' in job).toBe(false);
      }
      const completed = ended.filter(({ status }) => status === 'completed').map(({ id }) => id);
      const records = await service.store.find('records', {});
      // A restart in the middle of an attempt counts, up to the third.
      const failed = ended.filter(({ status }) => status === 'failed');
      expect(failed.every(({ error }) => error?.code === 'INTERRUPTED')).toBe(true);
      expect(records.map(({ job_id }) => job_id).toSorted()).toEqual(completed.toSorted());
      expect((await service.blobs.list()).length).toBe(jobs.length - cancelled.size);
      expect(service.jobs.waiting()).toMatchObject({ jobs: 0, audio_bytes: 0 });
    }),
    { numRuns: 20 },
  );
});
