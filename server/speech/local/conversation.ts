/** What the server and the process of a model tell each other (model-process.ts, recogniser-process.ts). */
import type { Language } from '../../../src/contract/shared.ts';
import type { InstalledModel } from './models.ts';

export type ToModel =
  | { readonly load: { readonly model: InstalledModel; readonly threads: number } }
  /** Each of these has one answer with its `id`, and those of one stream are done in order. */
  | { readonly id: number; readonly piece: Float32Array; readonly language: Language }
  | { readonly id: number; readonly stream: number; readonly open: Language }
  | { readonly id: number; readonly stream: number; readonly sound: Float32Array }
  | { readonly id: number; readonly stream: number; readonly finish: true }
  /** Without an answer. */
  | { readonly drop: number };

export type FromModel =
  | { readonly ready: true }
  /** The model cannot be loaded, and why. */
  | { readonly refused: Refusal }
  | { readonly id: number; readonly heard: readonly Decoded[] }
  | { readonly id: number; readonly failed: 'memory' | 'work' }
  /** The model works on something long. */
  | { readonly busy: true };

export type Refusal =
  | { readonly reason: 'damaged' | 'missing'; readonly file: string }
  | { readonly reason: 'addon' | 'load' }
  | { readonly reason: 'memory' };

/** Tokens with their times in seconds, from the beginning of the piece or stream. */
export interface Decoded {
  readonly tokens: readonly string[];
  readonly times: readonly number[];
  /** Empty where the model does not know how long its tokens are. */
  readonly durations: readonly number[];
  /** Of a stream: nothing of this changes any more, and the sound until this second has been heard. */
  readonly until?: number;
}
