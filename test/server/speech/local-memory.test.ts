/** A computer with too little memory for a speech model: the server goes on, no sound is lost or blamed, and it says what is missing. */
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import type { EngineDeps } from '../../../server/speech/engine.ts';
import type { Recogniser, TranscribeInput } from '../../../server/speech/recogniser.ts';
import { recognisers } from '../../../server/speech/registry.ts';
import { launchNode } from '../../../server/runtime/processes/node-process.ts';
import type { LaunchProcess } from '../../../server/runtime/processes/own-process.ts';
import { contract } from '../../../src/contract/index.ts';
import type { Job } from '../../../src/contract/job.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { engineDeps, openEngine } from '../../support/engine-deps.ts';
import { launchWithAddon } from '../../support/scripted-addon.ts';
import { organs, tones, wavOf } from '../../support/sound.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { installToneModel } from '../../support/tone-model.ts';
import { decodingWavHere } from '../../support/wav-decoder.ts';

const shared = { ...engineDeps(), launch: decodingWavHere(launchNode) };
const never = new AbortController().signal;
const sound = wavOf([tones(organs)]);
const words = 'coração pulmão fígado rim';
const [[templateId, template]] = Object.entries(shippedTemplates) as [[string, (typeof shippedTemplates)[string]]];
const spoken: TranscribeInput = {
  audio: { blob: 'b', bytes: sound.length, sha256: '0'.repeat(64), content_type: 'audio/wav', seconds: null },
  read: async () => Readable.from([sound]),
  language: 'pt-BR',
  template: templateIn('pt-BR', templateId, template),
  exam: null,
  purpose: 'record',
};
const lacking = (message: string) => ({
  code: 'ENGINE_UNAVAILABLE',
  message: expect.stringContaining(message) as string,
  hint: expect.stringContaining('smaller model') as string,
  details: { reason: 'memory' },
});

async function opened(deps: Partial<EngineDeps>): Promise<Recogniser> {
  const dataDir = await temporaryDirectory();
  await installToneModel(join(dataDir, 'models'), { id: 'tone' });
  const choice = { use: 'local:tone' };
  const recogniser = await openEngine('recogniser', recognisers, choice, { ...shared, dataDir, ...deps });
  onTestFinished(() => recogniser.close());
  return recogniser;
}

const isModel = (module: URL): boolean => module.href.includes('recogniser-process');

/** The system ends the process of the model over each of the first pieces, as it does where memory is short. */
function killedOver(pieces: number) {
  let sent = 0;
  const launch: LaunchProcess = (module, options) => {
    const process = shared.launch(module, options);
    if (!isModel(module)) return process;
    return {
      ...process,
      post(message) {
        process.post(message);
        if ('piece' in (message as object) && ++sent <= pieces) globalThis.process.kill(process.pid!, 'SIGKILL');
      },
    };
  };
  return { launch, sent: () => sent };
}

/** An addon that throws `failure` instead of hearing. */
const withFailingAddon = (failure: string): LaunchProcess =>
  launchWithAddon(
    shared.launch,
    `export default { OfflineRecognizer: { createAsync: async () => ({
      createStream: () => ({ setOption() {}, acceptWaveform() {} }),
      decodeAsync: async () => { ${failure} },
    }) } };`,
  );

test('a model that plainly does not fit is never loaded, and says what it needs and what there is', async () => {
  const recogniser = await opened({
    memory: 2000,
    launch: (module, options) => {
      if (isModel(module)) throw new Error('The model was loaded.');
      return shared.launch(module, options);
    },
  });
  const refusal = lacking('needs about 1 MB, and this computer has 1 MB');
  await expect(recogniser.probe(never)).rejects.toMatchObject(refusal);
  await expect(recogniser.transcribe(spoken, never)).rejects.toMatchObject(refusal);
  expect(await recogniser.trials!(never)).toMatchObject([{ what: 'model', result: 'fails', message: refusal.message }]);
});

test('a process that the system ends once for want of memory is started again, and no word is lost', async () => {
  const recogniser = await opened(killedOver(1));
  expect((await recogniser.transcribe(spoken, never)).text).toBe(words);
});

test('a sound over which the system ends the process is not to blame: it can be heard later', async () => {
  const recogniser = await opened(killedOver(2));
  await expect(recogniser.transcribe(spoken, never)).rejects.toMatchObject(lacking('ran out of memory'));
  expect((await recogniser.transcribe(spoken, never)).text).toBe(words);
});

test.each([
  ['an allocation that JavaScript cannot have', 'new ArrayBuffer(Number.MAX_SAFE_INTEGER);'],
  ['an allocation that the addon cannot have', "throw new Error('std::bad_alloc');"],
])('%s is want of memory', async (_name, failure) => {
  const recogniser = await opened({ launch: withFailingAddon(failure) });
  await expect(recogniser.transcribe(spoken, never)).rejects.toMatchObject(lacking('ran out of memory'));
});

test('a heap that is too small for the model ends its process alone, and the reason says what to look at', async () => {
  const recogniser = await opened({
    launch: (module, options) => shared.launch(module, isModel(module) ? { ...options, heapMiB: 1 } : options),
  });
  await expect(recogniser.transcribe(spoken, never)).rejects.toMatchObject({
    code: 'ENGINE_UNAVAILABLE',
    message: expect.stringContaining('ended') as string,
    hint: expect.stringMatching(/memory for it: it needs about .*this computer has/) as string,
  });
});

test('in a server the sound waits as a job meanwhile, all else goes on, and it becomes a document later', async () => {
  const dataDir = await temporaryDirectory();
  await installToneModel(join(dataDir, 'models'), { id: 'tone' });
  const memory = killedOver(2);
  const api = await startApi({ dataDir, testReal: true, launch: memory.launch }, onTestFinished);
  const body = { audio: { content_type: 'audio/wav', data: sound.toString('base64') }, language: 'pt-BR' } as const;
  const { id } = succeeded(
    await api.call(contract.records.endpoints.generate, { body: { ...body, mode: 'async' } }),
    202,
  ) as Job;
  const job = async () => succeeded(await api.call(contract.jobs.endpoints.get, { params: { id } }));
  await expect.poll(() => memory.sent(), { timeout: 20_000 }).toBe(2);
  await expect.poll(async () => (await job()).waiting_for, { timeout: 20_000 }).toMatchObject({ reason: 'engine' });
  expect((await api.generate({ text: 'Test Patient. Findings: clear.' })).status).toBe('draft');
  const ended = async (): Promise<Job['status']> => {
    const { status, waiting_for: waiting } = await job();
    // Only while it waits: a process that works has its own time limits.
    if (waiting && waiting.reason !== 'turn') api.clock.advance(5000);
    return status;
  };
  await expect.poll(ended, { timeout: 30_000, interval: 200 }).toBe('completed');
});
