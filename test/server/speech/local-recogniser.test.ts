/** The local recogniser through the real addon, with models that hear tones (tone-model.ts), in every way in which it can fail. */
import { mkdir, mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import type { EngineDeps } from '../../../server/speech/engine.ts';
import type { Recogniser, TranscribeInput } from '../../../server/speech/recogniser.ts';
import { recognisers } from '../../../server/speech/registry.ts';
import { createServer } from '../../../server/index.ts';
import { launchNode } from '../../../server/runtime/processes/node-process.ts';
import type { LaunchProcess } from '../../../server/runtime/processes/own-process.ts';
import { contract } from '../../../src/contract/index.ts';
import type { AudioType } from '../../../src/contract/document.ts';
import { manualClock } from '../../../src/domain/clock.ts';
import type { HeardText, LiveHeard } from '../../../src/domain/heard-text.ts';
import { shippedTemplates } from '../../../src/reporting/templates/shipped/index.ts';
import { templateIn } from '../../../src/reporting/templates/template.ts';
import { describeRecogniser } from '../../suites/recogniser.suite.ts';
import { startApi, succeeded } from '../../support/api.ts';
import { engineDeps, openEngine } from '../../support/engine-deps.ts';
import { organs, tones, toneSeconds, wavOf } from '../../support/sound.ts';
import { installToneModel, toneTokens } from '../../support/tone-model.ts';
import type { InstalledTones } from '../../support/tone-model.ts';
import { decodingWavHere } from '../../support/wav-decoder.ts';

const never = new AbortController().signal;
const models = await mkdtemp(join(tmpdir(), 'laudio-models-'));
afterAll(() => rm(models, { recursive: true, force: true }));
await installToneModel(models, { id: 'tone' });
await installToneModel(models, { id: 'tone-live', live: true });
const shared = { ...engineDeps(), launch: decodingWavHere(launchNode) };
const words = 'coração pulmão fígado rim';

const [[templateId, template]] = Object.entries(shippedTemplates) as [[string, (typeof shippedTemplates)[string]]];
const language = 'pt-BR' as const;
const about = { language, template: templateIn(language, templateId, template), exam: null };

const open = (model: string, deps: Partial<EngineDeps> = {}, options: object = {}): Promise<Recogniser> =>
  openEngine(
    'recogniser',
    recognisers,
    { use: `local:${model}`, options: { models, ...options } },
    { ...shared, ...deps },
  );

async function opened(...given: Parameters<typeof open>): Promise<Recogniser> {
  const recogniser = await open(...given);
  onTestFinished(() => recogniser.close());
  return recogniser;
}

/** Hear in the tests that end no process and change no model. */
const [whole, live] = await Promise.all([open('tone'), open('tone-live')]);
afterAll(() => Promise.all([whole.close(), live.close()]));

let sounds = 0;
const spoken = (sound: Uint8Array, type: AudioType = 'audio/wav'): TranscribeInput => ({
  ...about,
  audio: {
    blob: 'b',
    bytes: sound.length,
    sha256: String(sounds++).padStart(64, '0'),
    content_type: type,
    seconds: null,
  },
  read: async () => Readable.from([sound]),
  purpose: 'record',
});
const dictation = wavOf([tones(organs)]);
const saidAt = ({ text, words: places = [] }: HeardText): string[] =>
  places.map(({ start, end, from = NaN, to = NaN }) => `${text.slice(start, end)} ${from.toFixed(1)}–${to.toFixed(1)}`);

describeRecogniser('local:tone', { hears: 'live' }, () => open('tone'));
describeRecogniser('local:tone-live', { hears: 'live' }, () => open('tone-live'));

describe.each([
  ['tone', whole],
  ['tone-live', live],
])('%s', (_model, recogniser) => {
  test('hears words with their times, and does not claim to be sure', async () => {
    const heard = await recogniser.transcribe(spoken(dictation), never);
    expect(heard.text).toBe(words);
    const times = saidAt(heard).map((each) => each.split(' '));
    expect(times.map(([word]) => word)).toEqual(words.split(' '));
    for (const [place, { from, to, confidence }] of (heard.words ?? []).entries()) {
      expect(Math.abs((from ?? NaN) - place * 2 * toneSeconds)).toBeLessThan(0.11);
      expect(to).toBeGreaterThan(from!);
      expect(confidence).toBeUndefined();
    }
  });

  test('hears nothing in silence, and words at their times after a long one', async () => {
    expect(await recogniser.transcribe(spoken(wavOf([new Float32Array(48_000)])), never)).toEqual({
      text: '',
      sound: { voiced: 0 },
    });
    const late = wavOf([tones([0, 1, ...Array.from({ length: 20 }, () => null), 6])]);
    const { text, words: places = [] } = await recogniser.transcribe(spoken(late), never);
    expect(text).toBe('coração rim');
    expect(Math.abs(places[1]!.from! - 22 * toneSeconds)).toBeLessThan(0.15);
  });

  test('hears speech without a pause in pieces, and each word once', async () => {
    // Nobody speaks without a moment between two words; a tone alone would be the noise of the room.
    const said = Float32Array.of(...tones(organs), ...new Float32Array(1000));
    const sentence = Float32Array.from({ length: 12 * said.length }, (_, at) => said[at % said.length]!);
    const { text } = await recogniser.transcribe(spoken(wavOf([sentence])), never);
    expect(text.split(' ')).toEqual(Array.from({ length: 12 }, () => words.split(' ')).flat());
  });
});

describe('live', () => {
  const pieceSamples = 960;
  async function* inPieces(
    sound: Float32Array,
    afterEach: () => Promise<void> | void = () => {},
  ): AsyncGenerator<Int16Array> {
    for (let at = 0; at < sound.length; at += pieceSamples) {
      yield Int16Array.from(sound.subarray(at, at + pieceSamples), (sample) => Math.round(sample * 32_767));
      await afterEach();
    }
  }
  const listen = async (recogniser: Recogniser, sound: AsyncIterable<Int16Array>, signal = never) => {
    const told: LiveHeard[] = [];
    await recogniser.live!.listen({ ...about, sound, before: '' }, (heard) => void told.push(heard), signal);
    return told;
  };

  test('a model of whole pieces hears them at pauses', async () => {
    const told = await listen(whole, inPieces(tones([...organs, null, null, 4, 5, null, null])));
    expect(told.flatMap((each) => (each.kind === 'final' ? [each.heard.text] : []))).toEqual([words, 'fígado']);
    expect(told.at(-1)).toMatchObject({ kind: 'checked', finals: [{ text: words }, { text: 'fígado' }] });
    expect([whole, live].map((each) => each.live?.chunkMs)).toEqual([2000, 320]);
  });

  test('words appear one after the other, become final in a pause, and stay so', async () => {
    const sound = tones([0, 1, 2, null, null, null, null, null, 4, 5]);
    const told = await listen(live, inPieces(sound));
    const partials = told.filter(({ kind }) => kind === 'partial').map((each) => (each as { text: string }).text);
    expect(partials).toEqual(expect.arrayContaining(['cor', 'coração', 'coração pul', 'fí', 'fígado']));
    const finals = told.filter((each) => each.kind === 'final');
    expect(finals.map(({ heard }) => heard.text).filter(Boolean)).toEqual(['coração pul', 'fígado']);
    expect(finals.flatMap(({ heard }) => saidAt(heard))).toEqual([
      expect.stringMatching(/^coração 0\.0–0\.8$/),
      expect.stringMatching(/^pul 0\.8–1\.2$/),
      expect.stringMatching(/^fígado 3\.[12]–/),
    ]);
    expect(finals[0]!.until).toBeGreaterThan(1.2);
    expect(finals[0]!.until).toBeLessThan(3.2);
    expect(finals.at(-1)!.until).toBeCloseTo(4, 1);
    const checked = told.flatMap((each) => (each.kind === 'checked' ? each.finals : []));
    expect(checked).toEqual(finals.map(({ heard }) => heard));
  });

  test('two dictations and a file at once are heard as each alone', async () => {
    const [one, other] = [tones([0, 1, 6]), tones([4, 5, 2, 3])];
    const text = (told: LiveHeard[]): string =>
      told
        .flatMap((each) => (each.kind === 'final' ? [each.heard.text] : []))
        .join(' ')
        .trim();
    const [first, second, file] = await Promise.all([
      listen(live, inPieces(one)).then(text),
      listen(live, inPieces(other)).then(text),
      live.transcribe(spoken(dictation), never),
    ]);
    expect([first, second, file.text]).toEqual(['coração rim', 'fígado pulmão', words]);
  });

  test('ends at once when nobody listens any more', async () => {
    const controller = new AbortController();
    const endless = inPieces(tones(organs), () => {
      controller.abort(new Error('No longer wanted.'));
      return new Promise<void>(() => {});
    });
    await expect(listen(live, endless, controller.signal)).rejects.toThrow('No longer wanted.');
    expect((await live.transcribe(spoken(dictation), never)).text).toBe(words);
  });

  test('the process that ends in mid-sentence ends the call, and the next call goes on', async () => {
    const { deps, kill } = watched();
    const recogniser = await opened('tone-live', deps);
    let pieces = 0;
    const sound = inPieces(tones(organs), () => void (++pieces === 20 && kill()));
    await expect(listen(recogniser, sound)).rejects.toMatchObject({ code: 'ENGINE_UNAVAILABLE', retryAfter: 1 });
    expect(await listen(recogniser, inPieces(tones([6])))).toContainEqual(expect.objectContaining({ kind: 'final' }));
  });
});

/** Deps with which the process of the model can be watched, and acted upon before each piece, so that no answer is faster. */
function watched(atPiece: (pid: number, piece: number) => void = () => {}) {
  const time = manualClock(0);
  const pids: number[] = [];
  let pieces = 0;
  const launch: LaunchProcess = (module, options) => {
    const process = shared.launch(module, options);
    if (!module.href.includes('recogniser-process')) return process;
    pids.push(process.pid!);
    return {
      ...process,
      post(message) {
        if ('piece' in (message as object)) atPiece(process.pid!, ++pieces);
        process.post(message);
      },
    };
  };
  return { deps: { launch, clock: time }, time, pids, kill: () => process.kill(pids.at(-1)!, 'SIGABRT') };
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('the process of the model', () => {
  test('starts at the first audio, is unloaded after a while without work, and returns', async () => {
    const { deps, time, pids } = watched();
    const recogniser = await opened('tone', deps, { idle: 60 });
    expect(pids).toEqual([]);
    await recogniser.transcribe(spoken(dictation), never);
    expect(pids).toHaveLength(1);
    time.advance(59_000);
    await recogniser.transcribe(spoken(dictation), never);
    expect(pids).toHaveLength(1);
    time.advance(60_000);
    await expect.poll(() => isRunning(pids[0]!)).toBe(false);
    expect((await recogniser.transcribe(spoken(dictation), never)).text).toBe(words);
    expect(pids).toHaveLength(2);
    await recogniser.close();
    expect(isRunning(pids[1]!)).toBe(false);
  });

  test('starts as soon as the server answers where the operator wants it, and does not keep the server waiting', async () => {
    const { deps, pids } = watched();
    const recogniser = await opened('tone', deps, { preload: true });
    expect(pids).toEqual([]);
    recogniser.warmUp!();
    expect(pids).toHaveLength(1);
    expect((await opened('tone', deps)).warmUp).toBeUndefined();

    const launched: string[] = [];
    const server = await createServer({
      version: '0.0.0-test',
      store: { use: 'memory' },
      recogniser: { use: 'local:tone', options: { models, preload: true } },
      launch(module, options) {
        launched.push(options.name);
        return launchNode(module, options);
      },
    });
    onTestFinished(() => server.close());
    expect(launched).toEqual(['Laudio speech model']);
  });

  test('that ends in mid-sentence is started again, and no word is lost', async () => {
    const { deps, pids } = watched((pid, piece) => void (piece === 1 && process.kill(pid, 'SIGKILL')));
    const recogniser = await opened('tone', deps);
    expect((await recogniser.transcribe(spoken(dictation), never)).text).toBe(words);
    expect(pids).toHaveLength(2);
  });

  test('that ends twice over one sound marks this sound, and hears others', async () => {
    const { deps, pids } = watched((pid, piece) => void (piece <= 2 && process.kill(pid, 'SIGABRT')));
    const recogniser = await opened('tone', deps);
    const bad = spoken(dictation);
    const refusal = { code: 'VALIDATION_FAILED', message: expect.stringContaining('crashed twice') };
    await expect(recogniser.transcribe(bad, never)).rejects.toMatchObject(refusal);
    expect((await recogniser.transcribe(spoken(dictation), never)).text).toBe(words);
    await expect(recogniser.transcribe(bad, never)).rejects.toMatchObject(refusal);
    expect(pids).toHaveLength(3);
  });

  test('that hangs is ended and started again, and no word is lost', async () => {
    const { deps, time, pids } = watched((pid, piece) => {
      if (piece !== 1) return;
      process.kill(pid, 'SIGSTOP');
      queueMicrotask(() => time.advance(60_000));
    });
    const recogniser = await opened('tone', deps);
    expect((await recogniser.transcribe(spoken(dictation), never)).text).toBe(words);
    expect(pids).toHaveLength(2);
  });

  test('that takes long over long sound does not hang', async () => {
    const { deps, time, pids } = watched(
      (_, piece) => void (piece === 1 && queueMicrotask(() => time.advance(60_000))),
    );
    const long = spoken(wavOf([tones(Array(8).fill(organs).flat())]));
    expect((await (await opened('tone', deps)).transcribe(long, never)).text).toContain(words);
    expect(pids).toHaveLength(1);
  });

  test('is not ended by one who no longer listens, for the sake of the others', async () => {
    const controller = new AbortController();
    const { deps, pids } = watched((_, piece) => void (piece === 1 && controller.abort(new Error('Enough.'))));
    const recogniser = await opened('tone', deps);
    const cancelled = recogniser.transcribe(spoken(dictation), controller.signal);
    const other = recogniser.transcribe(spoken(dictation), never);
    await expect(cancelled).rejects.toThrow('Enough.');
    expect((await other).text).toBe(words);
    expect(pids).toHaveLength(1);
  });
});

describe('a model that is not in order', () => {
  let installed = 0;
  const install = async (options: InstalledTones = {}): Promise<{ id: string; folder: string }> => {
    const id = `odd-${++installed}`;
    return { id, folder: await installToneModel(models, { ...options, id }) };
  };
  const failure = async (id: string): Promise<unknown> =>
    (await opened(id)).transcribe(spoken(dictation), never).catch((error: unknown) => error);

  test('with another byte in a file is never shown to the addon, also when it was in order before', async () => {
    const { id, folder } = await install();
    const recogniser = await opened(id, {}, { idle: 1 });
    await recogniser.transcribe(spoken(dictation), never);
    await recogniser.close();
    const path = join(folder, 'model.onnx');
    const bytes = await readFile(path);
    bytes[2000]! ^= 1;
    await writeFile(path, bytes);
    expect(await failure(id)).toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: `The speech model ${id} is damaged: model.onnx does not match its manifest.`,
      hint: 'Install the model again.',
    });
  });

  test('that is cut off or lacks a file says so', async () => {
    const cut = await install();
    await truncate(join(cut.folder, 'model.onnx'), 1000);
    expect(await failure(cut.id)).toMatchObject({ message: expect.stringContaining('is damaged: model.onnx') });
    const without = await install();
    await rm(join(without.folder, 'tokens.txt'));
    expect(await failure(without.id)).toMatchObject({
      code: 'ENGINE_UNAVAILABLE',
      message: `The speech model ${without.id} lacks a file: tokens.txt.`,
    });
  });

  test.each<[string, InstalledTones]>([
    ['has no blank', { tokens: toneTokens.slice(0, -1) }],
    ['has no blank, live', { tokens: toneTokens.slice(0, -1), live: true }],
    ['lacks what the addon asks for', { metadata: { vocab_size: null } }],
    ['is for other sound', { bins: 64 }],
  ])('that %s takes neither the server nor a second model with it', async (_, options) => {
    const { id } = await install(options);
    const error = await failure(id);
    // What the addon does not notice at once ends its process over the sound.
    expect(['ENGINE_UNAVAILABLE', 'VALIDATION_FAILED']).toContain((error as { code?: string }).code);
    expect((await whole.transcribe(spoken(dictation), never)).text).toBe(words);
  });

  test('that is missing is reported before the server starts', async () => {
    await expect(open('nobody')).rejects.toMatchObject({
      code: 'CONFIGURATION',
      message: 'The speech model nobody is not installed.',
    });
    expect(() => open('../tone')).toThrow('model must have');
    const { id, folder } = await install();
    await writeFile(join(folder, 'model.json'), '{"id": 1}');
    await expect(open(id)).rejects.toMatchObject({ code: 'CONFIGURATION' });
  });

  test('of the catalogue is an unpacked archive, whose files must be those of the catalogue', async () => {
    const id = 'nemotron-3.5-streaming-1120';
    await mkdir(join(models, id));
    await writeFile(join(models, id, 'encoder.int8.onnx'), 'no encoder');
    const recogniser = await opened(id);
    expect(recogniser.live?.chunkMs).toBe(1120);
    await expect(recogniser.transcribe(spoken(dictation), never)).rejects.toMatchObject({
      message: `The speech model ${id} is damaged: encoder.int8.onnx does not match its manifest.`,
    });
  });

  test('for other languages refuses before it hears', async () => {
    const { id, folder } = await install();
    const manifest = JSON.parse(await readFile(join(folder, 'model.json'), 'utf8')) as object;
    await writeFile(join(folder, 'model.json'), JSON.stringify({ ...manifest, languages: ['en-US'] }));
    expect(await failure(id)).toMatchObject({
      code: 'VALIDATION_FAILED',
      message: `The speech model ${id} does not support pt-BR. Choose another language, or a model that supports it.`,
    });
  });
});

describe('trying it', () => {
  test('says whether the model loads, and whether it hears live', async () => {
    expect(await live.trials!(never)).toEqual([
      { what: 'model', result: 'works', message: expect.any(String), ms: expect.any(Number) },
      // It hears tones alone.
      {
        what: 'speech',
        result: 'partly',
        message: 'The model recognises other words than those of the sentence in Portuguese, English, and Spanish.',
        hint: expect.any(String),
      },
      { what: 'live', result: 'works', message: 'The model hears pt-BR, en-US, es-ES, also live.' },
    ]);
    const folder = await installToneModel(models, { id: 'odd-trial' });
    await truncate(join(folder, 'model.onnx'), 10);
    expect(await (await opened('odd-trial')).trials!(never)).toEqual([
      expect.objectContaining({ what: 'model', result: 'fails', hint: 'Install the model again.' }),
    ]);
  });
});

describe('in a server', () => {
  test('the sound of a client becomes a document, in every format', async () => {
    const api = await startApi({ recogniser: { use: 'local:tone', options: { models } } });
    const login = { username: 'nunes', password: 'correct horse' };
    await api.createUser({ ...login, display_name: 'Dra. Nunes' });
    const { access_token: token } = await api.tokens({ client: await api.createClient(), login });
    const fixture = (name: string) => readFile(new URL(`../../fixtures/audio/${name}`, import.meta.url));
    const files: [AudioType, Promise<Buffer> | Buffer][] = [
      ['audio/wav', dictation],
      ['audio/webm', fixture('tones.webm')],
      ['audio/ogg', fixture('tones.opus.ogg')],
      ['audio/mpeg', fixture('tones.stereo.mp3')],
      ['audio/mp4', fixture('tones.index-last.m4a')],
      ['audio/flac', fixture('tones.flac')],
    ];
    for (const [type, bytes] of files) {
      const audio = { content_type: type, data: (await bytes).toString('base64') };
      const record = await api.generate({ audio, language: 'pt-BR' }, { token });
      expect(record, type).toMatchObject({ test_mode: false, transcript: words, language: 'pt-BR' });
    }
    const job = succeeded(
      await api.call(contract.records.endpoints.generate, {
        token,
        body: {
          audio: { content_type: 'audio/wav', data: dictation.subarray(0, 44).toString('base64') },
          mode: 'async',
        },
      }),
      202,
    ) as { id: string };
    const ended = async () => succeeded(await api.call(contract.jobs.endpoints.get, { token, params: { id: job.id } }));
    await expect.poll(async () => (await ended()).status).toBe('failed');
    expect((await ended()).error).toEqual({
      code: 'VALIDATION_FAILED',
      message:
        'The audio cannot be decoded: it holds no sound. Play it to see whether the file is whole, or record it again.',
    });
    expect(api.logged).toEqual([]);
  });
});
