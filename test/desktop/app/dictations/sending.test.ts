import { createHash } from 'node:crypto';
import { cp, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Form } from '../../../../src/client/transport.ts';
import type { MedicalRecord } from '../../../../src/contract/document.ts';
import { AppError } from '../../../../src/contract/errors.ts';
import { records } from '../../../../src/contract/record.ts';
import { manualClock } from '../../../../src/domain/clock.ts';
import { controlledEngine } from '../../../support/controlled-engine.ts';
import { temporaryDirectory } from '../../../support/temporary-directory.ts';
import { hastyClock, openDesk, samples, startService } from './open-dictations.ts';
import type { Desk, Fault } from './open-dictations.ts';

type Service = Awaited<ReturnType<typeof startService>>;

const isGenerate = ({ url }: { url: string }): boolean => url.endsWith(records.endpoints.generate.path);
const unreachable: Fault = () => Promise.reject(new AppError('NETWORK'));
/** The service does as it was asked, and nobody hears of it. */
const deaf: Fault = async (request, pass) => {
  await (await pass()).text(1e6);
  throw new AppError('NETWORK', { message: `${request.method} was lost` });
};

const recordsOf = async (service: Service, token = service.token): Promise<readonly MedicalRecord[]> =>
  (await service.call(records.endpoints.list, { token })).data.items;

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const soundsIn = async ({ directory }: Desk): Promise<string[]> =>
  (await readdir(directory, { recursive: true })).filter((name) => name.includes('sound'));

async function set(options: Parameters<typeof openDesk>[0] = {}, service?: Service) {
  const running = service ?? (await startService());
  const desk = await openDesk({ clock: hastyClock, client: running.client, ...options });
  return { service: running, desk, item: await running.exam() };
}

/** Makes all requests those of a client with real patients, whom nobody hears, and gives an exam of theirs. */
async function realClient(service: Service): Promise<{ asReal: Fault; item: string; token: string }> {
  const login = { username: 'nunes', password: 'correct horse' };
  await service.createUser(login);
  const { access_token: token } = await service.tokens({ client: await service.createClient(), login });
  const item = await service.exam({}, { token });
  const asReal: Fault = ({ headers }, pass) => {
    Object.assign(headers, { authorization: `Bearer ${token}` });
    return pass();
  };
  return { asReal, item, token };
}

describe('sending', () => {
  it('is refused if its length differs from the announced one', async () => {
    const { desk, item } = await set();
    const { id } = await desk.dictate(item, samples(5, 4000));
    const { seconds = 0 } = (await desk.get(id)) ?? {};
    const asked = { id, language: 'en-US', template_id: null } as const;
    await expect(desk.call['dictation.send']({ ...asked, of: seconds + 0.1 })).rejects.toMatchObject({
      code: 'INVALID_TRANSITION',
      details: { reason: 'changed_elsewhere' },
    });
    expect(await desk.get(id)).toMatchObject({ state: 'paused', seconds });
    expect(await desk.call['dictation.send']({ ...asked, of: seconds })).toMatchObject({ state: 'queued' });
    await desk.close();
  });

  it('makes a document of the very sound, and keeps no copy of that', async () => {
    const { service, desk, item } = await set();
    const { id } = await desk.dictate(item, samples(5, 4000), samples(9, 2000));
    const wav = await desk.wav(id);
    expect(await desk.send(id)).toMatchObject({ state: 'queued', language: 'en-US' });
    const done = await desk.until(({ state }) => state === 'done');
    const [record, ...others] = await recordsOf(service);
    expect(others).toEqual([]);
    expect(record).toMatchObject({
      id: done.record_id,
      job_id: done.job_id,
      worklist_item_id: item,
      language: 'en-US',
      source: { kind: 'audio', content_type: 'audio/wav', sha256: sha256(wav), audio_seconds: 0.75 },
    });
    const states = desk.told.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
    expect(states.join(' ')).toBe('paused recording paused queued sending processing done');
    await desk.close();
    expect(await soundsIn(desk)).toEqual([]);
    expect(desk.log).toEqual([]);
  });

  it('refuses a dictation in which nothing was recorded, and one that is on its way', async () => {
    const { service, desk, item } = await set();
    service.disturb(unreachable);
    const empty = await desk.dictate(item);
    await expect(desk.send(empty.id)).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    const later = ['take', 'send', 'undo', 'retry'] as const;
    for (const name of later) {
      const input = { id, take: 'one', mode: 'append', at: 0, language: 'en-US', template_id: null } as const;
      await expect(desk.call[`dictation.${name}`](input), name).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    }
  });

  it('waits while the service can’t be reached, and goes on when it can', async () => {
    const { service, desk, item } = await set({ clock: manualClock(Date.now()) });
    service.disturb(unreachable);
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    await desk.until(({ state }) => state === 'sending');
    await expect.poll(() => desk.get(id)).toMatchObject({ state: 'queued', error: null });
    service.disturb(undefined);
    desk.online();
    await desk.until(({ state }) => state === 'processing');
    expect(await recordsOf(service)).toHaveLength(1);
  });

  it('lets those of other exams pass where the service fails at one each time, and keeps that one to be sent again', async () => {
    const { service, desk, item } = await set({ clock: manualClock(Date.now()) });
    let tries = 0;
    service.disturb((request, pass) => {
      const isFailing = isGenerate(request) && (request.body as Form).fields['worklist_item_id'] === item;
      if (isFailing) tries += 1;
      return isFailing ? Promise.reject(new AppError('INTERNAL_ERROR')) : pass();
    });
    const failing = await desk.dictate(item, samples(1, 100));
    await desk.send(failing.id);
    await expect.poll(() => tries).toBe(1);
    const other = await desk.dictate(await service.exam(), samples(2, 100));
    await desk.send(other.id);
    await desk.until(({ id, state }) => id === other.id && state === 'processing');
    await expect
      .poll(async () => {
        desk.online();
        return desk.get(failing.id);
      })
      .toMatchObject({ state: 'failed', error: { code: 'INTERNAL_ERROR' } });
    expect(tries).toBeLessThan(10);
    service.disturb(undefined);
    await desk.call['dictation.retry']({ id: failing.id });
    await desk.until(({ id, state }) => id === failing.id && state === 'processing');
  });

  it('makes one document where the answer was lost, whatever was restarted meanwhile', async () => {
    const { service, desk, item } = await set({ clock: manualClock(Date.now()) });
    const { id } = await desk.dictate(item, samples(1, 100));
    service.disturb((request, pass) => (isGenerate(request) ? deaf(request, pass) : pass()));
    await desk.send(id);
    await expect.poll(() => desk.told.slice(-1)).toMatchObject([{ state: 'queued', progress: 1 }]);
    const directory = await temporaryDirectory();
    await cp(join(desk.directory, 'dictations'), join(directory, 'dictations'), { recursive: true });
    await desk.close();
    service.disturb(undefined);
    const again = await openDesk({ directory, clock: hastyClock, client: service.client });
    const done = await again.until(({ state }) => state === 'done');
    expect((await recordsOf(service)).map((record) => record.id)).toEqual([done.record_id]);
    expect(service.asked.filter((request) => request.startsWith('POST'))).toHaveLength(2);
  });

  it('finds its document also when the service has forgotten the Idempotency-Key', async () => {
    const clock = manualClock(Date.now());
    const { service, desk, item } = await set({ clock }, await startService({ clock }));
    const { id } = await desk.dictate(item, samples(1, 100));
    service.disturb((request, pass) => (isGenerate(request) ? deaf(request, pass) : pass()));
    await desk.send(id);
    await expect.poll(() => desk.told.slice(-1)).toMatchObject([{ state: 'queued', progress: 1 }]);
    await expect.poll(() => recordsOf(service)).toHaveLength(1);
    service.disturb(undefined);
    clock.advance(25 * 3_600_000);
    const token = await service.logInAgain();
    desk.online();
    const done = await desk.until(({ state }) => state === 'done');
    expect((await recordsOf(service, token)).map((record) => record.id)).toEqual([done.record_id]);
  });

  it('sends one at a time, in the order in which they were sealed', async () => {
    const { service, desk, item } = await set();
    const order: string[] = [];
    let running = 0;
    let most = 0;
    service.disturb(async (request, pass) => {
      if (!isGenerate(request)) return pass();
      most = Math.max(most, ++running);
      order.push(String(request.headers['idempotency-key']));
      return pass().finally(() => running--);
    });
    const ids: string[] = [];
    for (const value of [1, 2, 3]) ids.push((await desk.dictate(item, samples(value, 30_000))).id);
    for (const id of ids.toReversed()) await desk.send(id);
    for (const id of ids) await desk.until((told) => told.id === id && told.state === 'done');
    expect(most).toBe(1);
    expect(order).toEqual(ids.toReversed());
  });

  it('keeps the sound where the service has another', async () => {
    const { service, desk, item } = await set();
    const { id } = await desk.dictate(item, samples(1, 100));
    service.disturb(async (request, pass) => {
      const answer = await pass();
      if (!request.url.endsWith('/result')) return answer;
      const text = (await answer.text(1e6)).replace(/"sha256":"[0-9a-f]/, '"sha256":"x');
      return { ...answer, text: async () => text };
    });
    await desk.send(id);
    const failed = await desk.until(({ state }) => state === 'failed');
    expect(failed.error).toMatchObject({ code: 'BAD_ANSWER' });
    expect(await desk.heard(id)).toHaveLength(100);
  });

  it('is done as well where its document was deleted before it was seen here', async () => {
    const { service, desk, item } = await set();
    const { id } = await desk.dictate(item, samples(1, 100));
    service.disturb(async (request, pass) => {
      if (request.url.endsWith('/result')) {
        const [record] = await recordsOf(service);
        await service.call(records.endpoints.delete, { params: { id: record!.id } });
      }
      return pass();
    });
    await desk.send(id);
    expect(await desk.until(({ state }) => state === 'done' || state === 'failed')).toMatchObject({
      state: 'done',
      error: null,
    });
    await desk.close();
    expect(await soundsIn(desk)).toEqual([]);
  });

  it('can be tried again after its job has failed, as a new request', async () => {
    const { service, desk, item } = await set();
    const { id } = await desk.dictate(item, samples(1, 100));
    const keys: string[] = [];
    service.disturb((request, pass) => {
      if (!isGenerate(request)) return pass();
      keys.push(String(request.headers['idempotency-key']));
      if (keys.length === 1) Object.assign(request.headers, { 'x-laudio-simulate': 'job=fail' });
      return pass();
    });
    await desk.send(id);
    const failed = await desk.until(({ state }) => state === 'failed');
    expect(failed.error?.message).toEqual(expect.any(String));
    expect(await desk.heard(id)).toHaveLength(100);
    expect(await desk.call['dictation.retry']({ id })).toMatchObject({ state: 'queued', error: null, job_id: null });
    await desk.until(({ state }) => state === 'done');
    expect(keys).toEqual([id, `${id}.1`]);
    expect(await recordsOf(service)).toHaveLength(1);
  });

  it('reports the refusal of the service, and allows another attempt with other settings', async () => {
    const { service, desk, item } = await set();
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.call['dictation.send']({ id, language: 'en-US', template_id: 'no_such_template' });
    const failed = await desk.until(({ state }) => state === 'failed');
    expect(failed.error).toMatchObject({ code: 'VALIDATION_FAILED' });
    await desk.take(id);
    await desk.block(id, samples(2, 50));
    await desk.call['dictation.pause']({ id });
    expect(await desk.send(id)).toMatchObject({ state: 'queued', seconds: 150 / 8000 });
    await desk.until(({ state }) => state === 'done');
    expect(await recordsOf(service)).toHaveLength(1);
  });

  it('asks once if there is no recogniser and nothing may wait, says so, and keeps the audio', async () => {
    const { service, desk } = await set();
    const { asReal, item } = await realClient(service);
    service.disturb((request, pass) => {
      // So a service of an earlier version answers.
      if (isGenerate(request)) Object.assign((request.body as Form).fields, { mode: 'sync' });
      return asReal(request, pass);
    });
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    const failed = await desk.until(({ state }) => state === 'failed');
    expect(failed.error).toMatchObject({ code: 'ENGINE_UNAVAILABLE' });
    expect(service.asked.filter((call) => call.endsWith('/generate'))).toHaveLength(1);
    expect(await desk.heard(id)).toEqual(Array(100).fill(1));
  });

  it('explains why a dictation waits without a recogniser, and returns the audio if it is cancelled', async () => {
    const { service, desk } = await set();
    const { asReal, item } = await realClient(service);
    service.disturb(asReal);
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    const waits = await desk.until(({ waiting_for: waiting }) => waiting !== undefined);
    expect(waits).toMatchObject({ state: 'processing', error: null, waiting_for: { reason: 'engine' } });
    expect(await desk.heard(id)).toEqual(Array(100).fill(1));
    const cancelled = await desk.call['dictation.cancel']({ id });
    expect(cancelled.state).not.toBe('processing');
    expect('waiting_for' in cancelled).toBe(false);
    expect(await desk.heard(id)).toEqual(Array(100).fill(1));
  });

  it('follows a job that was running when the app ended', async () => {
    const engine = controlledEngine();
    const { service, desk, item } = await set({}, await startService({ engine }));
    engine.hold();
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    await desk.until(({ state }) => state === 'processing');
    await engine.called(1);
    await desk.close();
    const again = await openDesk({ directory: desk.directory, clock: hastyClock, client: service.client });
    expect(await again.get(id)).toMatchObject({ state: 'processing', job_id: expect.any(String) });
    engine.release();
    await again.until(({ state }) => state === 'done');
  });
});

describe('taking back', () => {
  it('is possible while it waits', async () => {
    const { service, desk, item } = await set();
    service.disturb(unreachable);
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    expect(await desk.call['dictation.cancel']({ id })).toMatchObject({ state: 'paused', can_undo: true });
    service.disturb(undefined);
    desk.online();
    await desk.send(id);
    await desk.until(({ state }) => state === 'done');
    expect(await recordsOf(service)).toHaveLength(1);
  });

  it('stops a sending that hangs', async () => {
    const { service, desk, item } = await set();
    service.disturb(
      ({ signal }) =>
        new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new AppError('INTERRUPTED')))),
    );
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    await desk.until(({ state }) => state === 'sending');
    expect(await desk.call['dictation.cancel']({ id })).toMatchObject({ state: 'paused' });
    await desk.call['dictation.discard']({ id });
  });

  it('cancels the job; sent again it is a new request', async () => {
    const engine = controlledEngine();
    const { service, desk, item } = await set({}, await startService({ engine }));
    engine.hold();
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    const { job_id } = await desk.until(({ state }) => state === 'processing');
    await engine.called(1);
    await expect(desk.call['dictation.discard']({ id })).rejects.toMatchObject({ code: 'INVALID_TRANSITION' });
    expect(await desk.call['dictation.cancel']({ id })).toMatchObject({ state: 'paused', job_id: null });
    expect((await service.ended(job_id!)).status).toBe('cancelled');
    engine.release();
    await desk.send(id);
    await desk.until(({ state }) => state === 'done');
    expect(await recordsOf(service)).toHaveLength(1);
  });
});

describe('compressed sound', () => {
  const webm = readFile(new URL('../../../fixtures/audio/speech.webm', import.meta.url));

  it('is sent instead of WAV', async () => {
    const { service, desk, item } = await set({ uploadFormat: () => 'opus' });
    const { id } = await desk.dictate(item, samples(1, 100));
    expect(await desk.send(id)).toMatchObject({ state: 'queued', compress: true });
    expect(await desk.heard(id)).toHaveLength(100);
    await desk.call['dictation.encoded']({ id, content_type: 'audio/webm' }, await webm);
    await desk.until(({ state }) => state === 'done');
    const [record] = await recordsOf(service);
    expect(record!.source).toMatchObject({ content_type: 'audio/webm', sha256: sha256(await webm) });
    await desk.close();
    expect(await soundsIn(desk)).toEqual([]);
  });

  it('is not waited for without end', async () => {
    const clock = manualClock(Date.now());
    const { service, desk, item } = await set({ clock, uploadFormat: () => 'opus' });
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    clock.advance(119_999);
    expect(await desk.get(id)).toMatchObject({ state: 'queued' });
    expect(service.asked).toEqual([]);
    clock.advance(1);
    await desk.until(({ state }) => state === 'processing');
  });

  it('is refused where it is something else', async () => {
    const { desk, item } = await set({ uploadFormat: () => 'opus' });
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    for (const bytes of [Buffer.alloc(0), Buffer.from('OggS')]) {
      const given = desk.call['dictation.encoded']({ id, content_type: 'audio/webm' }, bytes);
      await expect(given).rejects.toMatchObject({ code: 'VALIDATION_FAILED' });
    }
  });

  it('no longer counts once something was recorded after it', async () => {
    const { service, desk, item } = await set({ uploadFormat: () => 'opus' });
    service.disturb(unreachable);
    const { id } = await desk.dictate(item, samples(1, 100));
    await desk.send(id);
    await desk.call['dictation.encoded']({ id, content_type: 'audio/webm' }, await webm);
    await desk.call['dictation.cancel']({ id });
    await desk.take(id);
    await desk.block(id, samples(2, 50));
    const { directory } = desk;
    await desk.close();
    service.disturb(undefined);
    const again = await openDesk({ directory, clock: hastyClock, client: service.client });
    const wav = await again.wav(id);
    await again.send(id);
    await again.until(({ state }) => state === 'done');
    expect((await recordsOf(service))[0]!.source.sha256).toBe(sha256(wav));
  });
});
