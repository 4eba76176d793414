/** Tests the abilities of a transcription server with synthetic audio. */
import { readFileSync } from 'node:fs';
import type { Clock } from '../../../../src/domain/clock.ts';
import { decodeSamples } from '../../../../src/domain/dictation/samples.ts';
import { wavHeadBytes } from '../../../../src/domain/dictation/wav.ts';
import { fold } from '../../../../src/domain/fold.ts';
import type { Trial } from '../../engine.ts';
import { hasModel } from '../service.ts';
import { judgeDuration, hasThisModel, modelNotListed, reached, runTrials, takesRequests } from '../trials.ts';
import type { Outcome } from '../trials.ts';
import type { Segment } from '../../hearing/words.ts';
import type { Endpoint } from './endpoint.ts';
import { failure, reasonOf } from './failures.ts';
import { soundRate } from '../../sound/samples.ts';
import type { Detail, Profile } from './profiles.ts';

interface TrialDeps {
  readonly endpoint: Endpoint;
  readonly model: string;
  readonly clock: Clock;
  /** Timeout of a request. */
  readonly timeoutMs: number;
  /** Runs work with the timeout of one request. */
  within<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T>;
}

const names = ['server', 'key', 'model', 'answer', 'speech', 'times', 'confidence', 'prompt', 'silence'] as const;
const about = { key: 'key', model: 'model' } as const;

/** "The lungs are clear", in a synthetic voice. */
const sampleWords = ['lungs', 'clear'];
const sampleTerms = ['lungs', 'pleural effusion', 'mediastinum'];

export function tryRecogniser({ endpoint, model, clock, timeoutMs, within }: TrialDeps): Promise<Trial[]> {
  return runTrials({ names, about, reasonOf, clock }, async ({ note, begin, ms }) => {
    const models = await within((signal) => endpoint.models(signal));
    note('server', { ...reached, ms: ms() });
    begin('answer');
    if (models && !hasModel(models, model)) note('model', modelNotListed(models));
    const samples = sampleSpeech();
    const voiced = samples.length / soundRate;
    const hear = (sound: Float32Array, seconds: number): Promise<Segment[]> => {
      const hearable = { samples: sound, voiced: seconds, language: 'en-US' as const, terms: sampleTerms };
      return within((signal) => endpoint.hear(hearable, signal));
    };
    const heard = await hear(samples, voiced);
    note('key', takesRequests);
    note('model', hasThisModel);
    note('answer', judgeDuration(ms(), timeoutMs, 'Allow more time with timeout=SECONDS.'));
    begin('speech');
    note('speech', judgeSpeech(heard));
    note('times', judgeTimes(heard, endpoint.profile));
    note('confidence', judgeConfidence(heard));
    note('prompt', judgePrompt(endpoint.profile));
    begin('silence');
    note('silence', judgeSilence(await hear(new Float32Array(2 * soundRate), 0)));
  });
}

/** The sample is a WAV file with 16 bits, one channel and our sampling rate. */
const sampleSpeech = (): Float32Array =>
  decodeSamples(readFileSync(new URL('sample.wav', import.meta.url)).subarray(wavHeadBytes));

function judgeSpeech(heard: readonly Segment[]): Outcome {
  if (heard.length === 0) throw failure('silent');
  const said = fold(heard.flatMap(({ words }) => words.map(({ text }) => text)).join(' '));
  return sampleWords.every((word) => said.includes(word))
    ? { result: 'works', message: 'The model recognises the sample sentence.' }
    : {
        result: 'partly',
        message: 'The model recognises other words than those of the sample sentence.',
        hint: 'The voice is synthetic; measure with your own voices by `laudio engine bench`.',
      };
}

const detailOutcomes: Readonly<Record<Detail, Outcome>> = {
  words: { result: 'works', message: 'The server reports the time of each word.' },
  segments: {
    result: 'partly',
    message: 'The server reports the time of each sentence, not of each word.',
    hint: 'A click on a word plays its sentence.',
  },
  text: {
    result: 'partly',
    message: 'The server reports no times.',
    hint: 'A click on a word cannot play it, and pauses do not separate sentences.',
  },
};

function judgeTimes(heard: readonly Segment[], profile: Profile): Outcome {
  const known = heard.flatMap(({ words }) => words.flatMap((word) => word.data ?? []));
  const timed = new Set(known.filter(({ from }) => from !== undefined));
  const words = heard.reduce((sum, segment) => sum + segment.words.length, 0);
  const detail = timed.size === 0 ? 'text' : timed.size > words / 2 ? 'words' : 'segments';
  return detail === 'text' && !profile.timesWithLanguage
    ? { ...detailOutcomes.text, message: 'The server reports times only if no language is requested.' }
    : detailOutcomes[detail];
}

const judgeConfidence = (heard: readonly Segment[]): Outcome =>
  heard.some(({ words }) => words.some(({ data: known }) => known?.confidence !== undefined))
    ? { result: 'works', message: 'The server reports the model’s confidence.' }
    : {
        result: 'partly',
        message: 'The server does not report the model’s confidence.',
        hint: 'Uncertain words will not be marked.',
      };

const judgePrompt = ({ promptTokens }: Profile): Outcome =>
  promptTokens > 0
    ? { result: 'works', message: `The server accepts terms of the exam, up to ${promptTokens} tokens.` }
    : {
        result: 'partly',
        message: 'The server accepts no terms of the exam.',
        hint: 'Rare words will be misheard more often.',
      };

const judgeSilence = (heard: readonly Segment[]): Outcome =>
  heard.length === 0
    ? { result: 'works', message: 'The model writes nothing over silence.' }
    : {
        result: 'partly',
        message: 'The model makes up words over silence.',
        hint: 'Laudio sends no silence, and asks about such words.',
      };
