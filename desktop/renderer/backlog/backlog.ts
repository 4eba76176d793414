/**
 * Audio that is not on disk yet, and reports requested in the meantime. The backlog stores both where another page
 * finds them after this page was closed or crashed; this page also has them in memory.
 */
import type { CallInput } from '../../bridge/calls.ts';
import type { InsertMode } from '../../bridge/dictation.ts';

/** A take, as the app must know it, with the person who spoke it. */
export interface SpokenTake {
  readonly take: string;
  /** The desk of the person who spoke. The audio is sent under no other login. */
  readonly desk: string;
  readonly dictation: string;
  readonly mode: InsertMode;
  /** Seconds; `null`: at the end. */
  readonly at: number | null;
  readonly beginning: CallInput<'dictation.start'>;
}

export interface WaitingTake extends SpokenTake {
  /** Positions in the take, in bytes: the first waiting byte, and the end of the last. */
  readonly from: number;
  readonly to: number;
  /** Whether the person ended the take; otherwise its page crashed. */
  readonly ended: boolean;
}

/** Audio of a take, starting at byte `from`. */
export interface StoredSound {
  readonly from: number;
  readonly samples: ArrayBuffer;
  /** Number of samples lost before the first of these; absent: none. */
  readonly missing?: number;
}

/** A requested report: the call to make, and its person. `of`: the length of the dictation at that time. */
export type WaitingReport = CallInput<'dictation.send'> & { readonly desk: string };

export interface Backlog {
  /** All takes with waiting audio, of all people. */
  list(): Promise<readonly WaitingTake[]>;
  /** Stores audio of a take. Resolves when it is stored; rejects if the browser stores nothing. */
  keep(take: SpokenTake, sound: StoredSound): Promise<void>;
  /** Marks the take as ended by the person. */
  end(take: string): Promise<void>;
  /**
   * Reads at most this many bytes of audio from this byte, or from the next stored one, up to the next gap; `null` if
   * there are none.
   */
  read(take: string, from: number, maxBytes: number): Promise<StoredSound | null>;
  /** Removes the audio before this byte, or the whole take. */
  forget(take: string, before?: number): Promise<void>;
  /** All waiting reports, of all people. */
  reports(): Promise<readonly WaitingReport[]>;
  /**
   * Stores the request for a report, one per dictation. Resolves when it is stored; rejects if the browser stores
   * nothing.
   */
  keepReport(report: WaitingReport): Promise<void>;
  forgetReport(dictation: string): Promise<void>;
  /** Runs `work` while no other page holds this name. Waits for its turn until `signal` is aborted. */
  hold(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /**
   * Calls the listener when any page starts to store a take or a report, or removes it. The returned function stops
   * that.
   */
  onChange(listener: () => void): () => void;
}
