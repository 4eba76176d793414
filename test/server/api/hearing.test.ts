/** Whose sound is heard: a test client's by a simulation that says so; real patients' by nobody, and nothing is made up. */
import { describe, expect, test } from 'vitest';
import { createSpeechRecognition } from '../../../server/speech/speech-recognition.ts';
import { createSimulatedRecogniser } from '../../../server/speech/simulated/simulated-recogniser.ts';
import { contract } from '../../../src/contract/index.ts';
import type { Job } from '../../../src/contract/job.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { audioPart, multipart, multipartType } from '../http/multipart.ts';

const api = await startApi();
const { engines, records, jobs, system } = contract;
const { generate, correct } = records.endpoints;
const login = { username: 'nunes', password: 'correct horse' };
await api.createUser({ ...login, display_name: 'Dra. Nunes' });
const { access_token: token } = await api.tokens({ client: await api.createClient(), login });

const sound = { audio: { content_type: 'audio/wav', data: wav().toString('base64') } };
const form = { body: multipart([audioPart(wav())]), headers: { 'content-type': multipartType } };
const status = async () => succeeded(await api.call(system.endpoints.status));

describe('a production client’s sound', () => {
  const written = api.generate({ text: 'Maria Silva. Findings: clear.' }, { token });

  test.each([
    ['at once', async () => api.call(generate, { token, body: sound })],
    ['as a form', async () => api.call(generate, { token, ...form })],
    [
      'as a form whose fields come first',
      async () =>
        api.call(generate, {
          token,
          headers: form.headers,
          body: multipart([{ name: 'mode', value: 'sync' }, audioPart(wav())]),
        }),
    ],
    ['to correct', async () => api.call(correct, { token, params: { id: (await written).id }, body: sound })],
    ['to correct, as a form', async () => api.call(correct, { token, params: { id: (await written).id }, ...form })],
  ])('%s: 503 that says what to do, and nothing is kept', async (_name, ask) => {
    const { id, version } = await written;
    const before = { ...(await status()), stored: await api.stored() };
    const answer = await ask();
    expect(answer).toMatchObject({
      status: 503,
      error: {
        code: 'ENGINE_UNAVAILABLE',
        message: expect.stringContaining('does not recognise speech'),
        details: {
          reason: 'no_recogniser',
          hint: expect.stringMatching(/send the words as text.*--recogniser.*async/),
        },
      },
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(60);
    expect(await status()).toMatchObject({ audio_files: before.audio_files });
    expect(await api.stored()).toEqual(before.stored);
    const record = succeeded(await api.call(records.endpoints.get, { token, params: { id } }));
    expect(record.version).toBe(version);
  });

  test('makes no job either', async () => {
    expect(succeeded(await api.call(jobs.endpoints.list, { token })).items).toEqual([]);
  });
});

describe('a production client’s sound that may wait', () => {
  const mode = { name: 'mode', value: 'async' } as const;

  test.each([
    ['as JSON', async () => api.call(generate, { token, body: { ...sound, mode: 'async' } })],
    [
      'as a form',
      async () => api.call(generate, { token, headers: form.headers, body: multipart([mode, audioPart(wav())]) }),
    ],
    [
      'as a form whose fields come last',
      async () => api.call(generate, { token, headers: form.headers, body: multipart([audioPart(wav()), mode]) }),
    ],
  ])('%s: becomes a job that says what it waits for, and keeps the sound until somebody cancels it', async (_, ask) => {
    const before = await status();
    const job = succeeded(await ask(), 202) as Job;
    expect(job).toMatchObject({ status: 'queued', attempts: 0, waiting_for: { reason: 'engine' } });
    const params = { id: job.id };
    const waitingFor = async () => succeeded(await api.call(jobs.endpoints.get, { token, params })).waiting_for;
    await expect.poll(waitingFor).toEqual({ reason: 'engine', position: before.waiting.jobs + 1 });
    const { items } = succeeded(await api.call(jobs.endpoints.logs, { token, params }));
    expect(items.map(({ message }) => message)).toEqual(['Queued.', expect.stringContaining('speech recogniser')]);
    const during = await status();
    expect(during.waiting).toMatchObject({
      jobs: before.waiting.jobs + 1,
      audio_bytes: before.waiting.audio_bytes + wav().length,
    });
    expect(during.audio_files).toBe((before.audio_files ?? 0) + 1);
    const cancelled = succeeded(await api.call(jobs.endpoints.cancel, { token, params }));
    expect(cancelled.status).toBe('cancelled');
    expect('waiting_for' in cancelled).toBe(false);
    await expect.poll(status).toMatchObject({ waiting: before.waiting, audio_files: before.audio_files });
  });

  test('does not hold up text', async () => {
    const { id } = await api.enqueue(sound, { token });
    const { id: written } = await api.enqueue({ text: 'Maria Silva. Findings: clear.' }, { token });
    expect(await api.ended(written, { token })).toMatchObject({ status: 'completed' });
    expect(succeeded(await api.call(jobs.endpoints.get, { token, params: { id } })).status).toBe('queued');
    await api.call(jobs.endpoints.cancel, { token, params: { id } });
  });
});

test('text works fully for everybody: at once, later, and as an instruction', async () => {
  const text = 'Maria Silva. Findings: nodule in the left lobe. Impression: nodule.';
  const { id } = await api.generate({ text }, { token });
  const { id: job } = await api.enqueue({ text }, { token });
  expect(await api.ended(job, { token })).toMatchObject({ status: 'completed' });
  const body = { text: 'In the findings, replace left with right.' };
  const corrected = succeeded(await api.call(correct, { token, params: { id }, body }));
  expect(corrected.changes).toHaveLength(1);
});

test('a test client’s sound is heard by the simulation, which says so and names the patient of the exam', async () => {
  const worklist_item_id = await api.exam({ patient_name: 'ANÔNIMO^PACIENTE' });
  const record = await api.generate({ ...sound, worklist_item_id, language: 'pt-BR' });
  expect(record.test_mode).toBe(true);
  expect(record.sections[0]).toMatchObject({ key: 'notice', text: expect.stringContaining('simulada') });
  expect(record.sections[1]).toEqual({ key: 'patient', title: 'Paciente', text: 'Paciente Anônimo.' });
});

test('the recogniser is named on request', async () => {
  const of = async (ask?: { token: string }) => succeeded(await api.call(engines.endpoints.get, ask));
  expect(await of()).toEqual({
    recogniser: { name: 'simulated', simulated: true, live: true },
    writer: { name: 'rules', proposes_impressions: false },
  });
  expect(await of({ token })).toEqual({
    recogniser: null,
    writer: { name: 'rules', proposes_impressions: false },
    queue: { available: false, at_once: 1, in_progress: 0, waiting: 0 },
  });
  expect(await status()).toMatchObject({ recogniser: null, writer: 'rules' });
});

test('a server cannot be put together in which a simulation hears patients', () => {
  expect(() => createSpeechRecognition(createSimulatedRecogniser(), createSimulatedRecogniser())).toThrow(
    /test clients alone/,
  );
});
