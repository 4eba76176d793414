/**
 * Sound that was spoken and is not on disk yet, and reports that were asked for meanwhile. The backlog stores both
 * where another page finds them after this page was closed or died; this page has them in memory as well.
 */
import type { CallInput } from '../../bridge/calls.ts';
import type { InsertMode } from '../../bridge/dictation.ts';

/** A take, as the app has to know it, and the person who spoke it. */
export interface SpokenTake {
  readonly take: string;
  /** The desk of the person who spoke the sound. It is sent under no other login. */
  readonly desk: string;
  readonly dictation: string;
  readonly mode: InsertMode;
  /** Seconds; `null`: at the end. */
  readonly at: number | null;
  readonly beginning: CallInput<'dictation.start'>;
}

export interface WaitingTake extends SpokenTake {
  /** Positions in the take, in bytes: the first byte that waits, and the end of the last. */
  readonly from: number;
  readonly to: number;
  /** Whether the person ended the take; otherwise its page died. */
  readonly ended: boolean;
}

/** Sound of a take that begins at byte `from`. */
export interface StoredSound {
  readonly from: number;
  readonly samples: ArrayBuffer;
  /** Samples that were not captured before the first of these; absent: none. */
  readonly missing?: number;
}

/** A report that was asked for: the call to make, and for whom. `of`: the length of the dictation at that time. */
export type WaitingReport = CallInput<'dictation.send'> & { readonly desk: string };

export interface Backlog {
  /** Every take with sound that waits, of all people. */
  list(): Promise<readonly WaitingTake[]>;
  /** Stores sound of a take. Resolves when it is stored; rejects if the browser stores nothing. */
  keep(take: SpokenTake, sound: StoredSound): Promise<void>;
  /** The person has ended the take. */
  end(take: string): Promise<void>;
  /**
   * Reads at most so many bytes of sound from this byte on, or from the next stored byte, up to the next gap; `null` if there
   * is none.
   */
  read(take: string, from: number, most: number): Promise<StoredSound | null>;
  /** Removes the sound before this byte, or the whole take. */
  forget(take: string, before?: number): Promise<void>;
  /** Every report that waits, of all people. */
  reports(): Promise<readonly WaitingReport[]>;
  /**
   * Stores the request for a report, one for each dictation. Resolves when it is stored; rejects if the browser stores
   * nothing.
   */
  keepReport(report: WaitingReport): Promise<void>;
  forgetReport(dictation: string): Promise<void>;
  /** Does the work while no other page works under this name. Waits for its turn until `signal` is aborted. */
  hold(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /**
   * Calls the listener when any page begins to store a take or a report, or removes it; the returned function stops
   * that.
   */
  onChange(listener: () => void): () => void;
}
