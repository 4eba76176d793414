/** A recogniser and writer in one, which a test can hold up, make fail, and ask what it was given. */
import type { Recogniser } from '../../server/speech/recogniser.ts';
import * as rules from '../../server/speech/rules/rules.ts';
import { createSimulatedRecogniser } from '../../server/speech/simulated/simulated-recogniser.ts';
import type { Writer } from '../../server/speech/writer.ts';

export interface ControlledEngine extends Recogniser, Writer {
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
  const recogniser = createSimulatedRecogniser();
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
    ...recogniser,
    name: 'controlled',
    simulated: false,
    atOnce: 2,
    transcribe: controlled('transcribe', (input, signal) => recogniser.transcribe(input, signal)),
    compose: controlled('compose', async (input) => rules.compose(input)),
    correct: controlled('correct', async (input) => rules.correct(input)),
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
