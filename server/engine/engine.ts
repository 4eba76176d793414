/**
 * The port behind which speech becomes text and text becomes a document. An engine keeps nothing and logs nothing of
 * what it is given. A call it cannot serve rejects with AppError ENGINE_UNAVAILABLE; a call that is no longer wanted is
 * told by `signal`.
 */
import type { Readable } from 'node:stream';
import type { Section } from '../../src/contract/document.ts';
import type { SectionChange } from '../../src/contract/record.ts';
import type { Language } from '../../src/contract/shared.ts';
import type { Template } from '../../src/contract/template.ts';
import type { StoredAudio } from '../store/collections.ts';

/** What is known of the exam; it helps recognition and fills in the technique. */
export interface ExamContext {
  readonly modality: string;
  readonly exam_description: string;
  readonly patient_sex?: string | null;
  readonly patient_age?: string | null;
}

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

export interface ComposeInput {
  readonly text: string;
  readonly template: Template;
  readonly language: Language;
  readonly exam: ExamContext | null;
}

export interface CorrectInput {
  readonly instruction: string;
  readonly sections: readonly Section[];
  readonly language: Language;
}

export interface Engine {
  /** Shown to the operator. */
  readonly name: string;
  transcribe(input: TranscribeInput, signal: AbortSignal): Promise<{ text: string }>;
  /** Every word of `text` is found in the sections, spoken section names and punctuation excepted. */
  compose(input: ComposeInput, signal: AbortSignal): Promise<{ title: string; sections: Section[] }>;
  /** `changes` is empty, and `sections` as given, where the instruction was not understood or changes nothing. */
  correct(input: CorrectInput, signal: AbortSignal): Promise<{ sections: Section[]; changes: SectionChange[] }>;
  /** In the language asked for; `undefined` for an unknown id. */
  template(id: string, language: Language): Template | undefined;
  templates(language: Language): readonly Template[];
  /** Which language a text is written in, as far as can be told. */
  languageOf(text: string): Language | undefined;
}
