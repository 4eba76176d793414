/**
 * Sound that was spoken and is not on the disk yet, and reports that were asked for meanwhile, kept where another page finds
 * them after this one was closed or died. The page keeps them in memory besides.
 */
import type { CallInput } from '../../bridge/calls.ts';
import type { InsertMode } from '../../bridge/dictation.ts';

/** A take as it is announced to the app, with whose it is. */
export interface SpokenTake {
  readonly take: string;
  /** Of the session in which it was spoken: nobody else's login sends it. */
  readonly desk: string;
  readonly dictation: string;
  readonly mode: InsertMode;
  /** Seconds; `null`: at the end. */
  readonly at: number | null;
  readonly beginning: CallInput<'dictation.start'>;
}

export interface WaitingTake extends SpokenTake {
  /** Bytes of the take: the first that waits, and the one behind the last. */
  readonly from: number;
  readonly to: number;
  /** The person ended it; else its page died. */
  readonly ended: boolean;
}

/** A report that was asked for: the call as it will be made, and by whom. `of`: the length that the dictation had then. */
export type WaitingReport = CallInput<'dictation.send'> & { readonly desk: string };

export interface Backlog {
  /** Every take of which sound waits, whoever's it is. */
  list(): Promise<readonly WaitingTake[]>;
  /** `from`: bytes of the take before these. Resolves when they are kept; throws where the browser keeps nothing. */
  keep(take: SpokenTake, from: number, samples: ArrayBuffer): Promise<void>;
  /** The person has ended the take. */
  end(take: string): Promise<void>;
  /** The sound from this byte on, or from the next that is kept; at most so many bytes. `null`: there is none. */
  read(
    take: string,
    from: number,
    most: number,
  ): Promise<{ readonly from: number; readonly samples: ArrayBuffer } | null>;
  /** Removes what is before this byte, or all of the take. */
  forget(take: string, before?: number): Promise<void>;
  /** Every report that waits, whoever asked for it. */
  reports(): Promise<readonly WaitingReport[]>;
  /** Resolves when it is kept; throws where the browser keeps nothing. Of a dictation there is one. */
  keepReport(report: WaitingReport): Promise<void>;
  forgetReport(dictation: string): Promise<void>;
  /** Does the work while no other page does any under this name; waits for its turn until `signal` is aborted. */
  hold(name: string, signal: AbortSignal, work: () => Promise<void>): Promise<void>;
  /** Some page has begun to keep a take or a report, or keeps nothing of it any more; the function returned ends it. */
  onChange(listener: () => void): () => void;
}
