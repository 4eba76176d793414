/** What the server and the process of the decoder tell each other (decode.ts, decoder-process.ts), in turns. */
import type { AudioType } from '../../../src/contract/document.ts';
import type { ErrorCode } from '../../../src/contract/errors.ts';

export type FromServer =
  /** The first message: the format of the file. */
  | { readonly type: AudioType }
  /** The answer to `wants`; `null`: the file has ended. */
  | { readonly bytes: Uint8Array | null }
  /** The answer to `sound`. */
  | { readonly taken: true };

export type FromDecoder =
  /** The next bytes of the file, or its first. */
  | { readonly wants: 'next' | 'first' }
  /** Samples at the rate of `soundRate`. */
  | { readonly sound: Float32Array }
  /** `isCut`: the file was longer once. */
  | { readonly done: true; readonly isCut: boolean }
  | { readonly failed: Failure };

/** An AppError on its way between processes. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly hint?: string | undefined;
  readonly details?: Record<string, unknown> | undefined;
}
