/**
 * Runs one model in its own process, because the addon crashes on invalid files. Checksums are verified before the
 * addon loads anything.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { loadOptional } from '../../../src/node/optional-packages.ts';
import type { LiveStream, OfflineRecognizer, OnlineRecognizer, Result, Stream } from 'sherpa-onnx-node';
import type { Language } from '../../../src/contract/shared.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import type { InOrder } from '../../../src/domain/in-order.ts';
import { connectParent } from '../../runtime/processes/parent.ts';
import { soundRate } from '../sound/samples.ts';
import type { DecodedTokens, ModelRequest, ModelResponse, NumberedQuestion, Question } from './model-messages.ts';
import { isOutOfMemory } from './memory.ts';
import { createAddonConfig, toLoadFailure, verifyModel } from './model-files.ts';
import { whisperModel } from './whisper-model.ts';
import type { InstalledModel } from './models.ts';

/** Seconds of silence that end an utterance, after words and without any. */
const pauseSeconds = { afterWords: 0.8, withoutWords: 2.4 };
const maxUtteranceSeconds = 20;
/** Seconds of silence appended to a piece, so that the model finishes its last word. */
const tailSeconds = 0.8;

const parent = connectParent();
const send = (message: ModelResponse): void => parent.post(message);

interface Model {
  decode(piece: Float32Array, language: Language | undefined): Promise<DecodedTokens>;
  /** Absent if the model transcribes only whole pieces. */
  readonly live?: {
    open(language: Language): LiveStream;
    hear(stream: LiveStream, sound: Float32Array): Promise<DecodedTokens[]>;
    finish(stream: LiveStream): Promise<DecodedTokens[]>;
  };
}

let model: Model | undefined;
const streams = new Map<number, { stream: LiveStream; inOrder: InOrder }>();

parent.listen((message) => {
  const asked = message as ModelRequest;
  if ('load' in asked) void load(asked.load);
  else if ('drop' in asked) streams.delete(asked.drop);
  else void answer(asked);
});

async function load({ model: found, threads }: { model: InstalledModel; threads: number }): Promise<void> {
  try {
    const verdict = await verifyModel(found);
    if (verdict !== 'whole') return send({ refused: toLoadFailure(verdict) });
    const addon = await loadOptional('models', () => import('sherpa-onnx-node')).then(
      ({ default: loaded }) => loaded,
      () => undefined,
    );
    if (!addon) return send({ refused: { reason: 'addon' } });
    const config = {
      featConfig: { sampleRate: soundRate, featureDim: 80 },
      modelConfig: { ...createAddonConfig(found), numThreads: threads, provider: 'cpu', debug: 0 },
      decodingMethod: 'greedy_search',
    };
    model = found.manifest.live
      ? liveModel(
          new addon.OnlineRecognizer({
            ...config,
            enableEndpoint: 1,
            rule1MinTrailingSilence: pauseSeconds.withoutWords,
            rule2MinTrailingSilence: pauseSeconds.afterWords,
            rule3MinUtteranceLength: maxUtteranceSeconds,
          }),
        )
      : found.manifest.kind === 'whisper'
        ? whisperModel(await addon.OfflineRecognizer.createAsync(config), config)
        : wholeModel(await addon.OfflineRecognizer.createAsync(config));
    send({ ready: true });
  } catch (error) {
    send({ refused: { reason: isOutOfMemory(error) ? 'memory' : 'load' } });
  }
}

async function answer(asked: NumberedQuestion): Promise<void> {
  try {
    send({ id: asked.id, heard: await hear(asked) });
  } catch (error) {
    send({ id: asked.id, failed: isOutOfMemory(error) ? 'memory' : 'work' });
  }
}

async function hear(asked: Question): Promise<readonly DecodedTokens[]> {
  if (!model) throw new Error('No model is loaded.');
  if ('piece' in asked) return [await model.decode(asked.piece, asked.language)];
  const { live } = model;
  if (!live) throw new Error('The model does not hear live.');
  if ('open' in asked) {
    streams.set(asked.stream, { stream: live.open(asked.open), inOrder: createOrder() });
    return [];
  }
  const open = streams.get(asked.stream);
  if (!open) throw new Error('There is no such stream.');
  return open.inOrder(async () => ('sound' in asked ? live.hear(open.stream, asked.sound) : live.finish(open.stream)));
}

/** Sets the model's name of the language. Models of one language ignore it. */
function inLanguage<S extends Stream>(stream: S, language: Language | undefined): S {
  if (language !== undefined) stream.setOption('language', language.slice(0, 2));
  return stream;
}

const toDecodedTokens = ({ tokens, timestamps, durations = [], start_time: start = 0 }: Result): DecodedTokens => ({
  tokens,
  times: timestamps.map((time) => start + time),
  durations,
});

function wholeModel(recognizer: OfflineRecognizer): Model {
  return {
    async decode(piece, language) {
      const stream = inLanguage(recognizer.createStream(), language);
      stream.acceptWaveform({ samples: piece, sampleRate: soundRate });
      return toDecodedTokens(await recognizer.decodeAsync(stream));
    },
  };
}

function liveModel(recognizer: OnlineRecognizer): Model {
  /** Decodes the available chunks. Other streams get their turn between two chunks. */
  async function* results(stream: LiveStream): AsyncGenerator<Result> {
    while (recognizer.isReady(stream)) {
      recognizer.decode(stream);
      yield recognizer.getResult(stream);
      send({ busy: true });
      await turn();
    }
  }
  const accept = (stream: LiveStream, samples: Float32Array): void =>
    stream.acceptWaveform({ samples, sampleRate: soundRate });
  const end = (stream: LiveStream): void => {
    accept(stream, new Float32Array(tailSeconds * soundRate));
    stream.inputFinished();
  };

  return {
    async decode(piece, language) {
      const stream = inLanguage(recognizer.createStream(), language);
      accept(stream, piece);
      end(stream);
      for await (const _ of results(stream));
      return toDecodedTokens(recognizer.getResult(stream));
    },
    live: {
      open: (language) => inLanguage(recognizer.createStream(), language),
      async hear(stream, sound) {
        accept(stream, sound);
        const heard: DecodedTokens[] = [];
        for await (const result of results(stream)) {
          if (!recognizer.isEndpoint(stream)) {
            heard.push(toDecodedTokens(result));
            continue;
          }
          recognizer.reset(stream);
          heard.push({ ...toDecodedTokens(result), until: recognizer.getResult(stream).start_time ?? 0 });
        }
        return heard;
      },
      async finish(stream) {
        end(stream);
        const heard: DecodedTokens[] = [];
        for await (const result of results(stream)) {
          if (!recognizer.isEndpoint(stream)) continue;
          recognizer.reset(stream);
          heard.push({ ...toDecodedTokens(result), until: recognizer.getResult(stream).start_time ?? 0 });
        }
        heard.push({ ...toDecodedTokens(recognizer.getResult(stream)), until: Infinity });
        return heard;
      },
    },
  };
}
