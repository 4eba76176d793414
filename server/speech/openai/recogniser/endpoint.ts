/**
 * Any transcription server (`POST …/audio/transcriptions`). Servers differ in the fields that they accept and return.
 * What a server refuses or ignores is not requested again.
 */
import type { Form } from '../../../../src/client/transport.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { Clock } from '../../../../src/domain/clock.ts';
import { createService } from '../service.ts';
import type { Service } from '../service.ts';
import { parseSegments } from './answers.ts';
import type { Segment } from '../../hearing/words.ts';
import { failure } from './failures.ts';
import { silence, soundRate } from '../../sound/samples.ts';
import { requestedDetail, reduceProfile } from './profiles.ts';
import type { Detail, Profile } from './profiles.ts';
import { formatPrompt } from './terms.ts';
import { wavHead, wavHeadBytes } from '../../../../src/domain/dictation/wav.ts';

export interface EndpointOptions {
  /** Without a trailing slash: `http://127.0.0.1:8000/v1`. */
  readonly url: string;
  readonly model: string;
  readonly key: string | undefined;
  readonly clock: Clock;
  /** The server's abilities, if known in advance. */
  readonly profile: Profile;
}

/** Audio to transcribe. */
export interface SoundInput {
  readonly samples: Float32Array;
  readonly language: Language;
  /** Whether the server detects the language instead. */
  readonly anyLanguage?: boolean;
  /** Expected words. */
  readonly terms: readonly string[];
  /** Seconds with a voice. More than a moment of it should yield words. */
  readonly voiced: number;
}

export interface Endpoint extends Pick<Service, 'models' | 'close'> {
  /** The server's abilities as far as known. */
  readonly profile: Profile;
  /** Rejects with a failure (failures.ts), or with INTERRUPTED. */
  hear(sound: SoundInput, signal: AbortSignal): Promise<Segment[]>;
}

const detailFields: Readonly<Record<Detail, Form['fields']>> = {
  words: { response_format: 'verbose_json', 'timestamp_granularities[]': ['word', 'segment'] },
  segments: { response_format: 'verbose_json' },
  text: { response_format: 'json' },
};

/** Seconds of voice that certainly contain words. */
const certainVoiceSeconds = 1;

export function createEndpoint({ model, profile: known, ...options }: EndpointOptions): Endpoint {
  const service = createService({ ...options, failure });
  let profile = known;

  const createForm = ({ samples, language, anyLanguage = false, terms }: SoundInput, asked: Profile): Form => {
    const wav = encodeWav(samples);
    const prompt = asked.promptTokens > 0 ? formatPrompt(terms) : '';
    return {
      fields: {
        model,
        ...nameLanguage(anyLanguage ? asked.anyLanguage : language),
        ...detailFields[requestedDetail(asked)],
        ...(asked.temperature && { temperature: '0' }),
        ...(asked.likelihoods && { 'include[]': 'logprobs' }),
        ...(prompt !== '' && { prompt }),
      },
      part: 'file',
      // Servers detect the format by the name.
      fileName: 'sound.wav',
      file: {
        contentType: 'audio/wav',
        size: wav.length,
        async *open() {
          yield wav;
        },
      },
    };
  };

  /** Drops fields until the server accepts the request. */
  const ask = async (
    sound: SoundInput,
    first: Profile,
    signal: AbortSignal,
  ): Promise<{ segments: Segment[]; asked: Profile }> => {
    for (let asked = first; ;) {
      const answer = await service.post('/audio/transcriptions', createForm(sound, asked), signal);
      if (!answer.refusal) {
        const segments = parseSegments(answer.contentType, answer.body, sound.samples.length / soundRate);
        return { segments: segments.filter(({ words }) => words.length > 0), asked };
      }
      const { isAboutForm, text, failure: refused } = answer.refusal;
      const less = isAboutForm ? reduceProfile(asked, text) : undefined;
      if (!less) throw refused;
      asked = less;
    }
  };

  return {
    get profile() {
      return profile;
    },
    models: service.models,
    async hear(sound, signal) {
      const before = profile;
      let { segments, asked } = await ask(sound, before, signal);
      if (segments.length === 0 && sound.voiced >= certainVoiceSeconds && requestedDetail(asked) !== 'text') {
        const again = await ask(sound, { ...asked, timesWithLanguage: false }, signal);
        if (again.segments.length > 0) ({ segments, asked } = again);
      }
      // Keeps what worked, unless a concurrent call learnt more.
      if (profile === before) profile = asked;
      return segments;
    },
    close: service.close,
  };
}

/** Models don't know regions. */
const nameLanguage = (language: string | undefined): Form['fields'] =>
  language === undefined ? {} : { language: language.split('-')[0] ?? language };

/** Encodes as WAV, 16 bits, one channel. */
export function encodeWav(samples: Float32Array): Uint8Array {
  const size = samples.length * 2;
  const bytes = Buffer.alloc(wavHeadBytes + size);
  bytes.set(wavHead({ rate: soundRate, bytes: size }));
  for (let at = 0; at < samples.length; at += 1) {
    const sample = Math.max(-1, Math.min(1, samples[at] ?? silence));
    bytes.writeInt16LE(Math.round(sample * 32_767), wavHeadBytes + at * 2);
  }
  return bytes;
}
