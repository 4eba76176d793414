/** Chooses, creates, probes and closes the engines of a server. */
import { AppError } from '../../src/contract/errors.ts';
import type { Choice } from '../../src/domain/choice.ts';
import { describeMissingParts } from '../../src/node/optional-packages.ts';
import type { Log } from '../runtime/log.ts';
import type { createValidation } from '../runtime/validation.ts';
import { chooseEngine } from './engine.ts';
import type { OpenEngine } from './engine.ts';
import type { Engine, EngineDeps, EngineKinds, EngineProblem, DefaultRecogniser } from './engine.ts';
import { createSpeechRecognition } from './speech-recognition.ts';
import type { SpeechRecognition } from './speech-recognition.ts';
import type { Recogniser } from './recogniser.ts';
import type { ModelManager, ModelManagerOptions, openModelManager } from './registry.ts';
import type { Writer } from './writer.ts';

/** The tables of registry.ts. */
export interface EngineTables {
  readonly recognisers: EngineKinds<Recogniser>;
  readonly writers: EngineKinds<Writer>;
  readonly findDefaultRecogniser: (dataDir: string | undefined) => Promise<DefaultRecogniser>;
  readonly openModelManager: typeof openModelManager;
}

export interface EngineChoices {
  /**
   * The recogniser of all clients except test clients; `use: 'none'` for none; by default an installed model, or none.
   */
  readonly recogniser?: Choice | undefined;
  readonly writer: Choice;
  /** Whether test clients use the real engines instead of the simulation. */
  readonly testReal: boolean;
  /** Queued dictations that are transcribed concurrently; by default as many as the recogniser supports. */
  readonly hearing?: number | undefined;
  /** How the app offers speech models. */
  readonly models?: ModelManagerOptions;
}

export interface Engines {
  readonly recognition: SpeechRecognition;
  readonly writer: Writer;
  /** The speech models of this computer, loaded on demand; `undefined` if nothing is stored on disk. */
  readonly models: (() => Promise<ModelManager>) | undefined;
  /** Why installed models are not used, and what the recogniser lacks. */
  readonly problems: readonly EngineProblem[];
  /** Logs a warning for each engine that cannot serve now. */
  probe(signal: AbortSignal): Promise<void>;
  /** Called once the server is running; see `Engine`. */
  warmUp(): void;
  close(): Promise<void>;
}

/** The recogniser of test clients, unless they use the real one. */
const testRecogniser = 'simulated';
const none = 'none';

/**
 * Validates the choices; opens nothing until the result is called. Throws AppError CONFIGURATION for an invalid choice.
 */
export function chooseEngines(
  { recognisers, writers, findDefaultRecogniser, openModelManager }: EngineTables,
  { recogniser, writer, testReal, hearing, models = {} }: EngineChoices,
  compile: ReturnType<typeof createValidation>,
): (deps: Omit<EngineDeps, 'key'>) => Promise<Engines> {
  const { [testRecogniser]: simulation, ...kinds } = recognisers;
  if (!simulation) throw new Error(`There is no recogniser ${testRecogniser}.`);
  if (recogniser?.use === testRecogniser) throw notForPatients();
  const openTests = chooseEngine({ noun: 'recogniser', kinds: recognisers }, { use: testRecogniser }, compile);
  const createOpener = (choice: Choice): OpenEngine<Recogniser> | undefined =>
    choice.use === none ? undefined : chooseEngine({ noun: 'recogniser', kinds, besides: [none] }, choice, compile);
  // Invalid choices are refused before anything is opened.
  if (recogniser) createOpener(recogniser);
  const openWriter = chooseEngine({ noun: 'writer', kinds: writers }, writer, compile);
  return async (deps) => {
    const opened = new Set<Engine>();
    let manager: Promise<ModelManager> | undefined;
    const close = async (): Promise<void> => {
      await (await manager)?.close();
      await Promise.all([...opened].map((engine) => engine.close()));
    };
    const track = async <E extends Engine>(opening: Promise<E>): Promise<E> => {
      const engine = await opening;
      opened.add(engine);
      return engine;
    };
    const release = async (engine: Engine): Promise<void> => {
      await engine.close();
      opened.delete(engine);
    };
    const openPatients = async (choice: Choice | undefined) => {
      const chosen: Choice & Partial<DefaultRecogniser> = choice ?? (await findDefaultRecogniser(deps.dataDir));
      const open = createOpener(chosen);
      const missing = open && describeMissingParts(['sound', 'lexicon']);
      const problems = [...(chosen.problems ?? []), ...(missing ? [missing] : [])];
      return { patients: open && (await track(open(deps))), problems };
    };
    try {
      const { patients, problems } = await openPatients(recogniser);
      for (const problem of problems) deps.log({ level: 'warn', event: 'speech_limited', ...problem });
      const all = createSpeechRecognition(testReal ? patients : await track(openTests(deps)), patients, hearing);
      const getCurrent = () => all.findRecogniser({ test_mode: false });
      /** The previous recogniser finishes the work that it has begun. */
      const choose = async (choice: Choice | undefined) => {
        const { patients: next } = await openPatients(choice);
        const previous = getCurrent();
        await next?.probe(new AbortController().signal).catch(async (error: unknown) => {
          await release(next);
          throw error;
        });
        const replaced = all.replace(next);
        return { released: replaced.then(() => previous && release(previous)) };
      };
      const { dataDir } = deps;
      const openManager = (directory: string): Promise<ModelManager> =>
        openModelManager({ ...deps, dataDir: directory, recogniser: getCurrent, choose }, models);
      return {
        recognition: all,
        writer: await track(openWriter(deps)),
        models: dataDir === undefined ? undefined : () => (manager ??= openManager(dataDir)),
        problems,
        probe: async (signal) => void (await Promise.all([...opened].map((engine) => probe(engine, deps.log, signal)))),
        warmUp: () => opened.forEach((engine) => engine.warmUp?.()),
        close,
      };
    } catch (error) {
      await close();
      throw error;
    }
  };
}

async function probe(engine: Engine, log: Log, signal: AbortSignal): Promise<void> {
  try {
    await engine.probe(signal);
  } catch (error) {
    if (signal.aborted) return;
    const { code, message, hint } = error instanceof AppError ? error : new AppError('ENGINE_UNAVAILABLE');
    log({ level: 'warn', event: 'engine_unavailable', engine: engine.name, code, message, hint });
  }
}

const notForPatients = (): AppError =>
  new AppError('CONFIGURATION', {
    message: `The recogniser ${testRecogniser} only simulates speech recognition, for test clients.`,
    hint: `Choose another recogniser with --recogniser, or ${none} to leave the audio of other clients untranscribed.`,
    details: { setting: 'recogniser' },
  });
