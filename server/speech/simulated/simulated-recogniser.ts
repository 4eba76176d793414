/**
 * The recogniser of test mode. It doesn't listen, and says so: it returns a test dictation selected by the audio's
 * hash, so that equal input gives equal text.
 */
import { object } from '../../../src/contract/schema.ts';
import { engineKind } from '../engine.ts';
import type { Recogniser } from '../recogniser.ts';
import { timeWordsEvenly } from './word-times.ts';
import { simulatedListening } from './simulated-listening.ts';

export const simulatedRecogniser = engineKind<Recogniser, object>({
  options: object({}),
  create: async () => createSimulatedRecogniser(),
});

export function createSimulatedRecogniser(): Recogniser {
  return {
    name: 'simulated',
    simulated: true,
    atOnce: 8,
    probe: async () => {},
    close: async () => {},
    live: simulatedListening,
    transcribe: async (input, signal) => {
      signal.throwIfAborted();
      const { dictationFor, instructionFor } = await import('./transcript.ts');
      const text = input.purpose === 'instruction' ? instructionFor(input) : dictationFor(input);
      const { seconds } = input.audio;
      return seconds === null ? { text } : timeWordsEvenly(text, seconds);
    },
  };
}
