/** What engines are made with in tests; threads are shared by the tests of a file. */
import { afterAll } from 'vitest';
import { chooseEngine } from '../../server/speech/engine.ts';
import type { Engine, EngineDeps, EngineKinds } from '../../server/speech/engine.ts';
import { createValidation } from '../../server/runtime/validation.ts';
import { launchNode } from '../../server/runtime/processes/node-process.ts';
import { createWorkers } from '../../server/runtime/workers/workers.ts';
import { manualClock } from '../../src/domain/clock.ts';
import type { Choice } from '../../src/domain/choice.ts';

export function engineDeps(): EngineDeps {
  const workers = createWorkers();
  afterAll(() => workers.close());
  return {
    key: undefined,
    dataDir: undefined,
    memory: 2 ** 33,
    clock: manualClock(0),
    log: () => {},
    workers,
    launch: launchNode,
  };
}

/** As a server makes an engine of what an operator chose. */
export const openEngine = <E extends Engine>(
  noun: 'recogniser' | 'writer',
  kinds: EngineKinds<E>,
  choice: Choice,
  deps: EngineDeps,
): Promise<E> => chooseEngine({ noun, kinds }, choice, createValidation())(deps);
