/** Every kind of recogniser and of writer that an operator can choose, by the name used for it. */
import type { EngineKinds } from './engine.ts';
import { localRecogniser } from './local/local-recogniser.ts';
import { openaiRecogniser } from './openai/recogniser/openai-recogniser.ts';
import { openaiWriter } from './openai/writer/openai-writer.ts';
import type { Recogniser } from './recogniser.ts';
import { rulesWriter } from './rules/rules-writer.ts';
import { simulatedRecogniser } from './simulated/simulated-recogniser.ts';
import type { Writer } from './writer.ts';

export const recognisers = {
  simulated: simulatedRecogniser,
  local: localRecogniser,
  openai: openaiRecogniser,
} as const satisfies EngineKinds<Recogniser>;

export const writers = {
  rules: rulesWriter,
  openai: openaiWriter(rulesWriter),
} as const satisfies EngineKinds<Writer>;
