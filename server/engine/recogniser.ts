/**
 * The port behind which speech becomes text. A recogniser keeps nothing and logs nothing of what it is given. A call it
 * cannot serve rejects with AppError ENGINE_UNAVAILABLE; a call that is no longer wanted is told by `signal`.
 */
import type { Readable } from 'node:stream';
import type { Language } from '../../src/contract/shared.ts';
import type { Template } from '../../src/contract/template.ts';
import type { Heard } from '../../src/domain/heard.ts';
import type { StoredAudio } from '../store/collections.ts';
import type { Engine } from './engine.ts';
import type { ExamContext } from './exam-context.ts';

export interface TranscribeInput {
  readonly audio: StoredAudio;
  /** Its bytes from the first one on, at each call. They are nowhere in a file that could be read. */
  readonly read: () => Promise<Readable>;
  readonly language: Language;
  readonly template: Template;
  readonly exam: ExamContext | null;
  /** `record` dictates a document; `instruction` says what to change in one. */
  readonly purpose: 'record' | 'instruction';
}

export interface Recogniser extends Engine {
  /** What it gives was not heard: for test clients alone, and the text says so. */
  readonly simulated: boolean;
  transcribe(input: TranscribeInput, signal: AbortSignal): Promise<Heard>;
}
