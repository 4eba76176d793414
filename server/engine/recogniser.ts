/**
 * The port of a recogniser, which turns speech into text. A recogniser keeps nothing and logs nothing of its input. A call
 * that the recogniser cannot serve rejects with AppError ENGINE_UNAVAILABLE; `signal` aborts a call that nobody needs.
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
  /** Each call reads the audio from its first byte. There is no file to read instead: stored audio may be encrypted. */
  readonly read: () => Promise<Readable>;
  readonly language: Language;
  readonly template: Template;
  readonly exam: ExamContext | null;
  /** `record` dictates a document; `instruction` says what to change in one. */
  readonly purpose: 'record' | 'instruction';
}

export interface Recogniser extends Engine {
  /** Whether the recogniser invents its text instead of hearing it: only for test clients, and the text says so. */
  readonly simulated: boolean;
  transcribe(input: TranscribeInput, signal: AbortSignal): Promise<Heard>;
}
