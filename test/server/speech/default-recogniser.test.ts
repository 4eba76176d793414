/** Which recogniser a server has whose operator chose none, and that of test clients who are to have the real one. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findDefaultRecogniser } from '../../../server/speech/local/default-recogniser.ts';
import { contract } from '../../../src/contract/index.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { organs, tones, wavOf } from '../../support/sound.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { installToneModel } from '../../support/tone-model.ts';

const { engines, records, system } = contract;

async function dataDirectory(...models: readonly Parameters<typeof installToneModel>[1][]): Promise<string> {
  const dataDir = await temporaryDirectory();
  for (const model of models) await installToneModel(join(dataDir, 'models'), model);
  return dataDir;
}

test('is none without a model, whatever a pull has left half', async () => {
  expect(await findDefaultRecogniser(undefined)).toEqual({ use: 'none', problems: [] });
  const dataDir = await dataDirectory();
  expect(await findDefaultRecogniser(dataDir)).toEqual({ use: 'none', problems: [] });
  await mkdir(join(dataDir, 'models', '.pulls', 'tone.unpacked'), { recursive: true });
  expect(await findDefaultRecogniser(dataDir)).toEqual({ use: 'none', problems: [] });
});

test('is the model that hears live, before the one of more languages, before the first by name', async () => {
  const dataDir = await dataDirectory({ id: 'b' }, { id: 'c', live: true }, { id: 'a' });
  expect(await findDefaultRecogniser(dataDir)).toEqual({ use: 'local:c', problems: [] });
  await rm(join(dataDir, 'models', 'c'), { recursive: true });
  expect(await findDefaultRecogniser(dataDir)).toEqual({ use: 'local:a', problems: [] });
  const manifest = join(dataDir, 'models', 'a', 'model.json');
  await writeFile(manifest, JSON.stringify({ ...JSON.parse(await readFile(manifest, 'utf8')), languages: ['es-ES'] }));
  expect(await findDefaultRecogniser(dataDir)).toEqual({ use: 'local:b', problems: [] });
});

test('is another model, or none, if one is damaged or the package is missing; and the operator is notified', async () => {
  const dataDir = await dataDirectory({ id: 'cut', live: true }, { id: 'whole' });
  await writeFile(join(dataDir, 'models', 'cut', 'tokens.txt'), 'less');
  const problem = { message: expect.stringContaining('cut is damaged') as string, hint: expect.any(String) as string };
  expect(await findDefaultRecogniser(dataDir)).toEqual({ use: 'local:whole', problems: [problem] });
  expect(await findDefaultRecogniser(dataDir, () => false)).toEqual({
    use: 'none',
    problems: [
      problem,
      expect.objectContaining({ hint: expect.stringContaining('npm install sherpa-onnx-node') as string }),
    ],
  });
});

test('hears real clients of a server, and not those of one whose operator chose none', async () => {
  const dataDir = await dataDirectory({ id: 'tone' }, { id: 'cut' });
  await rm(join(dataDir, 'models', 'cut', 'tokens.txt'));
  const started = await startApi({ dataDir }, onTestFinished);
  expect(succeeded(await started.call(system.endpoints.status)).recogniser).toBe('local:tone');
  expect(started.logged).toContainEqual(expect.objectContaining({ level: 'warn', event: 'speech_limited' }));
  expect((await started.generate({ text: 'Test Patient. Findings: clear.' })).test_mode).toBe(true);
  await started.close();
  const other = await startApi({ dataDir, recogniser: { use: 'none' } }, onTestFinished);
  expect(succeeded(await other.call(system.endpoints.status)).recogniser).toBeNull();
  expect(other.logged).toEqual([]);
});

test('whose files are others of the same length says so at the start, and takes no sound', async () => {
  const dataDir = await dataDirectory({ id: 'tone' });
  const tokens = join(dataDir, 'models', 'tone', 'tokens.txt');
  const text = await readFile(tokens, 'utf8');
  await writeFile(tokens, text.replace('cor', 'roc'));
  const { logged } = await startApi({ dataDir }, onTestFinished);
  await expect
    .poll(() => logged)
    .toContainEqual(
      expect.objectContaining({
        event: 'engine_unavailable',
        message: expect.stringContaining('tokens.txt') as string,
        hint: expect.stringContaining('again') as string,
      }),
    );
});

const body = {
  audio: { content_type: 'audio/wav', data: Buffer.from(wavOf([tones(organs)])).toString('base64') },
  language: 'pt-BR',
} as const;

test('hears test clients where they are to have it, too', async () => {
  const api = await startApi({ dataDir: await dataDirectory({ id: 'tone' }), testReal: true }, onTestFinished);
  expect(succeeded(await api.call(engines.endpoints.get))).toMatchObject({
    recogniser: { name: 'local:tone', simulated: false },
    queue: { available: true },
  });
  const record = await api.generate(body);
  expect(record).toMatchObject({ test_mode: true, transcript: 'coração pulmão fígado rim' });
});

test('is nothing for test clients, either, where there is none and they are to have no simulation', async () => {
  const api = await startApi({ testReal: true }, onTestFinished);
  expect(succeeded(await api.call(engines.endpoints.get)).recogniser).toBeNull();
  expect(await api.call(records.endpoints.generate, { body })).toMatchObject({
    status: 503,
    error: { code: 'ENGINE_UNAVAILABLE', details: { reason: 'no_recogniser' } },
  });
});
