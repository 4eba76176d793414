/** The options of the recogniser `local`, as an operator chooses it. */
import { boolean, integer, number, object, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';
import { modelId } from './manifest.ts';

export const localOptions = object(
  { model: modelId },
  {
    /** Processor threads of the model; default: half of the computer's, at most 4. */
    threads: integer({ minimum: 1, maximum: 64 }),
    /** Seconds without work after which the model is let go. */
    idle: number({ minimum: 1, maximum: 86_400, default: 600 }),
    /** Whether the model is loaded when the server starts, and not at the first sound. */
    preload: boolean({ default: false }),
    /** The folder with the folders of models; default: `models` in the data directory. */
    models: string({ minLength: 1 }),
  },
);
export type LocalOptions = TypeOf<typeof localOptions>;
