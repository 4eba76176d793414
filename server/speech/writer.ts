/**
 * The port of a writer, which turns text into a document, and follows an instruction to change a document. A writer keeps
 * nothing and logs nothing of its input. A call that the writer cannot serve rejects with AppError ENGINE_UNAVAILABLE;
 * `signal` aborts a call that nobody needs.
 */
import type { Engine } from './engine.ts';
import type { Composed, ComposeInput, Corrected, CorrectInput } from './writing.ts';

export interface Writer extends Engine {
  /** The provenance accounts for every heard word once: a word is in the sections, was a command, or was taken back. */
  compose(input: ComposeInput, signal: AbortSignal): Promise<Composed>;
  /** If the instruction was not understood or changes nothing, `changes` is empty and `sections` are those of the input. */
  correct(input: CorrectInput, signal: AbortSignal): Promise<Corrected>;
}
