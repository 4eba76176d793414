/** What a handler knows besides its input. */
import type { AudioType } from '../../src/contract/document.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import type { StoredAudio } from '../store/collections.ts';
import type { Transaction } from '../store/store.ts';

/** Whose access token came with the request. */
export interface Caller {
  readonly client_id: string;
  /** The grant that the token came from. */
  readonly grant_id: string;
  readonly user: { readonly id: string; readonly username: string; readonly display_name: string };
  readonly space: string;
  readonly scopes: readonly Scope[];
  readonly test_mode: boolean;
  /** When the token expires, ms since 1970. */
  readonly expires_at: number;
}

/** Audio that arrived with the request. It is deleted after the answer unless a document took it over. */
export interface Upload {
  readonly audio: StoredAudio & { readonly content_type: AudioType };
  /** From now on a committed document names the blob. */
  keep(): void;
}

/** A status with its data and headers: what `commit` keeps under an Idempotency-Key. */
export interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Call {
  readonly request_id: string;
  /** Where the request came from, for limits. */
  readonly address: string;
  /** Where the request came in, `http://127.0.0.1:41234` or the public URL, for addresses in answers. */
  readonly base_url: string;
  /** Only for endpoints with `access: 'bearer'`. */
  readonly caller: Caller;
  readonly upload: Upload | undefined;
  /** Aborted when the connection closes before the answer. */
  readonly signal: AbortSignal;
  /**
   * Aborted with `signal`, and as soon as the access token does not allow this call any more: for answers that go on for
   * longer than a moment.
   */
  readonly whileAllowed: AbortSignal;
  header(name: string): string | undefined;
  /**
   * Runs `work` as one transaction and answers with what it returns. With an `Idempotency-Key` the answer is kept in the
   * same transaction, so that a repeated request gets it again and never a second effect.
   */
  commit<A extends Answer>(work: (tx: Transaction) => Promise<A>): Promise<A>;
}
