/** Whisper in the addon. Its language belongs to the model, not to the sound, so it decodes one after the other. */
import type { Config, OfflineRecognizer, Result } from 'sherpa-onnx-node';
import type { Language } from '../../../src/contract/shared.ts';
import { createOrder } from '../../../src/domain/in-order.ts';
import { soundRate } from '../sound/samples.ts';
import type { DecodedTokens } from './model-messages.ts';

/** Seconds of silence behind a piece: the model answers with six tokens per second, and needs room for the last word. */
const tailSeconds = 2;
/** The addon drops sound after this second. */
const maxSeconds = 29.4;

const noTokens: DecodedTokens = { tokens: [], times: [], durations: [] };

export function whisperModel(recognizer: OfflineRecognizer, config: Config) {
  const inOrder = createOrder();
  const { whisper } = config.modelConfig;
  return {
    decode: (piece: Float32Array, language: Language | undefined): Promise<DecodedTokens> =>
      inOrder(async () => {
        // A stream without sound ends the process.
        if (piece.length === 0) return noTokens;
        // Without a name the model detects the language.
        const own = { ...(whisper as object), language: language?.slice(0, 2) ?? '' };
        recognizer.setConfig({ ...config, modelConfig: { ...config.modelConfig, whisper: own } });
        const stream = recognizer.createStream();
        const length = Math.max(piece.length, Math.min(piece.length + tailSeconds * soundRate, maxSeconds * soundRate));
        const samples = new Float32Array(length);
        samples.set(piece);
        stream.acceptWaveform({ samples, sampleRate: soundRate });
        return toTokens(await recognizer.decodeAsync(stream));
      }),
  };
}

function toTokens({ text = '', tokens, timestamps, durations = [], lang }: Result): DecodedTokens {
  const language = lang !== undefined && lang !== '' && { language: lang };
  if (tokens.join('').trim() === text.trim()) return { tokens, times: timestamps, durations, ...language };
  // Some token is a part of a character: the words are those of the text, at times in proportion to their place.
  const words = text.split(/\s+/).filter((word) => word !== '');
  const times = words.map((_, at) => timestamps[Math.floor((at * tokens.length) / words.length)] ?? 0);
  const ends = [...times.slice(1), (timestamps.at(-1) ?? 0) + (durations.at(-1) ?? 0)];
  return {
    tokens: words.map((word) => ` ${word}`),
    times,
    durations: words.map((_, at) => Math.max(0, (ends[at] ?? 0) - (times[at] ?? 0))),
    ...language,
  };
}
