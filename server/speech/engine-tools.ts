/** Engine tools that need no server: trying and measuring engines, managing models. */
import type { Choice } from '../../src/domain/choice.ts';
import { systemClock } from '../../src/node/clock.ts';
import { openBench } from './bench.ts';
import type { Bench } from './bench.ts';
import { chooseEngine } from './engine.ts';
import type { Engine, EngineDeps, OpenEngine, DefaultRecogniser } from './engine.ts';
import { chooseEngines } from './engines.ts';
import type { EngineChoices } from './engines.ts';
import type { ListedModel } from './local/library.ts';
import type { Pull, PullFacts, PullOptions, PullStep } from './local/pull/pull.ts';
import { openModelManager, recognisers, findDefaultRecogniser, writers } from './registry.ts';
import { tryEngine } from './try-engine.ts';
import type { EngineTrials } from './try-engine.ts';
import { createValidation } from '../runtime/validation.ts';
import { launchNode } from '../runtime/processes/node-process.ts';
import { memoryOfMachine } from '../storage/ceiling.ts';
import { createWorkers } from '../runtime/workers/workers.ts';

export type { Bench, ListedModel, Pull, PullFacts, PullStep };

/** The engines that an operator can choose. `simulated` is missing, because only test clients use it. */
export const engineKinds = {
  recogniser: {
    none: 'nothing: audio waits as jobs until there is a recogniser',
    local: 'a model on this computer: the sound stays here',
    openai: 'any server with /v1/audio/transcriptions: the sound goes there',
  },
  writer: {
    rules: 'built in: no model, no network',
    openai: 'the rules, and proposals of any server with /v1/chat/completions: the text goes there',
  },
} as const satisfies {
  readonly recogniser: Readonly<Record<Exclude<keyof typeof recognisers, 'simulated'> | 'none', string>>;
  readonly writer: Readonly<Record<keyof typeof writers, string>>;
};

/** Opens a recogniser or writer. AppError CONFIGURATION if the name is unknown. */
const openChosenEngine = (part: 'recogniser' | 'writer', choice: Choice): OpenEngine<Engine> =>
  part === 'recogniser'
    ? chooseEngine({ noun: part, kinds: recognisers }, choice, createValidation())
    : chooseEngine({ noun: part, kinds: writers }, choice, createValidation());

/** The server's data directory, which contains the models of local engines. */
export interface DataLocation {
  readonly dataDir: string;
}

async function withDeps<T>({ dataDir }: DataLocation, work: (deps: Omit<EngineDeps, 'key'>) => Promise<T>): Promise<T> {
  const workers = createWorkers();
  try {
    return await work({
      dataDir,
      memory: memoryOfMachine(),
      clock: systemClock,
      log: () => {},
      workers,
      launch: launchNode,
    });
  } finally {
    await workers.close();
  }
}

/** Tries a recogniser or writer on sample input. AppError CONFIGURATION if the name is unknown. */
export function tryChosenEngine(
  part: 'recogniser' | 'writer',
  choice: Choice,
  place: DataLocation,
  signal: AbortSignal,
): Promise<EngineTrials> {
  const open = openChosenEngine(part, choice);
  return withDeps(place, (deps) => tryEngine(open, deps, signal));
}

/** Opens the engines as a server would, and closes them. AppError CONFIGURATION if the server would not start. */
export function checkChoices(choices: Omit<EngineChoices, 'testReal'>, place: DataLocation): Promise<void> {
  const tables = { recognisers, writers, findDefaultRecogniser, openModelManager };
  const open = chooseEngines(tables, { ...choices, testReal: false }, createValidation());
  return withDeps(place, async (deps) => (await open(deps)).close());
}

/** Keeps a recogniser open while `work` measures it. AppError CONFIGURATION as `checkChoices`. */
export function measure<T>(recogniser: Choice, place: DataLocation, work: (bench: Bench) => Promise<T>): Promise<T> {
  const { simulated: _, ...kinds } = recognisers;
  const open = chooseEngine({ noun: 'recogniser', kinds }, recogniser, createValidation());
  return withDeps(place, (deps) => openBench(open, deps, work));
}

/** The models folder of a recogniser choice. */
export const modelsFolder = async (recogniser: Choice | undefined, { dataDir }: DataLocation): Promise<string> =>
  (await library()).modelsFolder(recogniser, dataDir);

/** The recogniser of a server whose settings choose none. */
export const findDefaultChoice = ({ dataDir }: DataLocation): Promise<DefaultRecogniser> =>
  findDefaultRecogniser(dataDir);

export const listModels = async (models: string): Promise<ListedModel[]> => (await library()).listModels(models);

/** NOT_FOUND if there is no such model, REQUEST_IN_PROGRESS if another process works on it. */
export const removeModel = async (models: string, id: string): Promise<void> =>
  (await library()).removeModel(models, id, systemClock);

/** Fetches nothing yet. AppError USAGE or NOT_FOUND for an invalid model or source. */
export const preparePull = async (options: PullOptions): Promise<Pull> =>
  (await import('./local/pull/pull.ts')).preparePull(options);

const library = () => import('./local/library.ts');
