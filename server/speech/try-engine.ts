/** Tries a single engine, without a server. */
import { AppError } from '../../src/contract/errors.ts';
import type { Engine, EngineDeps, OpenEngine, Trial } from './engine.ts';

export interface EngineTrials {
  readonly name: string;
  readonly trials: readonly Trial[];
}

/** Opens the engine, tests its abilities, and closes it. Rejects as the engine's `create`. */
export async function tryEngine(
  open: OpenEngine<Engine>,
  deps: Omit<EngineDeps, 'key'>,
  signal: AbortSignal,
): Promise<EngineTrials> {
  const engine = await open(deps);
  try {
    return { name: engine.name, trials: await (engine.trials?.(signal) ?? probeAsTrial(engine, signal)) };
  } finally {
    await engine.close();
  }
}

async function probeAsTrial(engine: Engine, signal: AbortSignal): Promise<Trial[]> {
  try {
    await engine.probe(signal);
    return [{ what: 'ready', result: 'works', message: 'The engine needs nothing else.' }];
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'ENGINE_UNAVAILABLE') throw error;
    const { message, hint } = error;
    return [{ what: 'ready', result: 'fails', message, ...(hint !== undefined && { hint }) }];
  }
}
