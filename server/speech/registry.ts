/**
 * The kinds of recognisers and writers, by the name with which operators choose them. Engines are imported when they
 * are created.
 */
import { engineKind } from './engine.ts';
import type { EngineKinds, DefaultRecogniser } from './engine.ts';
import type { ModelManager, ModelManagerDeps, ModelManagerOptions } from './local/model-manager.ts';
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
export const findDefaultRecogniser = async (dataDir: string | undefined): Promise<DefaultRecogniser> =>
  (await import('./local/default-recogniser.ts')).findDefaultRecogniser(dataDir);

/** The speech models of this computer. */
export const openModelManager = async (deps: ModelManagerDeps, options: ModelManagerOptions): Promise<ModelManager> =>
  (await import('./local/model-manager.ts')).createModelManager(deps, options);
export type { ModelManager, ModelManagerOptions };

export const writers = {
  rules: rulesWriter,
  openai: engineKind<Writer, WriterOptions>({
    options: writerOptions,
    main: 'model',
    create: async (options, deps) =>
      (await import('./openai/writer/openai-writer.ts')).createOpenaiWriter(rulesWriter, options, deps),
  }),
} as const satisfies EngineKinds<Writer>;
