/** Chooses, creates, probes and closes the engines of a server. */
import { AppError } from '../../src/contract/errors.ts';
import type { Choice } from '../../src/domain/choice.ts';
import type { Log } from '../runtime/log.ts';
import type { createValidation } from '../runtime/validation.ts';
import { chooseEngine } from './engine.ts';
import type { OpenEngine } from './engine.ts';
import type { Engine, EngineDeps, EngineKinds, EngineProblem, UsualRecogniser } from './engine.ts';
import { createHearing } from './hearing.ts';
import type { Hearing } from './hearing.ts';
import type { Recogniser } from './recogniser.ts';
import type { ModelOffer, ModelOfferOptions, openModelOffer } from './registry.ts';
import type { Writer } from './writer.ts';

/** The tables of registry.ts. */
export interface EngineTables {
  readonly recognisers: EngineKinds<Recogniser>;
  readonly writers: EngineKinds<Writer>;
  readonly usualRecogniser: (dataDir: string | undefined) => Promise<UsualRecogniser>;
  readonly openModelOffer: typeof openModelOffer;
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
  readonly models?: ModelOfferOptions;
}

export interface Engines {
  readonly hearing: Hearing;
  readonly writer: Writer;
  /** The speech models of this computer, loaded on demand; `undefined` if nothing is stored on disk. */
  readonly models: (() => Promise<ModelOffer>) | undefined;
  /** Why installed models are not used. */
  readonly problems: readonly EngineProblem[];
  /** Logs a warning for each engine that cannot serve now. */
  probe(signal: AbortSignal): Promise<void>;
  /** Called once the server is running; see `Engine`. */
  warmUp(): void;
  close(): Promise<void>;
}

/** The recogniser of test clients, unless they use the real one. */
const forTests = 'simulated';
const none = 'none';

/**
 * Validates the choices; opens nothing until the result is called. Throws AppError CONFIGURATION for an invalid choice.
 */
export function chooseEngines(
  { recognisers, writers, usualRecogniser, openModelOffer }: EngineTables,
  { recogniser, writer, testReal, hearing, models = {} }: EngineChoices,
  compile: ReturnType<typeof createValidation>,
): (deps: Omit<EngineDeps, 'key'>) => Promise<Engines> {
  const { [forTests]: simulation, ...kinds } = recognisers;
  if (!simulation) throw new Error(`There is no recogniser ${forTests}.`);
  if (recogniser?.use === forTests) throw notForPatients();
  const openTests = chooseEngine({ noun: 'recogniser', kinds: recognisers }, { use: forTests }, compile);
  const opening = (choice: Choice): OpenEngine<Recogniser> | undefined =>
    choice.use === none ? undefined : chooseEngine({ noun: 'recogniser', kinds, besides: [none] }, choice, compile);
  // Invalid choices are refused before anything is opened.
  if (recogniser) opening(recogniser);
  const openWriter = chooseEngine({ noun: 'writer', kinds: writers }, writer, compile);
  return async (deps) => {
    const opened = new Set<Engine>();
    let offer: Promise<ModelOffer> | undefined;
    const close = async (): Promise<void> => {
      await (await offer)?.close();
      await Promise.all([...opened].map((engine) => engine.close()));
    };
    const keep = async <E extends Engine>(opening: Promise<E>): Promise<E> => {
      const engine = await opening;
      opened.add(engine);
      return engine;
    };
    const release = async (engine: Engine): Promise<void> => {
      await engine.close();
      opened.delete(engine);
    };
    const openPatients = async (choice: Choice | undefined) => {
      const usual = choice ? undefined : await usualRecogniser(deps.dataDir);
      const open = opening(choice ?? usual!);
      return { patients: open && (await keep(open(deps))), problems: usual?.problems ?? [] };
    };
    try {
      const { patients, problems } = await openPatients(recogniser);
      for (const problem of problems) deps.log({ level: 'warn', event: 'model_not_used', ...problem });
      const all = createHearing(testReal ? patients : await keep(openTests(deps)), patients, hearing);
      const present = () => all.recogniserOf({ test_mode: false });
      /** The previous recogniser finishes the work that it has begun. */
      const choose = async (choice: Choice | undefined) => {
        const { patients: next } = await openPatients(choice);
        const former = present();
        try {
          await next?.probe(new AbortController().signal);
        } catch (error) {
          await release(next!);
          throw error;
        }
        const replaced = all.replace(next);
        return { released: replaced.then(() => former && release(former)) };
      };
      const { dataDir } = deps;
      const openOffer = (directory: string): Promise<ModelOffer> =>
        openModelOffer({ ...deps, dataDir: directory, recogniser: () => present()?.name ?? null, choose }, models);
      return {
        hearing: all,
        writer: await keep(openWriter(deps)),
        models: dataDir === undefined ? undefined : () => (offer ??= openOffer(dataDir)),
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
    message: `The recogniser ${forTests} does not listen: only test clients use this recogniser.`,
    hint: `Choose another recogniser with --recogniser, or ${none}: then the server turns no audio of other clients into text.`,
    details: { setting: 'recogniser' },
  });
