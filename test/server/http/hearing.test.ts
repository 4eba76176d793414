/** Whose sound is heard: a test client's by a simulation that says so; real patients' by nobody, and nothing is made up. */
import { describe, expect, test } from 'vitest';
import { createHearing } from '../../../server/engine/hearing.ts';
import { createSimulatedRecogniser } from '../../../server/engine/simulated/simulated-recogniser.ts';
import { contract } from '../../../src/contract/index.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { wav } from '../../support/audio.ts';
import { audioPart, multipart, multipartType } from './multipart.ts';

const api = await startApi();
const { engines, records, jobs, system } = contract;
const { generate, correct } = records.endpoints;
const login = { username: 'nunes', password: 'correct horse' };
await api.createUser({ ...login, display_name: 'Dra. Nunes' });
const { access_token: token } = await api.tokens({ client: await api.createClient(), login });

const sound = { audio: { content_type: 'audio/wav', data: wav().toString('base64') } };
const form = { body: multipart([audioPart(wav())]), headers: { 'content-type': multipartType } };
const stored = async () => succeeded(await api.call(system.endpoints.status));

describe('a production client’s sound', () => {
  const written = api.generate({ text: 'Maria Silva. Findings: clear.' }, { token });

  test.each([
    ['at once', async () => api.call(generate, { token, body: sound })],
    ['later', async () => api.call(generate, { token, body: { ...sound, mode: 'async' } })],
    ['as a form', async () => api.call(generate, { token, ...form })],
    [
      'as a form whose fields come first',
      async () =>
        api.call(generate, {
          token,
          headers: form.headers,
          body: multipart([{ name: 'mode', value: 'async' }, audioPart(wav())]),
        }),
    ],
    ['to correct', async () => api.call(correct, { token, params: { id: (await written).id }, body: sound })],
    ['to correct, as a form', async () => api.call(correct, { token, params: { id: (await written).id }, ...form })],
  ])('%s: 503 that says what to do, and nothing is kept', async (_name, ask) => {
    const { id, version } = await written;
    const before = await stored();
    const answer = await ask();
    expect(answer).toMatchObject({
      status: 503,
      error: {
        code: 'ENGINE_UNAVAILABLE',
        message: expect.stringContaining('does not recognise speech'),
        details: { reason: 'no_recogniser', hint: expect.stringContaining('send the words as text') },
      },
    });
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(60);
    expect(await stored()).toMatchObject({ audio_files: before.audio_files, stored: before.stored });
    const record = succeeded(await api.call(records.endpoints.get, { token, params: { id } }));
    expect(record.version).toBe(version);
  });

  test('makes no job either', async () => {
    expect(succeeded(await api.call(jobs.endpoints.list, { token })).items).toEqual([]);
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

test('who asks before is told who hears', async () => {
  const of = async (ask?: { token: string }) => succeeded(await api.call(engines.endpoints.get, ask));
  expect(await of()).toEqual({ recogniser: { name: 'simulated', simulated: true }, writer: { name: 'rules' } });
  expect(await of({ token })).toEqual({ recogniser: null, writer: { name: 'rules' } });
  expect(await stored()).toMatchObject({ recogniser: null, writer: 'rules' });
});

test('a server cannot be put together in which a simulation hears patients', () => {
  expect(() => createHearing(createSimulatedRecogniser(), createSimulatedRecogniser())).toThrow(/test clients alone/);
});
