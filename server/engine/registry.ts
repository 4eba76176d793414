/** Every recogniser and every writer that the server can be put together with: name → how to make one. */
import type { Recogniser } from './recogniser.ts';
import { createRulesWriter } from './rules/rules-writer.ts';
import { createSimulatedRecogniser } from './simulated/simulated-recogniser.ts';
import type { Writer } from './writer.ts';

export const recognisers = {
  simulated: createSimulatedRecogniser,
} as const satisfies Readonly<Record<string, () => Recogniser>>;

export const writers = {
  rules: createRulesWriter,
} as const satisfies Readonly<Record<string, () => Writer>>;
