/**
 * The port of a recogniser, which turns speech into text. A recogniser keeps nothing and logs nothing of its input. A call
 * that the recogniser cannot serve now rejects with AppError ENGINE_UNAVAILABLE: jobs wait then, and try again. Sound that
 * it will never be able to hear rejects with another code. `signal` aborts a call that nobody needs.
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
  /** Each call reads the audio from its first byte. There is no file to read instead: stored audio may be encrypted. */
  readonly read: () => Promise<Readable>;
  readonly language: Language;
  readonly template: Template;
  readonly exam: ExamContext | null;
  /** Words of the vocabulary that the exam makes likely, the likeliest first, at most ten; no patient data. Default: none. */
  readonly terms?: readonly string[];
  /** `record` dictates a document; `instruction` says what to change in one. */
  readonly purpose: 'record' | 'instruction';
}

export interface ListenInput extends Pick<TranscribeInput, 'language' | 'template' | 'exam'> {
  /** One channel of 16,000 samples a second, in pieces of any length, as they come; ends with the dictation. */
  readonly sound: AsyncIterable<Int16Array>;
  /** What earlier calls made final of this dictation, whose sound goes on here; empty at its beginning. */
  readonly before: string;
}

/** Hears while somebody still speaks. */
export interface LiveRecogniser {
  /** The recogniser listens in chunks of about so many milliseconds, and gives no word sooner. */
  readonly chunkMs: number;
  /**
   * Tells `onHeard` what it hears, and resolves once the sound has ended and all of it is final. Takes a further piece of
   * sound only when it can work on it: so a slow recogniser holds little, and the rest waits with the caller. Where the call
   * rejects, the finals stand; the caller goes on with another call, whose sound begins at the last `until`.
   */
  listen(input: ListenInput, onHeard: (heard: LiveHeard) => void, signal: AbortSignal): Promise<void>;
}

export interface Recogniser extends Engine {
  /** Whether the recogniser invents its text instead of hearing it: only for test clients, and the text says so. */
  readonly simulated: boolean;
  /** How many queued dictations the recogniser is given at once, unless the operator chose another number; at least 1. */
  readonly atOnce: number;
  /** The host to which sound goes, with its port. Absent: the sound stays on the computer of the server. */
  readonly sendsTo?: string;
  transcribe(input: TranscribeInput, signal: AbortSignal): Promise<HeardText>;
  /** Absent: the recogniser hears only whole dictations. */
  readonly live?: LiveRecogniser;
}
