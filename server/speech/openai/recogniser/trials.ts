/** Tests the abilities of a transcription server with synthetic audio. */
import type { Clock } from '../../../../src/domain/clock.ts';
import { languages } from '../../../../src/contract/shared.ts';
import type { Language } from '../../../../src/contract/shared.ts';
import type { Trial } from '../../engine.ts';
import { hasModel } from '../service.ts';
import { judgeDuration, hasThisModel, modelNotListed, reached, runTrials, takesRequests } from '../trials.ts';
import type { Outcome } from '../trials.ts';
import type { Segment } from '../../hearing/words.ts';
import type { Endpoint, SoundInput } from './endpoint.ts';
import { failure, reasonOf } from './failures.ts';
import { soundRate } from '../../sound/samples.ts';
import { readSentence } from '../../sound/spoken/sentences.ts';
import { judgeSentences } from '../../try-sentences.ts';
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

const names = [
  'server',
  'key',
  'model',
  'answer',
  'speech',
  'language',
  'times',
  'confidence',
  'prompt',
  'silence',
] as const;
const about = { key: 'key', model: 'model' } as const;

const sampleTerms: Readonly<Record<Language, readonly string[]>> = {
  'pt-BR': ['pulmões', 'derrame pleural', 'mediastino'],
  'en-US': ['lungs', 'pleural effusion', 'mediastinum'],
  'es-ES': ['pulmones', 'derrame pleural', 'mediastino'],
};

export function tryRecogniser({ endpoint, model, clock, timeoutMs, within }: TrialDeps): Promise<Trial[]> {
  return runTrials({ names, about, reasonOf, clock }, async ({ note, begin, ms }) => {
    const models = await within((signal) => endpoint.models(signal));
    note('server', { ...reached, ms: ms() });
    begin('answer');
    if (models && !hasModel(models, model)) note('model', modelNotListed(models));
    const hear = (samples: Float32Array, language: Language, how: Partial<SoundInput> = {}): Promise<Segment[]> => {
      const sound = { samples, voiced: samples.length / soundRate, language, terms: sampleTerms[language], ...how };
      return within((signal) => endpoint.hear(sound, signal));
    };
    const hearSentence = (language: Language): Promise<Segment[]> => hear(readSentence(language), language);
    const heard = await hearSentence('en-US');
    note('key', takesRequests);
    note('model', hasThisModel);
    note('answer', judgeDuration(ms(), timeoutMs, 'Allow more time with timeout=SECONDS.'));
    begin('speech');
    if (heard.length === 0) throw failure('silent');
    const texts: [Language, string][] = [];
    for (const language of languages)
      texts.push([language, joinText(language === 'en-US' ? heard : await hearSentence(language))]);
    note('speech', judgeSentences(texts));
    begin('language');
    note('language', judgeLanguage(await hear(readSentence('es-ES'), 'es-ES', { anyLanguage: true })));
    note('times', judgeTimes(heard, endpoint.profile));
    note('confidence', judgeConfidence(heard));
    note('prompt', judgePrompt(endpoint.profile));
    begin('silence');
    note('silence', judgeSilence(await hear(new Float32Array(2 * soundRate), 'en-US', { voiced: 0 })));
  });
}

const joinText = (heard: readonly Segment[]): string =>
  heard.flatMap(({ words }) => words.map(({ text }) => text)).join(' ');

/** Judges the answer to the Spanish sentence without a language. */
const judgeLanguage = (heard: readonly Segment[]): Outcome =>
  heard.some(({ language }) => language === 'es')
    ? { result: 'works', message: 'The server detects the language of speech.' }
    : {
        result: 'partly',
        message: 'The server does not detect the language of speech.',
        hint: 'A dictation in another language than the report’s is noticed only if its words show it.',
      };

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
