/** Every engine that the server can be put together with: name → how to make one. */
import type { Engine } from './engine.ts';
import { createSimulatedEngine } from './simulated/simulated-engine.ts';

export const engines = {
  simulated: createSimulatedEngine,
} as const satisfies Readonly<Record<string, () => Engine>>;
