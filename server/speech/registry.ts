/**
 * The kinds of recognisers and writers, by the name with which operators choose them. Engines are imported when they
 * are created.
 */
import { engineKind } from './engine.ts';
import type { EngineKinds, UsualRecogniser } from './engine.ts';
import type { ModelOffer, ModelOfferDeps, ModelOfferOptions } from './local/offer.ts';
import { localOptions } from './local/options.ts';
import type { LocalOptions } from './local/options.ts';
import { recogniserOptions } from './openai/recogniser/options.ts';
import type { RecogniserOptions } from './openai/recogniser/options.ts';
import { writerOptions } from './openai/writer/options.ts';
import type { WriterOptions } from './openai/writer/options.ts';
import type { Recogniser } from './recogniser.ts';
import { rulesWriter } from './rules/rules-writer.ts';
import { simulatedRecogniser } from './simulated/simulated-recogniser.ts';
import type { Writer } from './writer.ts';

export const recognisers = {
  simulated: simulatedRecogniser,
  local: engineKind<Recogniser, LocalOptions>({
    options: localOptions,
    main: 'model',
    create: async (options, deps) => (await import('./local/local-recogniser.ts')).createLocalRecogniser(options, deps),
  }),
  openai: engineKind<Recogniser, RecogniserOptions>({
    options: recogniserOptions,
    main: 'model',
    create: async (options, deps) =>
      (await import('./openai/recogniser/openai-recogniser.ts')).createOpenaiRecogniser(options, deps),
  }),
} as const satisfies EngineKinds<Recogniser>;

/** The recogniser of a server whose operator chose none. */
export const usualRecogniser = async (dataDir: string | undefined): Promise<UsualRecogniser> =>
  (await import('./local/usual-recogniser.ts')).usualRecogniser(dataDir);

/** The speech models of this computer. */
export const openModelOffer = async (deps: ModelOfferDeps, options: ModelOfferOptions): Promise<ModelOffer> =>
  (await import('./local/offer.ts')).createModelOffer(deps, options);
export type { ModelOffer, ModelOfferOptions };

export const writers = {
  rules: rulesWriter,
  openai: engineKind<Writer, WriterOptions>({
    options: writerOptions,
    main: 'model',
    create: async (options, deps) =>
      (await import('./openai/writer/openai-writer.ts')).createOpenaiWriter(rulesWriter, options, deps),
  }),
} as const satisfies EngineKinds<Writer>;
