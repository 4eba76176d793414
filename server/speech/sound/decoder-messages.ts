/** Messages between the server (decode.ts) and the decoder process (decoder-process.ts), in turns. */
import type { AudioType } from '../../../src/contract/document.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';

export type DecoderRequest =
  /** The first message: the file's format. */
  | { readonly type: AudioType }
  /** Answers `wants`; `null` at the end of the file. */
  | { readonly bytes: Uint8Array | null }
  /** Answers `sound`. */
  | { readonly taken: true };

export type DecoderResponse =
  /** Requests the next or the first bytes of the file. */
  | { readonly wants: 'next' | 'first' }
  /** Samples at `soundRate`. */
  | { readonly sound: Float32Array }
  /** `isCut`: the file is truncated. */
  | { readonly done: true; readonly isCut: boolean }
  | { readonly failed: Failure };

/** A serialised AppError. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly retryAfter?: number | undefined;
  readonly details?: Record<string, unknown> | undefined;
}
