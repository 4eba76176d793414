/**
 * The port of a recogniser, which turns speech into text. It neither stores nor logs its input. If it cannot serve now,
 * calls reject with AppError ENGINE_UNAVAILABLE, and jobs retry later; audio that it can never transcribe rejects with
 * another code. `signal` aborts a call.
 */
import type { Readable } from 'node:stream';
import type { Language } from '../../src/contract/shared.ts';
import type { Template } from '../../src/contract/template.ts';
import type { HeardText, LiveHeard } from '../../src/domain/heard-text.ts';
import type { StoredAudio } from '../storage/collections.ts';
import type { Engine } from './engine.ts';
import type { ExamContext } from './exam-context.ts';

export interface TranscribeInput {
  readonly audio: StoredAudio;
  /** Each call reads the audio from the beginning. There is no path, because stored audio may be encrypted. */
  readonly read: () => Promise<Readable>;
  readonly language: Language;
  readonly template: Template;
  readonly exam: ExamContext | null;
  /** At most ten words of the vocabulary that are likely for the exam, likeliest first; no patient data. */
  readonly terms?: readonly string[];
  /** `record` dictates a report; `instruction` says what to change in one. */
  readonly purpose: 'record' | 'instruction';
}

export interface ListenInput extends Pick<TranscribeInput, 'language' | 'template' | 'exam' | 'terms'> {
  /** One channel, 16,000 samples per second, in pieces of any length as they arrive. */
  readonly sound: AsyncIterable<Int16Array>;
  /** The final text of earlier calls for this dictation; empty at its beginning. */
  readonly before: string;
}

/** Transcribes while the user still speaks. */
export interface LiveRecogniser {
  /** The approximate chunk size, which is the minimum latency. */
  readonly chunkMs: number;
  /**
   * Calls `onHeard` with partial and final text, and resolves when the audio has ended and all text is final. Reads
   * audio only as fast as it can process it, so that the backlog stays with the caller. If the call rejects, final text
   * remains valid; the caller starts another call with audio from the last `until`.
   */
  listen(input: ListenInput, onHeard: (heard: LiveHeard) => void, signal: AbortSignal): Promise<void>;
}

export interface Recogniser extends Engine {
  /** Whether the text is invented. Only for test clients, and the text says so. */
  readonly simulated: boolean;
  /** Default number of concurrent queued dictations, at least 1. */
  readonly atOnce: number;
  /** The host and port that receive audio. Absent if the audio stays on the server's computer. */
  readonly sendsTo?: string;
  /** Ids of the models of this computer that it uses. Absent: none. */
  readonly models?: readonly string[];
  transcribe(input: TranscribeInput, signal: AbortSignal): Promise<HeardText>;
  /** Absent if only whole dictations are supported. */
  readonly live?: LiveRecogniser;
}
