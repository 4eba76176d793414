/** A model's manifest, `model.json` in its folder. */
import { languages } from '../../../src/contract/shared.ts';
import { array, boolean, integer, object, oneOf, string } from '../../../src/contract/schema.ts';
import type { TypeOf } from '../../../src/contract/schema.ts';

export const modelId = string({ pattern: '^[a-z0-9][a-z0-9._-]*$', maxLength: 100 });

const file = object({
  name: string({ pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', maxLength: 200 }),
  bytes: integer({ minimum: 1 }),
  sha256: string({ pattern: '^[0-9a-f]{64}$' }),
});

export const Manifest = object({
  id: modelId,
  /** The network's architecture, which determines the files. */
  kind: oneOf(['nemo-ctc', 'transducer', 'nemo-transducer', 'whisper']),
  /** Whether the model works live. */
  live: boolean(),
  /** The size of the model's chunks. */
  chunk_ms: integer({ minimum: 1, maximum: 60_000 }),
  sample_rate: integer({ minimum: 16_000, maximum: 16_000 }),
  languages: array(oneOf(languages), { minItems: 1 }),
  /** SPDX identifier. */
  licence: string({ minLength: 1, maxLength: 100 }),
  files: object({ tokens: file }, { model: file, encoder: file, decoder: file, joiner: file }),
});
export type Manifest = TypeOf<typeof Manifest>;
export type ModelKind = Manifest['kind'];
