/** The simulated engine, which a test can hold up, make fail, and ask what it was given. */
import { createSimulatedEngine } from '../../server/engine/simulated/simulated-engine.ts';
import type { Engine } from '../../server/engine/engine.ts';

export interface ControlledEngine extends Engine {
  /** `transcribe`, `compose`, `correct` in the order in which they were called. */
  readonly calls: { step: 'transcribe' | 'compose' | 'correct'; input: unknown; signal: AbortSignal }[];
  /** From now on calls wait. */
  hold(): void;
  /** Lets those that wait go on, and later ones through. */
  release(): void;
  /** The next calls reject with these, one after the other. */
  failNext(...errors: unknown[]): void;
  /** Resolves at the next call, or at once where so many were made. */
  called(times: number): Promise<void>;
}

export function controlledEngine(): ControlledEngine {
  const engine = createSimulatedEngine();
  const calls: ControlledEngine['calls'] = [];
  const failures: unknown[] = [];
  const listeners = new Set<() => void>();
  let gate: PromiseWithResolvers<void> | undefined;

  const controlled =
    <I, O>(step: 'transcribe' | 'compose' | 'correct', work: (input: I, signal: AbortSignal) => Promise<O>) =>
    async (input: I, signal: AbortSignal): Promise<O> => {
      calls.push({ step, input, signal });
      for (const listener of listeners) listener();
      await gate?.promise;
      if (failures.length > 0) throw failures.shift();
      return work(input, signal);
    };

  return {
    ...engine,
    name: 'controlled',
    transcribe: controlled('transcribe', (input, signal) => engine.transcribe(input, signal)),
    compose: controlled('compose', (input, signal) => engine.compose(input, signal)),
    correct: controlled('correct', (input, signal) => engine.correct(input, signal)),
    calls,
    hold: () => void (gate ??= Promise.withResolvers()),
    release() {
      gate?.resolve();
      gate = undefined;
    },
    failNext: (...errors) => void failures.push(...errors),
    called: (times) =>
      new Promise((resolve) => {
        const check = () => {
          if (calls.length < times) return;
          listeners.delete(check);
          resolve();
        };
        listeners.add(check);
        check();
      }),
  };
}
