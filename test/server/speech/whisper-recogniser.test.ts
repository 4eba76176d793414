/** Whisper in the local recogniser: with answers of a script, and with a real model where LAUDIO_TEST_WHISPER names its folder. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, it, onTestFinished, test } from 'vitest';
import { launchNode } from '../../../server/runtime/processes/node-process.ts';
import type { EngineDeps } from '../../../server/speech/engine.ts';
import { listModels } from '../../../server/speech/local/library.ts';
import { preparePull } from '../../../server/speech/local/pull/pull.ts';
import type { Recogniser, TranscribeInput } from '../../../server/speech/recogniser.ts';
import { recognisers } from '../../../server/speech/registry.ts';
import type { Language } from '../../../src/contract/shared.ts';
import type { Choice } from '../../../src/domain/choice.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';
import { describeRecogniser } from '../../suites/recogniser.suite.ts';
import { engineDeps, openEngine } from '../../support/engine-deps.ts';
import { installScriptedWhisper, launchWithAddon, whisperAddon } from '../../support/scripted-addon.ts';
import type { WhisperAnswer } from '../../support/scripted-addon.ts';
import { tones, toneSeconds, wavOf } from '../../support/sound.ts';
import { temporaryDirectory } from '../../support/temporary-directory.ts';
import { decodingWavHere } from '../../support/wav-decoder.ts';

const never = new AbortController().signal;
const models = await mkdtemp(join(tmpdir(), 'laudio-models-'));
afterAll(() => rm(models, { recursive: true, force: true }));
await installScriptedWhisper(models);
const shared = { ...engineDeps(), launch: decodingWavHere(launchNode) };
const [[templateId, template]] = Object.entries(shippedTemplates) as [[string, (typeof shippedTemplates)[string]]];

type Options = NonNullable<Choice['options']>;

const open = (model: string, deps: Partial<EngineDeps> = {}, options: Options = { models }): Promise<Recogniser> =>
  openEngine('recogniser', recognisers, { use: `local:${model}`, options }, { ...shared, ...deps });

async function scripted(answers: readonly WhisperAnswer[] = [], options: Options = {}): Promise<Recogniser> {
  const deps = { launch: launchWithAddon(shared.launch, whisperAddon(answers)) };
  const recogniser = await open('scripted', deps, { models, ...options });
  onTestFinished(() => recogniser.close());
  return recogniser;
}

let sounds = 0;
const spoken = (samples: Float32Array, language: Language = 'pt-BR'): TranscribeInput => {
  const sound = wavOf([samples]);
  return {
    audio: {
      blob: 'b',
      bytes: sound.length,
      sha256: String(sounds++).padStart(64, '0'),
      content_type: 'audio/wav',
      seconds: null,
    },
    read: async () => Readable.from([sound]),
    language,
    template: templateIn(language, templateId, template),
    exam: null,
    purpose: 'record',
  };
};

/** Seconds of tones, each a little apart from the next, as syllables are. */
const speech = (seconds: number): Float32Array =>
  tones(Array.from({ length: Math.round(seconds / toneSeconds) }, (_, at) => (at % 4 === 3 ? null : at % 7)));
/** A word per half a second from `from` to `to`. */
const wordsBetween = (from: number, to: number): WhisperAnswer['tokens'] =>
  Array.from({ length: Math.round((to - from) * 2) }, (_, at) => [` w${from * 2 + at}`, from + at / 2] as const);

describe('Whisper', () => {
  test('has facts heard again by a second model, and is refused one that is not installed', async () => {
    await expect(scripted([], { second: 'other' })).rejects.toMatchObject({ code: 'CONFIGURATION' });
    await installScriptedWhisper(models, 'other');
    const tokens = [' rim', ' direito', ' normal'].map((word, at) => [word, at] as const);
    // Each process has the answers of the script from the beginning; the second hearing is the other's first one.
    const recogniser = await scripted([{ tokens }], { second: 'other' });
    const heard = await recogniser.transcribe(spoken(speech(3)), never);
    expect(heard).toMatchObject({ text: 'rim direito normal' });
    expect(heard).not.toHaveProperty('otherReadings');
    await recogniser.probe(never);
  });

  test('hears each dictation in its language, one after the other, with silence behind the sound', async () => {
    const recogniser = await scripted();
    const heard = await Promise.all(
      (['pt-BR', 'en-US', 'es-ES', 'en-US', 'pt-BR'] as const).map((language) =>
        recogniser.transcribe(spoken(tones([0, 1, 2]), language), never),
      ),
    );
    const answers = heard.map(({ text }) => text.split(' '));
    expect(answers.map(([language]) => language)).toEqual(['pt', 'en', 'es', 'en', 'pt']);
    for (const [, seconds] of answers) expect(Number(seconds)).toBeGreaterThan(3 * toneSeconds + 1.9);
  });

  test('gets at most as much sound as it takes', async () => {
    const recogniser = await scripted();
    const { text } = await recogniser.transcribe(spoken(speech(70)), never);
    const seconds = text.split(' ').map(Number).filter(Number.isFinite);
    expect(seconds.length).toBeGreaterThan(2);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(29.4);
  });

  test('joins tokens to words, and words of broken characters are those of the text', async () => {
    const recogniser = await scripted([
      {
        tokens: [
          [' nó', 0],
          ['dulo', 0.3],
          [',', 0.5],
          [' 5', 0.6],
          ['\uFFFD', 0.8],
          ['\uFFFD', 0.9],
        ],
        text: ' nódulo, 5²',
      },
    ]);
    const { text, words } = await recogniser.transcribe(spoken(tones([0, 1, 2])), never);
    expect(text).toBe('nódulo, 5²');
    expect(words).toMatchObject([
      { start: 0, end: 7, from: 0 },
      { start: 8, end: 10 },
    ]);
  });

  test('words behind the end of the sound were not said', async () => {
    const recogniser = await scripted([
      {
        tokens: [
          [' sem', 0],
          [' derrame', 0.4],
          [' Obrigado.', 2.5],
        ],
      },
    ]);
    const heard = await recogniser.transcribe(spoken(tones([0, 1, 2])), never);
    expect(heard.text).toBe('sem derrame');
    expect(heard.suppressed).toMatchObject([{ text: 'Obrigado.', reason: 'silence' }]);
    const seconds = 3 * toneSeconds;
    for (const { to } of heard.words ?? []) expect(to).toBeLessThanOrEqual(seconds + 0.01);
  });

  test('what it leaves out is heard again alone, and asked about if it stays empty', async () => {
    const lost = { tokens: wordsBetween(0, 8) };
    const found = await scripted([
      lost,
      { tokens: wordsBetween(0, 7).map(([word, from]) => [`${word}b`, from] as const) },
    ]);
    const whole = await found.transcribe(spoken(speech(16)), never);
    expect(whole.text).toMatch(/^w0 w1 .*w15 .*w9b/);
    expect(whole.sound?.unheard).toBeUndefined();
    const silent = await scripted([lost, { tokens: [] }]);
    const { text, sound } = await silent.transcribe(spoken(speech(16)), never);
    expect(text).toBe(lost.tokens.map(([word]) => word.trim()).join(' '));
    expect(sound?.unheard).toEqual([{ from: 8.3, to: 15.6 }]);
  });
});

describe('the language of the sound', () => {
  const sentence = { tokens: [[' Os pulmões', 0]], language: 'pt' } as const;
  const spread = (words: string) => ({ tokens: words.split(' ').map((word, at) => [` ${word}`, at * 2] as const) });

  test('is noticed where Whisper is held to another: it translates', async () => {
    const translated = spread('os pulmões são normais');
    const open = { ...spread('the lungs are normal'), language: 'en' };
    const recogniser = await scripted([translated, open, sentence]);
    const { text, sound } = await recogniser.transcribe(spoken(speech(8)), never);
    expect(text).toBe('os pulmões são normais');
    expect(sound?.foreign).toEqual([{ from: 0, to: expect.closeTo(8, 0), language: 'en' }]);
  });
});

describe('files of Whisper without a manifest', () => {
  const install = async (names: readonly string[]) => {
    const folder = await temporaryDirectory();
    for (const name of names) await writeFile(join(folder, name), name);
    return folder;
  };
  const deps = () => ({ clock: manualClock(0), signal: never, env: {}, onProgress: () => {} });

  it.each([
    ['with the size in their names', 'small-encoder.int8.onnx small-decoder.int8.onnx small-tokens.txt'],
    ['without it', 'encoder.int8.onnx decoder.int8.onnx tokens.txt'],
  ])('%s are installed from a folder under the names of the catalogue', async (_, names) => {
    const into = await temporaryDirectory();
    const pull = await preparePull({ models: into, id: 'whisper-small', from: await install(names.split(' ')) });
    expect(pull.facts).toMatchObject({ licence: 'MIT', host: null, installed: false });
    const manifest = await pull.run(deps());
    expect(manifest).toMatchObject({ kind: 'whisper', files: { encoder: { name: 'small-encoder.int8.onnx' } } });
    const listed = await listModels(into);
    expect(listed.find(({ id }) => id === 'whisper-small')).toMatchObject({ state: 'installed', kind: 'whisper' });
  });

  it('are refused if one is missing, and from an address without a checksum', async () => {
    const [into, incomplete] = [await temporaryDirectory(), await install(['small-encoder.int8.onnx'])];
    await expect(preparePull({ models: into, id: 'whisper-small', from: incomplete })).rejects.toMatchObject({
      code: 'DATA_DAMAGED',
    });
    await expect(preparePull({ models: into, id: 'whisper-small' })).rejects.toMatchObject({
      code: 'USAGE',
      message: expect.stringContaining('nobody tried it') as string,
    });
  });
});

const real = process.env['LAUDIO_TEST_WHISPER'];
if (real !== undefined) {
  const folder = join(models, 'real');
  const pull = await preparePull({ models: folder, id: 'whisper-base', from: real });
  await pull.run({ clock: manualClock(0), signal: never, env: {}, onProgress: () => {} });
  describeRecogniser('local:whisper-base', { hears: 'live' }, () => open('whisper-base', {}, { models: folder }));
}
