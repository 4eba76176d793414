/** Messages between the server (running-model.ts) and the process of a model (recogniser-process.ts). */
import type { Language } from '../../../src/contract/shared.ts';
import type { InstalledModel } from './models.ts';

export type ModelRequest =
  | { readonly load: { readonly model: InstalledModel; readonly threads: number } }
  | NumberedQuestion
  /** Gets no answer. */
  | { readonly drop: number };

/** Gets one answer with its `id`. Questions about a stream are handled in order. */
export type NumberedQuestion = { readonly id: number } & Question;

export type Question =
  /** Without a language the model detects it, if it can. */
  | { readonly piece: Float32Array; readonly language: Language | undefined }
  | { readonly stream: number; readonly open: Language }
  | { readonly stream: number; readonly sound: Float32Array }
  | { readonly stream: number; readonly finish: true };

export type ModelResponse =
  | { readonly ready: true }
  /** Why the model cannot be loaded. */
  | { readonly refused: LoadFailure }
  | { readonly id: number; readonly heard: readonly DecodedTokens[] }
  | { readonly id: number; readonly failed: 'memory' | 'work' }
  /** Sent during long work. */
  | { readonly busy: true };

export type LoadFailure =
  | { readonly reason: 'damaged' | 'missing'; readonly file: string }
  | { readonly reason: 'addon' | 'load' }
  | { readonly reason: 'memory' };

/** Tokens with times in seconds from the beginning of the piece or stream. */
export interface DecodedTokens {
  readonly tokens: readonly string[];
  readonly times: readonly number[];
  /** Empty if the model doesn't know the lengths of its tokens. */
  readonly durations: readonly number[];
  /** The language of the answer (ISO 639-1), if the model reports it. */
  readonly language?: string;
  /** For a stream: these tokens are final, and the audio is processed up to this second. */
  readonly until?: number;
}
