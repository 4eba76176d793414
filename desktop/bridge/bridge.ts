/**
 * The contract between the page and the app behind it: every call that the page can make (calls.ts), every event that
 * the app sends (events.ts), and every file that the page can load (files.ts). The page has no other access to the app.
 * HTTP (web/) and Electron's IPC (main/ipc.ts) carry the same calls. Tokens and audio files stay with the app.
 */
import type { Sentence } from '../../src/contract/messages/message.ts';
import type { CallInput, CallName, CallOutput } from './calls.ts';
import type { EventData, EventName } from './events.ts';

/** The app for the page, independent of the carrier. Calls throw `BridgeError`. */
export interface Bridge {
  /**
   * Makes a call. After `signal` is aborted the page no longer waits for the answer; the call may still take effect.
   * `desk` identifies the person who makes the call: the person's bridge fills it in (renderer/state/person-bridge.ts),
   * and the app refuses the call if somebody else is logged in.
   */
  call<N extends CallName>(
    name: N,
    input: CallInput<N>,
    bytes?: ArrayBuffer,
    signal?: AbortSignal,
    desk?: string,
  ): Promise<CallOutput<N>>;
  /** Follows an event. The returned function stops following. */
  on<N extends EventName>(name: N, listener: (data: EventData<N>) => void): () => void;
  /**
   * Calls the listener after a gap in which events may have been lost, so that it reads again. The returned function
   * stops that.
   */
  onGap(listener: () => void): () => void;
  /** Reports when the app itself, not the service behind it, stops and resumes answering. Some carriers lack this. */
  onSilence?(listener: (isSilent: boolean) => void): () => void;
  /** Address of a file that the page may load. */
  address(file: string): string;
}

/** Why a call was refused: a code of src/contract/errors.ts, a message, and a hint. */
export interface BridgeError {
  readonly code: string;
  readonly message: Sentence;
  readonly hint?: Sentence;
  readonly details?: Record<string, unknown>;
}
