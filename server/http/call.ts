/** The call as a handler sees it: the caller, the upload, and the transaction. */
import type { AudioType } from '../../src/contract/document.ts';
import type { Scope } from '../../src/contract/scopes.ts';
import type { JobFault } from './call-faults.ts';
import type { Actor } from '../storage/actor.ts';
import type { StoredAudio } from '../storage/collections.ts';
import type { Transaction } from '../storage/store.ts';

/** The owner of the request's access token. */
export interface Caller {
  readonly client_id: string;
  readonly client_name: string;
  /** The grant that the token came from. */
  readonly grant_id: string;
  /** The id of the token, by which it is revoked alone. */
  readonly token_id: string;
  /** `null`: the client acts for itself. */
  readonly user: { readonly id: string; readonly username: string; readonly display_name: string } | null;
  readonly space: string;
  readonly scopes: readonly Scope[];
  readonly test_mode: boolean;
  /** When the token expires, ms since 1970. */
  readonly expires_at: number;
}

/** Audio that arrived with the request. It is deleted after the answer unless a document took it over. */
export interface Upload {
  readonly audio: StoredAudio & { readonly content_type: AudioType };
  /** Keeps the blob after the answer. Call it once a committed document names the blob. */
  keep(): void;
}

/** A status with its data and headers; `commit` stores it under an Idempotency-Key. */
export interface Answer {
  readonly status: number;
  readonly data: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export interface Call {
  readonly request_id: string;
  /** The address by which the caller is limited; see client-address.ts. */
  readonly address: string;
  /** The origin at which the request arrived, `http://127.0.0.1:41234` or the public URL, for addresses in answers. */
  readonly base_url: string;
  /** The caller; only endpoints with `access: 'bearer'` have one. */
  readonly caller: Caller;
  readonly upload: Upload | undefined;
  /** Aborted when the connection closes before the answer. */
  readonly signal: AbortSignal;
  /**
   * Aborted with `signal`, and as soon as the access token no longer allows this call. Streams use it, since they go on
   * after the first check of the token.
   */
  readonly whileAllowed: AbortSignal;
  header(name: string): string | undefined;
  /** Who acts, for transactions of the handler's own: several, or those of another room. */
  actor(): Actor;
  /** The effect of the server's faults on the job that this call makes. Ask once for each job. */
  jobFault(): JobFault | undefined;
  /**
   * Runs `work` as one transaction and answers with what it returns. With an `Idempotency-Key` the same transaction
   * stores the answer, so that a repeated request gets that answer and has no second effect. Rejects, and changes nothing,
   * where the caller's authorization has ended since the request came.
   */
  commit<A extends Answer>(work: (tx: Transaction) => Promise<A>): Promise<A>;
}
