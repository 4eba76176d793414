/** The options of the recogniser `local`. */
import { boolean, integer, number, object, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { hearingOptions } from '../hearing/options.ts';
import { modelId } from './manifest.ts';

export const localOptions = object(
  { model: modelId },
  {
    /** Threads of the model; by default half of the processors, at most 4. */
    threads: integer({ minimum: 1, maximum: 64 }),
    /** Idle seconds after which the model is unloaded. */
    idle: number({ minimum: 1, maximum: 86_400, default: 600 }),
    /** Whether the model is loaded at startup instead of on first use. */
    preload: boolean({ default: false }),
    ...hearingOptions,
    second: modelId,
    /** The models folder; by default `models` in the data directory. */
    models: string({ minLength: 1 }),
  },
);
export type LocalOptions = TypeOf<typeof localOptions>;
